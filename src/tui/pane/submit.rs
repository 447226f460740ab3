//! Adds jobs to the queue, as one batch; their targets are marked as busy in the panes at once.

use super::ask::{OnAnswer, ask};
use super::kept_local_file::{behind, left, stays_at};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::batch::label;
use crate::engine::message::Target;
use crate::engine::question::AddJobs;
use crate::engine::{BatchId, Job, OpId};
use crate::tui::state::{MessageLevel, QueueRead, Reverse, State};

/// Submits jobs as one batch. Jobs that are refused beforehand are reported; without jobs nothing
/// happens.
pub(crate) fn jobs(state: &mut State, jobs: Vec<Job>) {
    batch(state, jobs, None, Vec::new());
}

/// Like `jobs`, with the jobs that undo them and the deletions that follow them.
fn batch(state: &mut State, jobs: Vec<Job>, reverse: Option<Reverse>, deletions: Vec<Job>) {
    if let Some((level, why)) = refusal(state, &jobs) {
        return state.say(level, why);
    }
    let Some(first) = jobs.first() else { return };
    let label = label(&jobs, &state.session.account.journal_name);
    let what = format!("{} failed, {label}", first.kind().noun());
    let what = match left(first) {
        Some(path) => behind(&what, &stays_at(state, path)),
        None => what,
    };
    let targets: Vec<Target> = jobs.iter().filter_map(Job::target).collect();
    let on = state.files.listing.current().map(|row| row.target.clone());
    let op = ask(
        state,
        QueueRead {
            what,
            on,
            reverse,
            deletions,
        },
        AddJobs(jobs),
    );
    state.session.tasks.busy.ask(op, targets);
}

/// The reason that jobs cannot even be submitted, as a sentence: the account is closed or
/// read-only.
pub(crate) fn refusal(state: &State, jobs: &[Job]) -> Option<(MessageLevel, String)> {
    let name = visible(state.session.account.name());
    if state.session.is_closed {
        return Some((
            MessageLevel::Error,
            format!("Nothing was sent: {name} is not open."),
        ));
    }
    let is_change = jobs.iter().any(|job| job.kind().is_change());
    (state.session.account.read_only && is_change).then(|| (MessageLevel::Warn, read_only(state)))
}

/// Submits jobs as two batches: those that end with their answer, and those that the service
/// performs in its own time. `reverse` has the jobs that undo them. In a batch that also brings
/// files, deletions wait until all files have arrived, so that nothing is lost.
pub(crate) fn by_road(state: &mut State, all: Vec<Job>, reverse: Vec<Job>) {
    let by_road = |all: Vec<Job>| {
        all.into_iter()
            .partition::<Vec<_>, _>(|job| job.kind().is_remote())
    };
    let ((remote, others), (remote_reverse, others_reverse)) = (by_road(all), by_road(reverse));
    let key = state.session.undo.mint_key();
    for (jobs, reverse) in [(others, others_reverse), (remote, remote_reverse)] {
        let (deletions, brought) = jobs
            .into_iter()
            .partition::<Vec<_>, _>(|job| job.kind().is_deletion());
        let reverse = Some(Reverse { key, jobs: reverse });
        if brought.is_empty() {
            batch(state, deletions, reverse, Vec::new());
        } else {
            batch(state, brought, reverse, deletions);
        }
    }
}

pub(crate) fn refuse_change(state: &mut State) {
    let text = read_only(state);
    state.say(MessageLevel::Warn, text);
}

fn read_only(state: &State) -> String {
    format!(
        "{} is read-only: nothing was changed.",
        visible(state.session.account.name())
    )
}

impl OnAnswer for QueueRead {
    type Question = AddJobs;

    fn answered(self, state: &mut State, op: OpId, answer: BatchId) {
        state.session.tasks.busy.queued(op, answer);
        state.session.tasks.asked_on.insert(answer, self.on);
        if !self.deletions.is_empty() {
            state.session.tasks.deletions.insert(answer, self.deletions);
        }
        if let Some(Reverse { key, jobs }) = self.reverse {
            state.session.undo.queued(answer, key, jobs);
        }
    }

    fn failed(self, state: &mut State, op: OpId, error: &Error) {
        state.session.tasks.busy.refused(op);
        state.say_failed(&self.what, error);
    }
}
