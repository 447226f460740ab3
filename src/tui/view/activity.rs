//! What has happened in this run, newest first, and the whole of the entry under the cursor.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{pane, problem};
use crate::tui::areas;
use crate::tui::keymap::Action;
use crate::tui::state::{ActivityEntry, MessageLevel, State};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::view::keys::key;
use crate::tui::widget::figures;
use crate::tui::widget::text::truncate;

/// The area of the rows, and which ones they are.
pub(super) fn places(list: Rect, state: &State) -> (Rect, Range<usize>) {
    let (body, log) = (pane::below(pane::inner(list), 1), &state.activity);
    (body, state.window(log.cursor_offset, log.cursor, log.len(), usize::from(body.height)))
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let (log, is_focused) = (&state.activity, state.dialogs.is_empty());
    let [list, details] = areas::activity(area, state.panes.plain);
    let foot = match log.len() {
        _ if state.panes.plain => String::new(),
        0 => String::new(),
        len => format!("{} of {}", figures::number(log.cursor + 1), figures::number(len)),
    };
    let inside = pane::PaneBox {
        title: "Activity",
        note: Line::styled("newest first", theme.dim),
        foot: Line::styled(foot, theme.dim),
        is_focused,
    }
    .draw(frame, if log.is_empty() { area } else { list }, theme);
    if log.is_empty() {
        let back = format!("{} returns to the files.", key(state, Action::ViewFiles));
        pane::say(frame, inside, &[("Nothing yet.".to_owned(), theme.text), (back, theme.dim)]);
        return;
    }
    frame.render_widget(Line::styled("  When      What", theme.dim), pane::row(inside, 0));
    let (body, rows) = places(list, state);
    let first = rows.start;
    for ((y, at), entry) in (body.y..).zip(rows.clone()).zip(log.iter().skip(first).take(rows.len())) {
        let row = Rect { y, height: 1, ..body };
        frame.render_widget(line(entry, usize::from(body.width), state, theme), row);
        if at == log.cursor {
            pane::select(frame, row, is_focused, theme);
        }
    }
    pane::scrollbar(frame, list, rows.start, rows.len(), log.len(), theme);
    if let Some(entry) = log.selected().filter(|_| details.height > 0) {
        draw_entry(frame, details, entry, state, theme);
    }
}

/// The newest thing that went wrong or needs a look, as a badge of the tab.
pub(super) fn badge(state: &State, theme: &Theme) -> Option<(String, Style)> {
    let unseen = state.activity.unseen();
    (unseen > 0).then(|| (figures::number(unseen), theme.warn))
}

fn line<'a>(entry: &'a ActivityEntry, cells: usize, state: &State, theme: &Theme) -> Line<'a> {
    let (sign, style) = sign(entry.level, theme);
    let time = figures::time_of_day(entry.at, &state.zone);
    let room = cells.saturating_sub(2 + time.len() + 2 + 2 + 1);
    Line::from(vec![
        Span::styled(format!("  {time}  "), theme.dim),
        Span::styled(format!("{sign} "), style),
        Span::styled(truncate(&entry.text, room), theme.text),
    ])
}

fn draw_entry(frame: &mut Frame<'_>, area: Rect, entry: &ActivityEntry, state: &State, theme: &Theme) {
    let title = figures::date_time(entry.at, &state.zone);
    let body = pane::PaneBox { title: &title, ..Default::default() }.draw(frame, area, theme);
    let words = match &entry.error {
        // The entry's text ends with the error's message, which would stand here twice.
        Some(error) => {
            let mut words = problem::paragraphs(&entry.text, error, "", state, theme);
            words.remove(1);
            words
        }
        None => vec![(entry.text.clone(), theme.text)],
    };
    pane::say(frame, body, &words);
}

/// The sign of a message, and its color.
pub(super) fn sign(level: MessageLevel, theme: &Theme) -> (&'static str, Style) {
    match level {
        MessageLevel::Hint => (symbols::BETWEEN, theme.dim),
        MessageLevel::Info => (symbols::DONE, theme.ok),
        MessageLevel::Warn => (symbols::DANGER, theme.warn),
        MessageLevel::Error => (symbols::FAILED, theme.error),
    }
}
