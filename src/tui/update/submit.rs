//! Starts the tasks that the user sees: each gets an id, a row in the list, and its rows in the panes are marked.

use std::collections::BTreeSet;

use crate::api::text::visible;
use crate::engine::message::Target;
use crate::engine::{OpId, Request};
use crate::tui::message::Effect;
use crate::tui::state::{Level, State, TaskKind};

/// Starts a task; `label` is safe to show.
pub(super) fn task(state: &mut State, kind: TaskKind, label: String, request: Request) -> Effect {
    let op = state.ops.start(kind, label, request.clone(), state.now);
    mark_busy(state);
    Effect::Submit(op, request)
}

/// Marks the rows and folders that live tasks work on; what was read again does not know of them.
pub(super) fn mark_busy(state: &mut State) {
    let busy: Vec<(OpId, BTreeSet<Target>)> = state.ops.live().map(|task| (task.op, targets(&task.request))).collect();
    for (op, targets) in busy {
        state.listing.set_busy(&targets, op);
        for target in targets {
            if let Target::Folder(id) = target
                && let Some(node) = state.tree.find_mut(Some(&id))
            {
                node.moving = Some(op);
            }
        }
    }
}

/// Says why a change is not even tried on a read-only account.
pub(super) fn refuse_change(state: &mut State) {
    let text = format!("{} is read-only: nothing was changed.", visible(&state.account.name));
    state.say(Level::Warn, text);
}

/// Gives back what a task worked on.
pub(super) fn release(state: &mut State, op: OpId) {
    state.listing.release(op);
    state.tree.release(op);
}

/// What a request changes, moves or deletes.
fn targets(request: &Request) -> BTreeSet<Target> {
    match request {
        Request::Delete { targets, .. } => targets.iter().map(|(target, _)| target.clone()).collect(),
        Request::UpdateFiles { changes } => changes.iter().map(|(id, _)| Target::File(id.clone())).collect(),
        Request::UpdateFolder { folder, .. } | Request::WatchFolderUpdate { folder, .. } => {
            [Target::Folder(folder.clone())].into()
        }
        _ => BTreeSet::new(),
    }
}
