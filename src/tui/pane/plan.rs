//! Requests, tracks and cancels plans of uploads and downloads.

use super::ask::ask;
use crate::api::model::{Access, UploadOptions};
use crate::engine::OpId;
use crate::engine::message::FolderRef;
use crate::engine::plan::Direction;
use crate::engine::question::{PlanCopy, PlanDownload, PlanUpload};
use crate::engine::sending::IntoFolder;
use crate::engine::tree_filter::TreeRules;
use crate::engine::typed_paths::TypedPaths;
use crate::tui::dialog::{Confirm, Dialog, Form, SizeCount};
use crate::tui::state::effect::Effect;
use crate::tui::state::{CopyPlanRead, DownloadPlanRead, Planning, Read, State, UploadPlanRead};

/// Requests the plan of an upload for the dialog on top, which shows that it waits.
pub(crate) fn upload(state: &mut State, upload: PlanUpload) {
    let Some(Dialog::Upload(dialog)) = state.dialogs.last() else {
        return;
    };
    // The engine resolves a typed path, and then replaces `into`.
    let (into, options) = (dialog.into.clone(), Box::new(dialog.options().clone()));
    let op = ask(state, UploadPlanRead, upload);
    begin(
        state,
        op,
        Direction::Up {
            into,
            options,
            asked_at: state.now,
        },
        true,
    );
}

/// Requests the plan of an upload without a dialog. The access of new files is chosen in the plan.
/// The engine resolves `place`, and then replaces `into`.
pub(crate) fn send(state: &mut State, typed: Vec<TypedPaths>, place: IntoFolder, into: FolderRef) {
    give_up_unseen(state);
    let upload = PlanUpload {
        typed,
        into: place,
        name: None,
        unnamed: false,
        rules: TreeRules::default(),
    };
    let options = Box::new(UploadOptions::new(Access::Private).into());
    let op = ask(state, UploadPlanRead, upload);
    begin(
        state,
        op,
        Direction::Up {
            into,
            options,
            asked_at: state.now,
        },
        false,
    );
}

/// Requests the plan of copies. The engine resolves the folder, and then replaces `into`.
pub(crate) fn copy(state: &mut State, copy: PlanCopy, into: FolderRef) {
    give_up_unseen(state);
    let options = Box::new(UploadOptions::new(Access::Private).into());
    let op = ask(state, CopyPlanRead, copy);
    let asked_at = state.now;
    let direction = Direction::Up {
        into,
        options,
        asked_at,
    };
    begin(state, op, direction, false);
}

/// Requests the plan of a download; the dialog that asked, if any, shows that it waits. Without one,
/// only the last key press counts: an earlier one without an answer must not download twice.
pub(crate) fn download(state: &mut State, download: PlanDownload, is_asked_by_dialog: bool) {
    if !is_asked_by_dialog {
        give_up_unseen(state);
    }
    let direction = Direction::Down {
        into: download.into.clone(),
        numbered: true,
    };
    let op = ask(state, DownloadPlanRead, download);
    begin(state, op, direction, is_asked_by_dialog);
}

fn begin(state: &mut State, op: OpId, direction: Direction, is_asked_by_dialog: bool) {
    state.session.plans.insert(
        op,
        Planning {
            direction,
            rows: Vec::new(),
            is_asked_by_dialog,
            awaits_search: false,
        },
    );
    note(state, "Comparing with the folder");
}

/// Returns the form of the dialog on top.
pub(crate) fn form(state: &mut State) -> Option<&mut Form> {
    state.dialogs.last_mut()?.form_mut()
}

/// Shows the progress in the waiting dialog.
pub(crate) fn note(state: &mut State, words: &str) {
    if let Some(form) = form(state) {
        form.note = Some(words.to_owned());
    }
}

/// The request that the dialog on top waits for: a plan, or a check of its input.
pub(crate) fn awaited(state: &State) -> Option<OpId> {
    let asks = state.dialogs.last().is_some_and(is_asker);
    let plans = state
        .session
        .plans
        .iter()
        .filter(|(_, plan)| plan.is_asked_by_dialog)
        .map(|(op, _)| *op);
    let looks = state
        .session
        .ops
        .reads(|read| matches!(read, Read::ReplacementCheck(_) | Read::ImportPlanRead(_)));
    plans.chain(looks).next_back().filter(|_| asks)
}

/// Cancels a plan, or another request that a dialog waits for; anything that still arrives is
/// dropped.
pub(crate) fn give_up(state: &mut State, op: OpId) {
    state.session.plans.remove(&op);
    state.session.ops.end_read(op);
    if let Some(form) = form(state) {
        form.note = None;
    }
    state.effects.push(Effect::Cancel(op));
}

/// Cancels the plans that no dialog waits for.
fn give_up_unseen(state: &mut State) {
    let unseen = state
        .session
        .plans
        .iter()
        .filter(|(_, plan)| !plan.is_asked_by_dialog);
    let unseen: Vec<OpId> = unseen.map(|(op, _)| *op).collect();
    for op in unseen {
        give_up(state, op);
    }
}

/// Closes the dialog on top, and cancels its requests.
pub(crate) fn close_dialog(state: &mut State) {
    if let Some(op) = awaited(state) {
        give_up(state, op);
    }
    state.left_choice = None;
    match state.dialogs.pop() {
        Some(Dialog::Plan(plan)) => give_up(state, plan.op),
        // Its count of folder contents is no longer needed.
        Some(Dialog::Confirm(Confirm {
            size_count: Some(SizeCount { op, .. }),
            ..
        })) => {
            state
                .effects
                .extend(state.session.ops.end_read(op).map(|_| Effect::Cancel(op)));
        }
        _ => {}
    }
}

/// Closes the dialog on top if it is one that asks for a plan or a check.
pub(crate) fn close_asker(state: &mut State) {
    if state.dialogs.last().is_some_and(is_asker) {
        state.dialogs.pop();
    }
}

/// Returns `true` if the dialog can wait for a plan or a check.
fn is_asker(dialog: &Dialog) -> bool {
    matches!(
        dialog,
        Dialog::Upload(_) | Dialog::Prompt(_) | Dialog::Replace(_) | Dialog::Import(_)
    )
}
