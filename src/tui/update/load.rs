//! Requests the content of panes: folders, branches of the tree, details and reports.

use crate::api::Error;
use crate::tui::pane::component::Due;
use crate::tui::pane::files::listing;
use crate::tui::pane::files::opening;
use crate::tui::pane::limits;
use crate::tui::state::effect::Effect;
use crate::tui::state::{Children, ConnectionLoss, CursorIdle, FilesPane, State, Visit};
use crate::tui::update::unsaved_edits;

/// Reads the place that the files pane is at.
pub(super) fn first_screen(state: &mut State) {
    let Visit { of, at } = state.files.visit();
    state.files = FilesPane {
        sort: state.files.sort,
        history: std::mem::take(&mut state.files.history),
        ..FilesPane::default()
    };
    opening::open(state, of, at);
    if let Some(root) = state.files.tree.find_mut(None) {
        root.open = true;
    }
    opening::branch(state, None);
    limits::update::account(state);
}

pub(super) fn start(state: &mut State) {
    first_screen(state);
    state.effects.push(Effect::RememberAccount(
        state.session.account.source.clone(),
    ));
    unsaved_edits::mention(state);
    state.session.tasks.since = Some(state.now);
}

/// Repeats the reads that failed, now that the service is back. The open folder is read again
/// unless the answer that showed this was its own (`is_listed`), or its read is under way.
pub(super) fn again_after_return(state: &mut State, is_listed: bool) {
    state.files.previews.forget_lost();
    state.files.cursor_idle = CursorIdle::default();
    if !is_listed && state.files.listing.pending.is_none() {
        listing::refresh(state);
    }
    lost_limits(state);
    let is_lost = |error: &Error| ConnectionLoss::of(error.kind).is_some();
    let nodes = state.files.tree.nodes.iter();
    let failed =
        nodes.filter(|node| matches!(&node.children, Children::Failed(error) if is_lost(error)));
    let failed: Vec<_> = failed.map(|node| node.place.id.clone()).collect();
    for id in failed {
        opening::branch(state, id.as_ref());
    }
}

/// The next try to reach a lost service.
pub(super) fn due(state: &State) -> Option<Due> {
    let next_try = state.session.connection.next_try();
    Due::new(next_try.filter(|_| !state.session.ops.is_busy()), |state| {
        listing::refresh(state);
        lost_limits(state);
    })
}

/// Reads the limits again if the connection was lost; a refusal would only be repeated.
fn lost_limits(state: &mut State) {
    let problems = state.session.limits.book.problems();
    let is_lost = problems
        .iter()
        .any(|(_, error)| ConnectionLoss::of(error.kind).is_some());
    if is_lost {
        limits::update::account(state);
    }
}
