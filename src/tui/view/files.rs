//! The list of the open folder. Formats only the rows that are on the screen.

mod columns;
mod empty;
mod foot;
mod row;
mod shapes;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use self::columns::Columns;
use super::{keys, pane};
use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::{Filter, Pane, Stage, State};
use crate::tui::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::scroll::window;
use crate::tui::widget::text::{left, take, truncate, width};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let listing = &state.desk.listing;
    let is_focused = pane::has_keys(state, Pane::List);
    let inside = pane::Boxed {
        title: &foot::breadcrumbs(&listing.place.path),
        note: Line::styled(foot::order_and_age(state), theme.dim),
        foot: foot::counts(state, theme),
        is_focused,
    }
    .draw(frame, area, theme);
    let mut body = pane::below(inside, 1);
    if let Some(filter) = &listing.filter {
        body.height = body.height.saturating_sub(1);
        let line = Rect { y: body.bottom(), height: 1, ..body };
        draw_filter(frame, line, filter, theme);
    }
    // One more row says that more is to come, or why it does not.
    let more = more(state, theme);
    let rows = listing.visible().len() + usize::from(more.is_some());
    let shown = window(listing.cursor, rows, usize::from(body.height));
    let wants_expiry = shown.clone().filter_map(|at| listing.at(at)).any(|(_, row)| row.expires().is_some());
    let columns = Columns::fit(usize::from(body.width), wants_expiry);
    let note = listing.reading_whole().map(|_| reading_note(state, columns.name)).unwrap_or_default();
    frame.render_widget(Line::styled(columns.heading(listing.sort, &note), theme.dim), pane::row(inside, 0));
    if listing.visible().is_empty() {
        if empty::is_first_read(state) {
            shapes::draw(frame, body, &columns, theme);
        } else {
            pane::say(frame, body, &empty::words(state, theme));
        }
        if is_focused && !listing.is_typing() {
            frame.set_cursor_position((body.x.saturating_add(1), body.y));
        }
        return;
    }
    for (y, at) in (body.y..).zip(shown.clone()) {
        let line_area = Rect { y, height: 1, ..body };
        let Some((slot, row)) = listing.at(at) else {
            if let Some(more) = &more {
                frame.render_widget(more, line_area);
            }
            continue;
        };
        let is_cursor = at == listing.cursor;
        frame.render_widget(row::line(slot, row, is_cursor, &columns, state, theme), line_area);
        if is_cursor {
            pane::select(frame, line_area, is_focused && !listing.is_typing(), theme);
        }
    }
    pane::scrollbar(frame, area, shown.start, shown.len(), rows, theme);
}

/// How far the read of the whole folder is, for the heading; what stops it, where there is no room for both.
fn reading_note(state: &State, cells: usize) -> String {
    const NAME: usize = 5;
    let count = figures::grouped(u64::try_from(state.desk.listing.whole_count()).unwrap_or(u64::MAX));
    let stops = format!("{} stops", keys::key(state, Action::Back));
    let note = format!("  reading all: {count}, {stops}");
    if NAME + width(&note) <= cells { note } else { format!(" reading, {stops}") }
}

/// What stands below the last loaded row while the folder is not read to its end.
fn more<'a>(state: &State, theme: &Theme) -> Option<Line<'a>> {
    let listing = &state.desk.listing;
    if let Some(error) = listing.problem() {
        let again = keys::key(state, Action::Refresh);
        let text = format!("    The rest was not read: {}  {again} tries again", visible(&error.message));
        return Some(Line::styled(text, theme.error));
    }
    match listing.stage {
        Stage::Partial if listing.next.is_some() || listing.reading_whole().is_some() => {
            Some(Line::styled("    reading more …", theme.dim))
        }
        Stage::Partial => {
            let rest = keys::key(state, Action::MoveBottom);
            Some(Line::styled(format!("    The rest is not read: {rest} reads it"), theme.warn))
        }
        _ => None,
    }
}

fn draw_filter(frame: &mut Frame<'_>, area: Rect, filter: &Filter, theme: &Theme) {
    let room = usize::from(area.width).saturating_sub(5);
    let scroll = filter.input.scroll(room);
    let typed = visible(filter.input.text());
    let skipped = take(&typed, scroll).len();
    let shown = truncate(typed.get(skipped..).unwrap_or_default(), room).into_owned();
    let style = if filter.editing { theme.input_focused } else { theme.matched };
    let shown = if filter.editing { left(&shown, room) } else { shown };
    let line = Line::from(vec![Span::styled(" / ", theme.cursor), Span::styled(shown, style)]);
    frame.render_widget(line, area);
    if filter.editing {
        let before = filter.input.cursor_cells().saturating_sub(scroll).min(room);
        let x = area.x.saturating_add(3).saturating_add(u16::try_from(before).unwrap_or(0));
        frame.set_cursor_position((x, area.y));
    }
}
