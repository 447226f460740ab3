//! What has happened in this run, newest first, and the whole of the entry under the cursor.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{pane, problem};
use crate::tui::keymap::Action;
use crate::tui::state::{ActivityEntry, Level, State};
use crate::tui::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::{left, truncate};

/// Rows of the entry under the cursor, its rule included.
const DETAILS: u16 = 7;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let log = &state.activity;
    if log.is_empty() {
        let back = format!("{} goes back to the files.", key(state, Action::ViewFiles));
        pane::say(frame, area, &[("Nothing has happened yet.".to_owned(), theme.text), (back, theme.dim)]);
        return;
    }
    let [list, details] = Layout::vertical([Constraint::Fill(1), Constraint::Length(DETAILS)]).areas(area);
    let rows = window(log.cursor, log.len(), usize::from(list.height));
    let first = rows.start;
    for ((y, at), entry) in (list.y..).zip(rows.clone()).zip(log.iter().skip(first).take(rows.len())) {
        let row = Rect { y, height: 1, ..list };
        let is_cursor = at == log.cursor;
        frame.render_widget(line(entry, is_cursor, usize::from(list.width), state, theme), row);
        if is_cursor {
            pane::select(frame, row, state.dialogs.is_empty(), theme);
        }
    }
    if let Some(entry) = log.selected() {
        draw_entry(frame, details, entry, state, theme);
    }
}

fn line<'a>(entry: &'a ActivityEntry, is_cursor: bool, cells: usize, state: &State, theme: &Theme) -> Line<'a> {
    let (word, style) = word(entry.level, theme);
    let time = figures::time_of_day(entry.at, &state.zone);
    let lead = format!("{}{time}  ", if is_cursor { " > " } else { "   " });
    let room = cells.saturating_sub(lead.len() + 7);
    Line::from(vec![
        Span::styled(lead, theme.dim),
        Span::styled(left(word, 7), style),
        Span::styled(truncate(&entry.text, room), theme.text),
    ])
}

fn draw_entry(frame: &mut Frame<'_>, area: Rect, entry: &ActivityEntry, state: &State, theme: &Theme) {
    let title = figures::date_time(entry.at, &state.zone);
    pane::rule(frame, area, &title, false, theme);
    let words = match &entry.error {
        // The entry's text ends with the error's message, which would stand here twice.
        Some(error) => {
            let mut words = problem::paragraphs(&entry.text, error, "", theme);
            words.remove(1);
            words
        }
        None => vec![(entry.text.clone(), theme.text)],
    };
    pane::say(frame, area, &words);
}

fn word(level: Level, theme: &Theme) -> (&'static str, Style) {
    match level {
        Level::Info => ("info", theme.dim),
        Level::Warn => ("warn", theme.warn),
        Level::Error => ("ERROR", theme.error),
    }
}
