//! The first line: which account, where, how much is there, how much of the request budget is left.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::keys::key;
use super::reading;
use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::{Listing, Stage, State, View};
use crate::tui::theme::Theme;
use crate::tui::widget::figures;
use crate::tui::widget::text::{truncate, truncate_start, width};

const WIDE_FROM: u16 = 100;
/// Of an account that is being opened.
const WIDEST_NAME: usize = 20;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let cells = usize::from(area.width);
    let is_wide = area.width >= WIDE_FROM;
    let account = visible(state.desk.account.name());
    let account = truncate(&account, cells / 4);
    let mode = if state.desk.account.read_only { "[ro]" } else { "[rw]" };
    let left_width = width(&account) + mode.len() + 4;
    let right = right_side(state, is_wide);
    let right = truncate(&right, cells.saturating_sub(left_width + 2));
    let room = cells.saturating_sub(left_width + width(&right) + 2);
    let place = place(state);
    let place = truncate_start(&place, room);
    let gap = room.saturating_sub(width(&place)) + 1;
    let mode_style = if state.desk.account.read_only { theme.warn } else { theme.dim };
    let line = Line::from(vec![
        Span::raw(" "),
        Span::styled(account.into_owned(), theme.account),
        Span::raw(" "),
        Span::styled(mode, mode_style),
        Span::raw("  "),
        Span::styled(place.into_owned(), theme.text),
        Span::raw(" ".repeat(gap)),
        Span::styled(right.into_owned(), theme.dim),
    ]);
    frame.render_widget(line.style(theme.header), area);
}

/// `/ > marketing > q3-launch`, or the name of the view.
fn place(state: &State) -> String {
    match state.view {
        View::Files => breadcrumb(&state.desk.listing.place.path),
        View::Tasks => "Tasks".to_owned(),
        View::Limits => "Limits".to_owned(),
        View::Activity => "Activity".to_owned(),
    }
}

fn breadcrumb(path: &str) -> String {
    let path = visible(path);
    path.split('/').filter(|part| !part.is_empty()).fold("/".to_owned(), |line, part| line + " > " + part)
}

fn right_side(state: &State, is_wide: bool) -> String {
    if let Some(switch) = &state.switch {
        let name = visible(switch.source.name());
        let (name, back) = (truncate(&name, WIDEST_NAME), key(state, Action::Back));
        return format!("connecting to {name}..  {back} cancels");
    }
    let mut parts = Vec::new();
    if state.view == View::Files {
        parts.push(counts(&state.desk.listing, is_wide));
    }
    if let Some(budget) = state.desk.budget {
        parts.push(format!("API {}/{}", budget.remaining, budget.max));
    }
    let read_at = match state.view {
        View::Files => state.desk.listing.loaded_at,
        View::Limits => state.desk.limits.properties.loaded_at,
        View::Tasks | View::Activity => None,
    };
    let op = match state.view {
        View::Files => state.desk.listing.pending.map(|pending| pending.op),
        View::Limits => state.desk.limits.properties.loading,
        View::Tasks | View::Activity => None,
    };
    if let Some(wait) = reading::wait(op, state).filter(|_| is_wide) {
        parts.push(format!("reading: {wait}"));
    } else if op.is_some() && read_at.is_some() {
        parts.push("reading..".to_owned());
    } else if let Some(read_at) = read_at.filter(|_| is_wide) {
        parts.push(format!("read {}", figures::time_of_day(read_at, &state.zone)));
    }
    parts.join("  ")
}

/// Only what was counted: `100+ items` while pages are missing.
fn counts(listing: &Listing, is_wide: bool) -> String {
    match listing.stage {
        Stage::Loading => return "loading..".to_owned(),
        Stage::Unread => return String::new(),
        Stage::Failed(_) if listing.loaded_at.is_none() => return String::new(),
        _ => {}
    }
    let more = if listing.is_whole() { "" } else { "+" };
    let loaded = listing.len();
    let noun = if loaded == 1 && more.is_empty() { "item" } else { "items" };
    let marks = &listing.marks;
    let marked = match (marks.is_empty(), is_wide) {
        (true, _) => String::new(),
        (false, true) => format!(", {} marked {}", marks.len(), figures::size(marks.bytes())),
        (false, false) => format!(", {}*", marks.len()),
    };
    if listing.filter.is_some() {
        format!("{} of {loaded}{more} {noun}{marked}", listing.visible().len())
    } else {
        format!("{loaded}{more} {noun}{marked}")
    }
}
