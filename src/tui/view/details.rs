//! Everything that is known of the row under the cursor, and a summary of what is marked.

mod fields;
mod peek;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use self::fields::Field;
use super::{access, pane};
use crate::engine::message::Entry;
use crate::tui::state::{Listing, Pane, State};
use crate::tui::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{left, wrap};

/// Width of the labels' column.
const LABEL: usize = 9;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, is_peek: bool, state: &State, theme: &Theme) {
    if is_peek {
        peek::draw(frame, area, state, theme);
        return;
    }
    let is_focused = pane::has_keys(state, Pane::Details);
    let body = pane::heading(frame, area, "Details", is_focused, theme);
    let cells = usize::from(body.width.saturating_sub(2));
    let mut lines = marked(&state.desk.listing, cells, theme);
    match state.desk.listing.current() {
        Some(row) => {
            let name = if row.is_file() { row.name.to_string() } else { format!("{}/", row.name) };
            let style = if row.is_file() { theme.title } else { theme.folder };
            lines.extend(wrap(&name, cells).into_iter().map(|line| Line::styled(line, style)));
            let fields = match &state.desk.listing.entry(row) {
                Entry::File(file) => fields::of_file(file, state, theme),
                Entry::Folder(folder) => fields::of_folder(folder, &row.path(&state.desk.listing.place), state, theme),
            };
            lines.extend(fields.iter().flat_map(|field| field_lines(field, cells, theme)));
        }
        None => lines.push(Line::styled("Nothing is under the cursor.", theme.dim)),
    }
    for (at, line) in (0..).zip(lines) {
        let row = pane::row(body, at);
        frame.render_widget(line, Rect { x: row.x + 1.min(row.width), width: row.width.saturating_sub(1), ..row });
    }
    if is_focused {
        frame.set_cursor_position((body.x.saturating_add(1).min(body.right().saturating_sub(1)), body.y));
    }
}

/// A label and its value; a long value goes on in the value's column.
fn field_lines<'a>(field: &Field, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    let lines = wrap(&field.value, cells.saturating_sub(LABEL + 1));
    let mut label = field.label;
    lines
        .into_iter()
        .map(|value| {
            let line =
                Line::from(vec![Span::styled(left(label, LABEL + 1), theme.dim), Span::styled(value, field.style)]);
            label = "";
            line
        })
        .collect()
}

/// `2 marked, 1.6M` and how many of them are public; nothing without marks.
fn marked<'a>(listing: &Listing, cells: usize, theme: &Theme) -> Vec<Line<'a>> {
    let marks = &listing.marks;
    if marks.is_empty() {
        return Vec::new();
    }
    let (folders, mut words) = (marks.folders(), Vec::<(&str, usize)>::new());
    for (level, count) in marks.levels() {
        let word = access::word(level);
        match words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, known)) => *known += count,
            None => words.push((word, count)),
        }
    }
    words.sort_unstable();
    let mut parts: Vec<String> = words.iter().map(|(word, count)| format!("{count} {word}")).collect();
    if folders > 0 {
        parts.push(figures::count(folders, "folder"));
    }
    let text = format!("{} marked, {}: {}", marks.len(), figures::size(marks.bytes()), parts.join(", "));
    let mut lines: Vec<Line<'a>> =
        wrap(&text, cells).into_iter().map(|line| Line::styled(line, theme.marked)).collect();
    lines.push(Line::default());
    lines
}
