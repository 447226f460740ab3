//! The events of this run, newest first, and the text that the row under the cursor has no space
//! for.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::areas;
use crate::tui::keymap::Action;
use crate::tui::pane::hit_target::ListBox;
use crate::tui::pane::keys::key;
use crate::tui::pane::{frame, problem};
use crate::tui::state::Pane;
use crate::tui::state::{ActivityEntry, MessageLevel, State};
use crate::tui::style::symbols;
use crate::tui::style::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate, width};

/// Cells of a row around its text: padding, time, sign and padding.
const AROUND_TEXT: usize = 2 + 8 + 2 + 2 + 1;

/// The list, and a pane below it for details of the selected entry that its row omits.
pub(crate) fn parts(body: Rect, state: &State) -> [Rect; 2] {
    let entry = state.activity.selected().filter(|_| !state.panes.plain);
    let lines = entry.map_or(0, |entry| {
        unsaid(entry, body, state, &Theme::default()).len()
    });
    areas::activity(body, lines)
}

pub(crate) fn list_box(area: Rect, state: &State) -> ListBox {
    let (rows, log) = (frame::below(frame::inner(area), 1), &state.activity);
    ListBox {
        of: Pane::Activity,
        area,
        rows,
        shown: state.window(log.cursor(), usize::from(rows.height)),
        len: log.len(),
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let (log, is_focused) = (&state.activity, state.dialogs.is_empty());
    let [list, details] = parts(area, state);
    let foot = match log.len() {
        _ if state.panes.plain => String::new(),
        0 => String::new(),
        len => format!(
            "{} of {}",
            figures::number(log.cursor().at() + 1),
            figures::number(len)
        ),
    };
    let inside = frame::PaneBox {
        title: "Activity",
        note: Line::styled("newest first", theme.dim),
        foot: Line::styled(foot, theme.dim),
        is_focused,
        ..Default::default()
    }
    .draw(frame, list, theme);
    if log.is_empty() {
        let back = format!("{} returns to the files.", key(state, Action::ViewFiles));
        frame::say(
            frame,
            inside,
            &[("Nothing yet.".to_owned(), theme.text), (back, theme.dim)],
        );
        return;
    }
    frame.render_widget(
        Line::styled("  When      What", theme.dim),
        frame::row(inside, 0),
    );
    let ListBox {
        rows: body,
        shown: rows,
        ..
    } = list_box(list, state);
    let first = rows.start;
    for ((y, at), entry) in (body.y..)
        .zip(rows.clone())
        .zip(log.iter().skip(first).take(rows.len()))
    {
        let row = Rect {
            y,
            height: 1,
            ..body
        };
        frame.render_widget(line(entry, usize::from(body.width), state, theme), row);
        if at == log.cursor().at() {
            frame::select(frame, row, is_focused, theme);
        }
    }
    frame::scrollbar(frame, list, rows, log.len(), theme);
    if let Some(entry) = log.selected().filter(|_| details.height > 0) {
        draw_entry(frame, details, entry, state, theme);
    }
}

/// The number of unseen warnings and errors, as the badge of the tab.
pub(crate) fn badge(state: &State, theme: &Theme) -> Option<(String, Style)> {
    let unseen = state.activity.unseen();
    (unseen > 0).then(|| (figures::number(unseen), theme.warn))
}

fn line<'a>(entry: &'a ActivityEntry, cells: usize, state: &State, theme: &Theme) -> Line<'a> {
    let (sign, style) = sign(entry.level, theme);
    let time = figures::time_of_day(entry.at, &state.zone);
    let room = cells.saturating_sub(AROUND_TEXT);
    Line::from(vec![
        Span::styled(format!("  {time}  "), theme.dim),
        Span::styled(format!("{sign} "), style),
        Span::styled(truncate(&entry.text, room), theme.text),
    ])
}

fn draw_entry(
    frame: &mut Frame<'_>,
    area: Rect,
    entry: &ActivityEntry,
    state: &State,
    theme: &Theme,
) {
    let title = format!(
        "{}, {}",
        word(entry.level),
        figures::full_time(entry.at, &state.zone)
    );
    let body = frame::PaneBox {
        title: &title,
        ..Default::default()
    }
    .draw(frame, area, theme);
    let body = frame::padded(body);
    for (at, line) in (0..body.height).zip(unsaid(entry, area, state, theme)) {
        frame.render_widget(line, frame::row(body, at));
    }
}

/// Lines with what the row of an entry omits: its text if truncated, and the details of its error.
fn unsaid(entry: &ActivityEntry, area: Rect, state: &State, theme: &Theme) -> Vec<Line<'static>> {
    let is_cut =
        width(&entry.text) > usize::from(frame::inner(area).width).saturating_sub(AROUND_TEXT);
    let text = is_cut.then(|| (entry.text.clone(), sign(entry.level, theme).1));
    // The entry's text contains the first two paragraphs: the failed action and the reason.
    let error = entry
        .error
        .as_ref()
        .map(|error| problem::paragraphs("", error, &entry.next, state, theme));
    let words: Vec<_> = text
        .into_iter()
        .chain(
            error
                .into_iter()
                .flat_map(|words| words.into_iter().skip(2)),
        )
        .collect();
    frame::wrapped(&words, usize::from(frame::inside(area).width))
}

fn word(level: MessageLevel) -> &'static str {
    match level {
        MessageLevel::Hint => "Hint",
        MessageLevel::Info => "Done",
        MessageLevel::Warn => "Warning",
        MessageLevel::Error => "Error",
    }
}

pub(crate) fn sign(level: MessageLevel, theme: &Theme) -> (&'static str, Style) {
    match level {
        MessageLevel::Hint => (symbols::CRUMB, theme.dim),
        MessageLevel::Warn => (symbols::CAUTION, theme.warn),
        MessageLevel::Info => (symbols::DONE, theme.ok),
        MessageLevel::Error => (symbols::FAILED, theme.error),
    }
}
