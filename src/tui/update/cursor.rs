//! Moves the cursor of a list by rows, lines of a grid and pages.

use crate::tui::areas::{self, areas};
use crate::tui::keymap::Action;
use crate::tui::pane::activity;
use crate::tui::pane::files::grid;
use crate::tui::pane::files::listing;
use crate::tui::pane::focus;
use crate::tui::pane::limits;
use crate::tui::state::{ListPurpose, Pane, State, View};
use crate::tui::widget::scroll::ListCursor;

/// Moves the cursor of the list with the keys.
pub(super) fn move_cursor(state: &mut State, action: Action) {
    let pane = match state.pane() {
        Pane::Details => focus::list_of_details(state),
        pane => pane,
    };
    match pane {
        Pane::List if action == Action::MoveBottom => {
            state.files.listing.move_to_end();
            listing::whole(state, ListPurpose::End);
        }
        Pane::Limits if state.session.limits.is_scrolling => {
            let page = page_rows(state);
            limits::update::scroll_aside(state, |at, len| stepped(action, at, len, page));
        }
        pane => step(state, pane, action),
    }
}

/// Moves the cursor of a list by a row or a page, in a grid by a line or a page of lines.
pub(super) fn step(state: &mut State, list: Pane, action: Action) {
    let grid = grid::grid(state).filter(|_| list == Pane::List);
    let (across, height) = grid.map_or((1, page_rows(state)), |grid| (grid.across, grid.lines));
    move_in(state, list, |cursor| {
        cursor.walk_to(
            stepped_across(action, *cursor, across, height),
            across,
            height,
        );
    });
}

/// Changes the cursor of a list.
pub(super) fn move_in(state: &mut State, list: Pane, change: impl FnOnce(&mut ListCursor)) {
    match list {
        Pane::Tree => state.files.tree.move_cursor(change),
        Pane::Local => state.local_side.move_cursor(change),
        Pane::List => state.files.listing.move_cursor(change),
        Pane::Comparison => {
            if let Some(comparing) = state.mode.comparing_mut() {
                comparing.list.move_cursor(change);
            }
        }
        Pane::Tasks => state.session.tasks.move_cursor(change),
        Pane::Limits => state.session.limits.move_cursor(change),
        Pane::Activity => state.activity.move_cursor(change),
        Pane::Details => {}
    }
}

fn stepped(action: Action, at: usize, len: usize, page: usize) -> usize {
    let target = match action {
        Action::MoveDown => at.saturating_add(1),
        Action::MoveUp => at.saturating_sub(1),
        Action::MoveTop => 0,
        Action::MoveBottom => usize::MAX,
        Action::HalfPageDown => at.saturating_add((page / 2).max(1)),
        Action::HalfPageUp => at.saturating_sub((page / 2).max(1)),
        Action::PageDown => at.saturating_add(page),
        Action::PageUp => at.saturating_sub(page),
        _ => at,
    };
    target.min(len.saturating_sub(1))
}

/// Like `stepped`, for a list in lines of `across` rows: up and down move by lines, and keep the
/// column as far as the last line has it.
fn stepped_across(action: Action, cursor: ListCursor, across: usize, page: usize) -> usize {
    let (at, line) = (cursor.at(), cursor.in_lines(across));
    match action {
        Action::MoveLeft => at.saturating_sub(1),
        Action::MoveRight => at.saturating_add(1),
        Action::MoveTop | Action::MoveBottom => stepped(action, at, cursor.count(), page),
        _ => {
            let to = stepped(action, line.at(), line.count(), page);
            (at + to * across).saturating_sub(line.at() * across)
        }
    }
}

/// The number of rows on the screen in the focused pane, without its borders and heading.
pub(super) fn page_rows(state: &State) -> usize {
    let pane = areas(state.size, state).map(|areas| match state.view {
        View::Files => {
            let compared = areas.comparison.map(|comparison| comparison.here);
            compared
                .or(areas.list)
                .or(areas.local)
                .unwrap_or(areas.body)
        }
        View::Tasks => areas::tasks(areas.body, state)[0],
        View::Limits => areas::limits(areas.body, state).table,
        View::Activity => activity::draw::parts(areas.body, state)[0],
    });
    pane.map_or(1, |pane| {
        usize::from(pane.height.saturating_sub(areas::AROUND)).max(1)
    })
}
