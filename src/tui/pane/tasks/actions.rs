//! The actions of the tasks view, most of them on the task under the cursor.

use super::{address_map, service_task, task_details, update};
use crate::api::{AdvicePlace, Error};
use crate::engine::batch::{Batch, BatchState};
use crate::engine::job::{JobKind, Pool};
use crate::engine::queue_view::JobState;
use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::lack;
use crate::tui::pane::action_row::{ActionRow, Availability, Refusal};
use crate::tui::pane::other_account;
use crate::tui::state::{State, TaskRow};

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Open => ActionRow::run(task_details::open).when(has_row),
        Action::Unfold => ActionRow::run(update::unfold).on_rows(has_row),
        Action::CopyTaskId => ActionRow::run(service_task::copy_id).on_rows(has_row),
        Action::Fold => ActionRow::run(update::turn).on_rows(has_items),
        Action::CancelTask => ActionRow::run(update::cancel).on_rows(can_cancel),
        Action::PauseTask => ActionRow::run(update::pause).on_rows(is_live),
        Action::MoveTaskToTop => ActionRow::run(update::sooner).on_rows(is_live),
        Action::RetryTask => ActionRow::run(update::retry).on_rows(can_retry),
        Action::RetryFailed => ActionRow::run(update::retry_failed).when(has_failed),
        Action::PauseQueue => ActionRow::run(update::drain),
        Action::LimitRate => ActionRow::run(update::ask_limit_rate),
        Action::ServiceTask => ActionRow::run(service_task::prompt),
        Action::AddressMap => ActionRow::run(address_map::ask_for_map).on_rows(is_copied),
        Action::NextPane | Action::PreviousPane => {
            ActionRow::run(other_account::cross).when(has_other_account)
        }
        Action::ClearTasks => ActionRow::run(update::clear).when(has_ended),
        _ => return None,
    })
}

fn has_other_account(state: &State, _: Action) -> Availability {
    let sentence = "These are the tasks of the only account on the screen.";
    let has_none = state.mode.other_account().is_none();
    Availability::unless(has_none, "one account only", sentence)
}

fn has_row(state: &State, _: Action) -> Availability {
    let tasks = &state.session.tasks;
    let sentence = if tasks.is_empty() {
        "There are no tasks."
    } else {
        "This item is being read."
    };
    Availability::unless(tasks.selected().is_none(), "no task", sentence)
}

fn has_items(state: &State, action: Action) -> Availability {
    let tasks = &state.session.tasks;
    let batch = tasks.selected_batch();
    let is_single = batch.is_some_and(|batch| !tasks.is_unfolded(batch.id));
    has_row(state, action)
        .and(|| Availability::unless(is_single, "no items", "This task has no list of items."))
}

/// Requires a whole task that has not ended.
fn is_live(state: &State, action: Action) -> Availability {
    let row = state.session.tasks.selected();
    let sentence = match action {
        Action::PauseTask => "Only a whole task can be paused.",
        _ => "Only a whole task can be moved to the top.",
    };
    let is_item = matches!(row, Some(TaskRow::Job(_)));
    let ended = match row {
        Some(TaskRow::Older(_)) => "These tasks ended before this session.",
        _ => "This task has ended.",
    };
    has_row(state, action)
        .and(|| Availability::unless(is_item, "for whole tasks only", sentence))
        .and(|| {
            let is_live = matches!(row, Some(TaskRow::Batch(batch)) if batch.is_live());
            Availability::unless(!is_live, "ended", ended)
        })
        .and(|| {
            let resumes = row.filter(|_| action == Action::PauseTask).and_then(held);
            may_change(state, resumes.is_some_and(|batch| batch.kind.is_change()))
        })
}

fn can_cancel(state: &State, action: Action) -> Availability {
    match state.session.tasks.selected() {
        Some(TaskRow::Job(job)) => match job.state {
            JobState::Running(_) => Availability::unless(
                job.job.kind().pool() == Pool::Edit,
                "running",
                "It is running; a change is never interrupted.",
            ),
            JobState::Waiting => Availability::Yes,
            JobState::Done | JobState::Failed(_) | JobState::Cancelled { .. } => {
                Availability::unless(true, "ended", "This item has ended.")
            }
        },
        _ => is_live(state, action),
    }
}

fn can_retry(state: &State, _: Action) -> Availability {
    let (kind, failure) = match state.session.tasks.selected() {
        Some(TaskRow::Batch(batch)) if batch.can_retry() || is_held(batch) => (
            Some(batch.kind),
            batch.final_failure().filter(|_| !batch.is_cancelled()),
        ),
        Some(TaskRow::Job(job)) if job.can_retry() => (Some(job.job.kind()), job.final_failure()),
        _ => (None, None),
    };
    let sentence = "Only failed, canceled or waiting items can be retried.";
    Availability::unless(kind.is_none(), "not failed", sentence)
        .and(|| may_change(state, kind.is_some_and(JobKind::is_change)))
        .and(|| can_mend(state, kind, failure))
}

/// Requires that the failure is not final. A missing scope is final as long as the token is known to
/// lack it.
fn can_mend(state: &State, kind: Option<JobKind>, failure: Option<&Error>) -> Availability {
    match failure {
        None => Availability::Yes,
        Some(error) if error.scope().is_some() => kind
            .and_then(Capability::of)
            .and_then(|capability| lack(&state.session, capability))
            .map_or(Availability::Yes, Availability::Refused),
        Some(error) => {
            let advice = error.advice(AdvicePlace::Screen).unwrap_or_default();
            let sentence = format!("A retry would fail again. {advice}");
            Availability::unless(true, "would fail again", sentence.trim_end())
        }
    }
}

fn has_failed(state: &State, _: Action) -> Availability {
    let tasks = &state.session.tasks;
    let mut listed = tasks.listed().iter();
    let sentence = if listed.any(|batch| batch.final_failure().is_some()) {
        "A retry would fail again. The details of what failed say why."
    } else if tasks.failed() > 0 {
        "Failed items can be retried once their task has ended."
    } else {
        "Nothing has failed."
    };
    let mut failed = tasks.failed_to_retry().peekable();
    Availability::unless(failed.peek().is_none(), "nothing failed", sentence)
        .and(|| may_change(state, failed.any(|batch| batch.kind.is_change())))
}

fn has_ended(state: &State, _: Action) -> Availability {
    let tasks = &state.session.tasks;
    let has_none = tasks.all().len() <= tasks.totals().unfinished;
    Availability::unless(has_none, "none has ended", "No task has ended.")
}

fn held(row: TaskRow<'_>) -> Option<&Batch> {
    match row {
        TaskRow::Batch(batch) if is_held(batch) => Some(batch),
        _ => None,
    }
}

fn is_held(batch: &Batch) -> bool {
    matches!(batch.state, BatchState::Held(_))
}

/// Requires a whole task of copies that has ended.
fn is_copied(state: &State, action: Action) -> Availability {
    let row = state.session.tasks.selected();
    let is_copy = matches!(row, Some(TaskRow::Batch(batch)) if batch.kind == JobKind::Copy);
    let is_live = matches!(row, Some(TaskRow::Batch(batch)) if batch.is_live());
    has_row(state, action)
        .and(|| {
            let sentence = "Only a task that copies from an account has a map of addresses.";
            Availability::unless(!is_copy, "for copies only", sentence)
        })
        .and(|| {
            let sentence = "The map of addresses is there once the task has ended.";
            Availability::unless(is_live, "not ended", sentence)
        })
}

fn may_change(state: &State, is_change: bool) -> Availability {
    if is_change && state.session.account.read_only {
        Availability::Refused(Refusal::read_only(&state.session.account))
    } else {
        Availability::Yes
    }
}

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::Open,
    Action::Unfold,
    Action::Fold,
    Action::PauseTask,
    Action::CancelTask,
    Action::RetryTask,
    Action::RetryFailed,
    Action::MoveTaskToTop,
    Action::ClearTasks,
    Action::AddressMap,
    Action::ViewFiles,
    Action::ViewLimits,
    Action::ViewActivity,
    Action::PauseQueue,
    Action::LimitRate,
    Action::ToggleTasks,
    Action::Find,
    Action::Palette,
    Action::Quit,
];

/// The actions that the selected task calls for.
pub(crate) fn called_for(state: &State) -> Vec<Action> {
    let tasks = &state.session.tasks;
    let other = state.mode.other_account().map(|_| Action::NextPane);
    let mut actions = vec![Action::Open];
    actions.extend(other);
    match tasks.selected() {
        Some(TaskRow::Batch(batch)) if tasks.is_unfolded(batch.id) => actions.push(Action::Fold),
        Some(TaskRow::Batch(batch)) if batch.can_unfold() => actions.push(Action::Unfold),
        Some(TaskRow::Job(_)) => actions.push(Action::Fold),
        _ => {}
    }
    actions.extend([Action::PauseTask, Action::CancelTask, Action::RetryTask]);
    let ended = tasks.selected_batch().filter(|batch| !batch.is_live());
    let is_copied = ended.is_some_and(|batch| batch.kind == JobKind::Copy);
    actions.extend(is_copied.then_some(Action::AddressMap));
    actions.extend((tasks.totals().unfinished > 1).then_some(Action::MoveTaskToTop));
    actions.push(Action::RetryFailed);
    let is_at_work = tasks.totals().unfinished > 0 || tasks.totals().draining;
    actions.extend(is_at_work.then_some(Action::PauseQueue));
    actions.push(Action::ClearTasks);
    actions
}
