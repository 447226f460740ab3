//! The details as a rule and three lines, for narrow screens.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::api::model::{File, Folder};
use crate::api::text::visible;
use crate::engine::message::Entry;
use crate::tui::keymap::{Action, Context};
use crate::tui::state::{Pane, Row, State};
use crate::tui::theme::Theme;
use crate::tui::view::{access, pane};
use crate::tui::widget::figures;
use crate::tui::widget::text::{take, truncate_middle, width};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let is_focused = pane::has_keys(state, Pane::Details);
    let Some(row) = state.desk.listing.current() else {
        pane::rule(frame, area, "", is_focused, theme);
        return;
    };
    pane::rule(frame, area, &row.name, is_focused, theme);
    let cells = usize::from(area.width.saturating_sub(2));
    let lines = match &state.desk.listing.entry(row) {
        Entry::File(file) => of_file(file, cells, state, theme),
        Entry::Folder(folder) => of_folder(folder, row, cells, state, theme),
    };
    for (at, line) in (1..).zip(lines) {
        let row = pane::row(area, at);
        frame.render_widget(line, Rect { x: row.x + 1.min(row.width), width: row.width.saturating_sub(1), ..row });
    }
    if is_focused {
        frame.set_cursor_position((area.x.saturating_add(1), area.y.saturating_add(1)));
    }
}

fn of_file<'a>(file: &File, cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let level = file.access.as_ref();
    let first = vec![
        Span::styled(format!("{} ", access::word(level)), access::style(level, theme)),
        Span::styled(level.map_or(String::new(), |level| short_meaning(access::meaning(level))), theme.text),
    ];
    let mut facts = Vec::new();
    facts.extend(file.size.map(|size| format!("{} B", figures::grouped(size))));
    facts.extend(file.width.zip(file.height).map(|(width, height)| format!("{width}x{height}")));
    facts.push(format!("id {}", visible(file.id.as_str())));
    facts.extend(file.file_md5.as_deref().map(|md5| format!("md5 {}..", visible(take(md5, 4)))));
    let second = match (level.is_some_and(|level| !level.is_public()), file.url.as_deref()) {
        (true, _) => {
            let link = state.keymap.key_of(Context::List, Action::LinkAuto).unwrap_or_default();
            Line::styled(format!("private: {link} copies a signed address"), theme.warn)
        }
        (false, Some(url)) => Line::from(Span::styled(truncate_middle(&visible(url), cells).into_owned(), theme.link)),
        (false, None) => Line::styled("no address", theme.dim),
    };
    let mut dates = Vec::new();
    dates.extend(file.created_at.map(|at| format!("created {}", figures::date(at, &state.zone))));
    dates.extend(file.updated_at.map(|at| format!("updated {}", figures::ago(at, state.now))));
    dates.extend(file.expires_at.map(|at| format!("expires in {}", figures::until(at, state.now))));
    dates.extend(file.is_usable_in_content.map(|usable| format!("in content: {}", if usable { "yes" } else { "no" })));
    vec![joined(first, &facts, cells, theme), second, Line::styled(fitting(&dates, cells), theme.dim)]
}

fn of_folder<'a>(folder: &Folder, row: &Row, cells: usize, state: &State, theme: &Theme) -> Vec<Line<'a>> {
    let path = row.path(&state.desk.listing.place);
    let mut dates = vec![format!("id {}", visible(folder.id.as_str()))];
    dates.extend(folder.created_at.map(|at| format!("created {}", figures::date(at, &state.zone))));
    dates.extend(folder.updated_at.map(|at| format!("updated {}", figures::ago(at, state.now))));
    vec![
        Line::styled(truncate_middle(&format!("folder {}", visible(&path)), cells).into_owned(), theme.text),
        Line::styled(fitting(&dates, cells), theme.dim),
    ]
}

/// The part before the first comma: there is one line for everything.
fn short_meaning(meaning: &str) -> String {
    meaning.split(',').next().unwrap_or_default().to_owned()
}

fn joined<'a>(mut spans: Vec<Span<'a>>, facts: &[String], cells: usize, theme: &Theme) -> Line<'a> {
    let used: usize = spans.iter().map(|span| width(&span.content)).sum();
    spans.push(Span::styled(format!("   {}", fitting(facts, cells.saturating_sub(used + 3))), theme.text));
    Line::from(spans)
}

/// As many parts as fit whole, in order.
fn fitting(parts: &[String], cells: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let gap = if line.is_empty() { "" } else { "   " };
        if width(&line) + gap.len() + width(part) <= cells {
            line += gap;
            line += part;
        }
    }
    line
}
