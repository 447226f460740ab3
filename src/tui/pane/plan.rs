//! Requests, tracks and cancels plans of uploads and downloads.

use super::ask::ask;
use crate::api::model::{Access, UploadOptions};
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::message::FolderRef;
use crate::engine::plan::{Direction, PlanRow, PlanSource};
use crate::engine::question::{PlanCopy, PlanDownload, PlanUpload};
use crate::engine::tree_filter::TreeRules;
use crate::engine::typed_paths::TypedPaths;
use crate::tui::dialog::{Confirm, Dialog, Form, Plan, PlanSides, SizeCount};
use crate::tui::state::effect::Effect;
use crate::tui::state::{
    CopyPlanRead, DownloadPlanRead, MessageLevel, Planning, Read, State, UploadPlanRead,
};

/// Requests the plan of an upload for the dialog on top, which shows that it waits.
pub(crate) fn upload(state: &mut State, upload: PlanUpload) {
    let Some(Dialog::Upload(dialog)) = state.dialogs.last() else {
        return;
    };
    // The engine resolves a typed path, and then replaces `into`.
    let (into, options) = (dialog.into.clone(), Box::new(dialog.options().clone()));
    let op = ask(state, UploadPlanRead, upload);
    let direction = Direction::Up {
        into,
        options,
        asked_at: state.now,
    };
    let is_asked_by_dialog = true;
    let planning = Planning {
        is_asked_by_dialog,
        ..Planning::new(direction)
    };
    begin(state, op, planning);
}

/// Requests the plan of an upload without a dialog. The access of new files is chosen in the plan.
/// The engine finds the folder, which need not exist yet.
pub(crate) fn send(state: &mut State, typed: Vec<TypedPaths>, into: FolderRef) {
    give_up_unseen(state);
    let upload = PlanUpload {
        typed,
        into: into.clone().into(),
        name: None,
        unnamed: false,
        rules: TreeRules::default(),
    };
    let op = ask(state, UploadPlanRead, upload);
    let planning = into_account(state, into);
    begin(state, op, planning);
}

/// Requests the plan of copies from another account, whose name is safe to show.
pub(crate) fn copy(state: &mut State, copy: PlanCopy, source: String, into: FolderRef) {
    give_up_unseen(state);
    let op = ask(state, CopyPlanRead, copy);
    let planning = Planning {
        source: Some(source),
        ..into_account(state, into)
    };
    begin(state, op, planning);
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
    let planning = Planning {
        is_asked_by_dialog,
        ..Planning::new(direction)
    };
    begin(state, op, planning);
}

fn begin(state: &mut State, op: OpId, planning: Planning) {
    state.session.plans.insert(op, planning);
    note(state, "Comparing with the folder");
}

/// Returns a plan that brings new files into a folder of the account, to be filled.
fn into_account(state: &State, into: FolderRef) -> Planning {
    let options = Box::new(UploadOptions::new(Access::Private).into());
    Planning::new(Direction::Up {
        into,
        options,
        asked_at: state.now,
    })
}

/// Creates the dialog of a complete plan for the account of the session.
pub(crate) fn dialog(state: &State, op: OpId, planning: Planning, room: Option<u64>) -> Plan {
    let Planning {
        direction, rows, ..
    } = planning;
    let now = match &direction {
        Direction::Up { .. } => state.service_now().timestamp(),
        Direction::Down { .. } => state.now,
    };
    let folder = rows.iter().find_map(source_folder).unwrap_or_default();
    let plan = Plan::new(op, rows, direction, room, now);
    let Some(from) = planning.source else {
        return plan;
    };
    let account = &state.session.account;
    plan.between(PlanSides {
        from,
        folder,
        to: visible(account.name()).into_owned(),
        is_production: account.production,
    })
}

/// Returns the folder of an account that the names of copies start from; safe to show.
fn source_folder(row: &PlanRow) -> Option<String> {
    let PlanSource::Copy(copy) = &row.source else {
        return None;
    };
    let path = &copy.source.file.path;
    let folder = path.strip_suffix(&row.name).unwrap_or(path);
    let is_root = folder.len() <= 1;
    let folder = if is_root {
        "/"
    } else {
        folder.trim_end_matches('/')
    };
    Some(visible(folder).into_owned())
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

/// Cancels the plans that were asked for by a key, of both accounts on the screen. Returns `true` if
/// there was one.
pub(crate) fn cancel_unseen(state: &mut State) -> bool {
    let other = state.mode.other_account().map(|other| other.session);
    let mut is_canceled = false;
    for session in [Some(state.session.id()), other].into_iter().flatten() {
        state.with_session(session, |state| {
            let Some(planning) = state
                .session
                .plans
                .values()
                .find(|it| !it.is_asked_by_dialog)
            else {
                return;
            };
            let text = format!("{}: canceled.", planning.nothing_done());
            give_up_unseen(state);
            state.say(MessageLevel::Info, text);
            is_canceled = true;
        });
    }
    is_canceled
}

/// Closes the dialog on top, and cancels its requests.
pub(crate) fn close_dialog(state: &mut State) {
    if let Some(op) = awaited(state) {
        give_up(state, op);
    }
    state.left_choice = None;
    match state.dialogs.pop() {
        Some(Dialog::Plan(plan)) => {
            state.with_session(plan.op.session, |state| give_up(state, plan.op));
        }
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
