//! Handles the parts of a plan as they arrive: first its rows, which open or submit it, then files
//! elsewhere with the same content.

use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::plan::{Direction, Existing, PlanEvent, PlanRow, PlanSource, jobs};
use crate::engine::question::{PlanCopy, PlanDownload, PlanUpload, Planned};
use crate::tui::dialog::{Dialog, Plan};
use crate::tui::pane::ask::OnAnswer;
use crate::tui::pane::{plan, submit};
use crate::tui::state::{
    CopyPlanRead, DownloadPlanRead, MessageLevel, Planning, State, UploadPlanRead,
};
use crate::tui::widget::figures;

pub(super) fn news(state: &mut State, op: OpId, news: PlanEvent) {
    match news {
        PlanEvent::Into(place) => {
            if let Some(Direction::Up { into, .. }) = direction(state, op) {
                *into = place;
            }
        }
        PlanEvent::Rows(rows) => {
            if let Some(planning) = state.session.plans.get_mut(&op) {
                planning.rows.extend(rows);
            }
        }
        PlanEvent::Complete { room } => complete(state, op, room),
        PlanEvent::IntoLocal(folder) => {
            if let Some(Direction::Down { into, .. }) = direction(state, op) {
                *into = folder;
            }
        }
        PlanEvent::Elsewhere(found) => {
            if let Some(planning) = awaiting_search(state, op) {
                open(state, op, planning, None);
            }
            if let Some(plan) = shown(state, op) {
                plan.elsewhere(found);
            }
        }
    }
}

fn direction(state: &mut State, op: OpId) -> Option<&mut Direction> {
    let planning = state.session.plans.get_mut(&op)?;
    Some(&mut planning.direction)
}

pub(super) fn found(state: &mut State, op: OpId, files: usize, bytes: u64) {
    if state.session.plans.contains_key(&op) && plan::awaited(state) == Some(op) {
        let words = format!(
            "Looking: {}, {}",
            figures::count(files, "file"),
            figures::size(bytes)
        );
        plan::note(state, &words);
    }
}

/// Opens the complete plan. One that needs no review is submitted at once, as is a download while a
/// dialog or text field is in use, since it takes nothing away.
fn complete(state: &mut State, op: OpId, room: Option<u64>) {
    let Some(planning) = state.session.plans.remove(&op) else {
        return;
    };
    let (rows, direction) = (&planning.rows, &planning.direction);
    let is_upload = matches!(direction, Direction::Up { .. });
    if planning.is_asked_by_dialog {
        if let Some(form) = plan::form(state) {
            form.note = None;
        }
        if rows.is_empty() {
            refuse(state, "Everything in it exists already.".to_owned());
            return plan::give_up(state, op);
        }
    } else if is_upload && rows.is_empty() {
        let text = match &planning.source {
            Some(source) => format!("Nothing to copy: everything from {source} is there already."),
            None => "Nothing to upload: everything in it exists already.".to_owned(),
        };
        state.say(MessageLevel::Info, text);
        return plan::give_up(state, op);
    }
    let is_busy = !planning.is_asked_by_dialog && (!state.dialogs.is_empty() || state.is_typing());
    let going: u64 = rows.iter().filter_map(|row| row.size).sum();
    let fits = room.is_none_or(|room| going <= room);
    // No dialog has asked for the access of new files yet, so the plan has to.
    let needs_look = is_upload && !planning.is_asked_by_dialog;
    if needs_look && is_busy {
        state.say(
            MessageLevel::Warn,
            format!(
                "{}: something else was opened before the plan was there.",
                planning.nothing_done()
            ),
        );
        return plan::give_up(state, op);
    }
    if fits && !needs_look && (is_plain(rows) || is_busy) {
        if !is_upload {
            return submit_at_once(state, op, &planning);
        }
        plan::note(state, "Searching for the same content elsewhere");
        let awaits_search = true;
        let planning = Planning {
            awaits_search,
            ..planning
        };
        state.session.plans.insert(op, planning);
        return;
    }
    if is_busy {
        return state.say(
            MessageLevel::Warn,
            "Not downloaded: the disk has too little space.",
        );
    }
    open(state, op, planning, room);
}

fn submit_at_once(state: &mut State, op: OpId, planning: &Planning) {
    if planning.is_asked_by_dialog {
        plan::close_asker(state);
    }
    let (rows, direction) = (&planning.rows, &planning.direction);
    let choices = rows
        .iter()
        .filter_map(|row| Some((row, *row.choices(direction).first()?)));
    let jobs = jobs(choices, direction);
    state.files.listing.clear_marks();
    submit::jobs(state, jobs);
    plan::give_up(state, op);
}

fn open(state: &mut State, op: OpId, planning: Planning, room: Option<u64>) {
    let plan = plan::dialog(state, op, planning, room);
    // The hint said that the plan was being made.
    state.status.clear_hint();
    state.dialogs.push(Dialog::Plan(plan));
}

/// Takes a plan out that waits for the search for the same content.
fn awaiting_search(state: &mut State, op: OpId) -> Option<Planning> {
    if !state.session.plans.get(&op)?.awaits_search {
        return None;
    }
    state.session.plans.remove(&op)
}

/// Returns `true` for a single file that meets no existing one, and needs no folder of this machine
/// to be created.
fn is_plain(rows: &[PlanRow]) -> bool {
    let [row] = rows else { return false };
    let is_new = match (&row.source, &row.there) {
        (PlanSource::Local(_), Existing::Nothing { .. }) => true,
        (PlanSource::Remote(_), Existing::Nothing { new_folder }) => new_folder.is_none(),
        _ => false,
    };
    is_new && row.warning.is_none()
}

/// Ends the search for the same content elsewhere; `not_looked_for` is `None` if it failed.
fn ended(state: &mut State, op: OpId, not_looked_for: Option<usize>) {
    if let Some(planning) = awaiting_search(state, op) {
        return submit_at_once(state, op, &planning);
    }
    if let Some(plan) = shown(state, op) {
        plan.looked(not_looked_for);
    }
}

/// Handles a failure: the dialog that asked shows the reason and stays open.
fn failed(state: &mut State, op: OpId, error: &Error) {
    let plans = &mut state.session.plans;
    let planning = match plans.remove(&op) {
        Some(planning) if !planning.awaits_search => planning,
        complete => {
            plans.extend(complete.map(|planning| (op, planning)));
            return ended(state, op, None);
        }
    };
    if planning.is_asked_by_dialog {
        refuse(state, visible(&error.message).into_owned());
    } else {
        state.say_failed(&planning.nothing_done(), error);
    }
}

/// Shows the problem under the field with the paths.
fn refuse(state: &mut State, problem: String) {
    if let Some(form) = plan::form(state) {
        form.note = None;
        form.refuse(0, problem);
    }
}

fn shown(state: &mut State, op: OpId) -> Option<&mut Plan> {
    state.dialogs.iter_mut().find_map(|dialog| match dialog {
        Dialog::Plan(plan) if plan.op == op => Some(plan),
        _ => None,
    })
}

macro_rules! on_planned {
    ($($read:ident: $question:ident),*) => {
        $(impl OnAnswer for $read {
            type Question = $question;

            fn answered(self, state: &mut State, op: OpId, answer: Planned) {
                ended(state, op, Some(answer.not_looked_for));
            }

            fn failed(self, state: &mut State, op: OpId, error: &Error) {
                failed(state, op, error);
            }
        })*
    };
}
on_planned!(UploadPlanRead: PlanUpload, CopyPlanRead: PlanCopy, DownloadPlanRead: PlanDownload);
