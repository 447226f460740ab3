//! The messages at the end of tasks: a single job gets its own words, several share one line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::SignedDuration;

use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::batch::Batch;
use crate::engine::job::JobKind;
use crate::engine::message::Settled;
use crate::engine::{Job, Outcome};
use crate::tui::keymap::Action;
use crate::tui::pane::files::listing;
use crate::tui::pane::kept_local_file::{behind, left, stays_at};
use crate::tui::pane::submit;
use crate::tui::state::effect::Effect;
use crate::tui::state::{BatchTally, MessageLevel, State, Tasks, last_part};
use crate::tui::style::symbols::BETWEEN;
use crate::tui::update::unsaved_edits;
use crate::tui::widget::figures;
use crate::tui::widget::text::lower_first;
use crate::tui::wording::{progress, task};

/// The duration from which a notification is sent, because few users watch a task for longer.
const LONG: SignedDuration = SignedDuration::from_secs(10);

enum EndMessage {
    Well(String),
    Cancelled(String),
    /// The failed work, the local file if it was a replacement, and the error.
    Failed(String, Option<PathBuf>, Error),
}

impl EndMessage {
    fn each(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Well(text) => Self::Well(change(&text)),
            Self::Cancelled(text) => Self::Cancelled(change(&text)),
            Self::Failed(what, path, error) => Self::Failed(change(&what), path, error),
        }
    }

    /// Notifies a user who is looking elsewhere, if the work took long and was not canceled.
    fn notify(&self, state: &mut State, batch: &Batch) {
        let took = batch
            .started_at
            .zip(batch.ended_at)
            .map(|(from, to)| to.duration_since(from));
        let words = match self {
            Self::Well(text) => text,
            Self::Failed(what, ..) => what,
            Self::Cancelled(_) => return,
        };
        if state.notify && took >= Some(LONG) {
            let words = state.with_account(words.clone());
            state.effects.push(Effect::Notify(words));
        }
    }

    /// Shows the message; that of a failure names the keys that retry the task.
    fn say(self, state: &mut State) {
        match self {
            Self::Well(text) => state.say(MessageLevel::Info, text),
            Self::Cancelled(text) => state.say(MessageLevel::Warn, text),
            Self::Failed(what, Some(path), error) => {
                let what = behind(&what, &stays_at(state, &path));
                state.say_task_failed(&what, &error);
            }
            Self::Failed(what, None, error) => state.say_task_failed(&what, &error),
        }
    }
}

/// Reports the end of a task, and reads the open folder again if the task has changed it.
pub(super) fn ended(state: &mut State, batch: &Arc<Batch>) {
    let message = remove_batch(&mut state.session.tasks, batch)
        .each(|text| task::short(batch.kind, text, state));
    let renamed = state.files.listing.seek.as_ref();
    let is_rename = matches!(batch.kind, JobKind::Rename | JobKind::RenameFolder);
    let message = match renamed {
        Some(target) if is_rename && state.files.listing.hides(target) => {
            message.each(|text| format!("{text}, hidden by the filter"))
        }
        _ => message,
    };
    let next = match batch.kind {
        _ if state.session.undo.ended(batch.id) => Some((Action::Undo, "undoes it")),
        JobKind::Purge => Some((Action::Deletions, "shows the receipt")),
        _ => None,
    };
    let next = next.and_then(|(action, does)| {
        let key = state.keymap.key_of(state.context(), action)?;
        Some(format!("{BETWEEN} {key} {does}"))
    });
    if state.files.listing.touched.remove(&batch.id) {
        listing::reconcile(state);
    }
    message.notify(state, batch);
    match (message, next) {
        (EndMessage::Well(text), Some(next)) => state.say_then(MessageLevel::Info, text, next),
        (message, _) => message.say(state),
    }
    if batch.kind.is_change() {
        state.session.folder_totals.expire();
    }
    if matches!(batch.kind, JobKind::Download | JobKind::DeleteLocal) {
        state.local_side.is_stale = true;
    }
    // An edited text whose upload was canceled is mentioned nowhere else.
    if batch.kind == JobKind::Replace && batch.is_cancelled() {
        unsaved_edits::mention(state);
    }
    delete_after(state, batch);
}

/// Submits the deletions that waited for everything in the batch to succeed.
fn delete_after(state: &mut State, batch: &Batch) {
    let Some(jobs) = state.session.tasks.deletions.remove(&batch.id) else {
        return;
    };
    if batch.is_cancelled() || batch.has_failed() {
        return state.say(
            MessageLevel::Warn,
            "Nothing was deleted, because not all of the rest succeeded.",
        );
    }
    submit::jobs(state, jobs);
}

/// Removes an ended batch from the bookkeeping, and returns the message about it.
fn remove_batch(tasks: &mut Tasks, batch: &Arc<Batch>) -> EndMessage {
    tasks.end(batch);
    tasks.busy.ended(batch.id);
    tasks.causes.remove(&batch.id);
    tasks.asked_on.remove(&batch.id);
    let tally = tasks.tallies.remove(&batch.id).unwrap_or_default();
    let is_undo = tally
        .last
        .as_ref()
        .is_some_and(|settled| settled.job.is_undo());
    let end = match (&tally.last, &batch.failure) {
        _ if batch.is_cancelled() => cancelled(batch),
        (Some(settled), _) if batch.counts.total == 1 => single(batch, settled, tally.present > 0),
        (_, Some((_, error))) if batch.has_failed() => {
            let what = format!(
                "{} of {}: {} of {} failed",
                batch.kind.noun(),
                batch.label,
                figures::number(batch.counts.failed),
                figures::number(batch.counts.total),
            );
            EndMessage::Failed(what, None, error.clone())
        }
        _ => EndMessage::Well(well(batch, &tally)),
    };
    match end {
        EndMessage::Well(text) if is_undo => {
            EndMessage::Well(format!("Undone: {}", lower_first(&text)))
        }
        end => end,
    }
}

fn cancelled(batch: &Batch) -> EndMessage {
    let (kind, counts) = (batch.kind, batch.counts);
    if progress::is_unwatched(batch) {
        return EndMessage::Well(format!(
            "Stopped watching {}: the service continues with it.",
            batch.label
        ));
    }
    if counts.total == 1 {
        let is_sent = kind.is_upload() && batch.started_at.is_some();
        let lasting = if is_sent {
            ". It may exist anyway."
        } else {
            ""
        };
        let noun = kind.noun().to_lowercase();
        return EndMessage::Well(format!("Canceled {noun}: {}{lasting}", batch.label));
    }
    let lasting = if counts.done > 0 || kind.is_upload() {
        kind.after_cancelling()
    } else {
        ""
    };
    let failed = if counts.failed > 0 {
        format!(", {} failed", figures::number(counts.failed))
    } else {
        String::new()
    };
    // A change under way is finished; a transfer may be cut short.
    let left = if kind.is_transfer() {
        "not done"
    } else {
        "not begun"
    };
    EndMessage::Cancelled(format!(
        "Canceled {}: {} of {} done{failed}, {} {left}.{lasting}",
        kind.noun().to_lowercase(),
        figures::number(counts.done),
        figures::count(counts.total, "item"),
        figures::number(counts.cancelled),
    ))
}

fn well(batch: &Batch, tally: &BatchTally) -> String {
    let label = &batch.label;
    let text = match batch.kind {
        JobKind::Download => format!("Downloaded {label} ({})", figures::size(batch.bytes.done)),
        JobKind::Purge => format!("Permanently deleted {label}, erased within 7 days"),
        kind => format!("{} {label}", kind.past()),
    };
    let present = match tally.present {
        0 => String::new(),
        present => format!(
            ", {} of them existed with the same content",
            figures::number(present)
        ),
    };
    let missing = match tally.missing {
        0 => String::new(),
        missing => format!(
            ". Not all files deleted with {} are known",
            figures::count(missing, "folder")
        ),
    };
    text + &present + &missing
}

fn single(batch: &Batch, settled: &Settled, was_present: bool) -> EndMessage {
    let job = &settled.job;
    let is_copy = batch.kind == JobKind::Copy;
    let result = match &settled.result {
        Ok(outcome) if is_copy && !was_present => Ok(copied(batch, job, outcome)),
        Ok(outcome) => words(&settled.job, outcome, was_present)
            .ok_or_else(|| Error::new(Kind::Internal, "The answer does not fit the request.")),
        Err(error) => Err(error.clone()),
    };
    match result {
        Ok(text) => EndMessage::Well(text),
        Err(error) => {
            let what = format!("{} failed, {}", batch.kind.noun(), batch.label);
            EndMessage::Failed(what, left(job).map(Path::to_owned), error)
        }
    }
}

/// A copy in words, with the name that it got if that is another one.
fn copied(batch: &Batch, job: &Job, outcome: &Outcome) -> String {
    let label = &batch.label;
    match outcome {
        Outcome::Replaced(_) => format!("Copied {label}, in place of the former content."),
        Outcome::Uploaded { file, .. } if file.full_name() != job.subject() => {
            format!("Copied {label}, as {}.", visible(&file.full_name()))
        }
        _ => format!("Copied {label}"),
    }
}

/// The result of a job in words; `None` if the job cannot have this outcome.
fn words(job: &Job, outcome: &Outcome, was_present: bool) -> Option<String> {
    let label = job.label();
    Some(match outcome {
        Outcome::Present(file) => {
            let path = file.path.clone().unwrap_or_else(|| file.full_name());
            format!("{} exists with the same content.", visible(&path))
        }
        Outcome::Uploaded { file, .. } | Outcome::Imported(file) => {
            let path = file.path.clone().unwrap_or_else(|| file.full_name());
            if was_present {
                let past = job.kind().past().to_lowercase();
                return Some(format!(
                    "Nothing was {past}: the same content exists at {}.",
                    visible(&path)
                ));
            }
            let done = format!("{} {}", job.kind().past(), visible(&path));
            match sent_name(job).filter(|sent| *sent != file.full_name()) {
                Some(sent) => format!("{done}. The service changed the name {}.", visible(sent)),
                None => done,
            }
        }
        Outcome::Downloaded { path, bytes, .. } => {
            format!(
                "Downloaded {} → {} ({}).",
                job.origin(),
                visible(&path.to_string_lossy()),
                figures::size(*bytes)
            )
        }
        Outcome::Deleted { .. } if job.kind() == JobKind::Purge => {
            format!("Permanently deleted {label}, erased within 7 days")
        }
        Outcome::Deleted { .. } => match outcome.missing() {
            Some(why) => format!(
                "Deleted {label}. Not all files that went with it are known: {}",
                visible(why)
            ),
            None => format!("Deleted {label}"),
        },
        Outcome::Replaced(_)
        | Outcome::LocalFolderCreated(_)
        | Outcome::LocalFileDeleted(_)
        | Outcome::FolderCreated(_)
        | Outcome::FolderUpdated(_)
        | Outcome::FileUpdated(_) => format!("{} {label}", job.kind().past()),
    })
}

fn sent_name(job: &Job) -> Option<&str> {
    match job {
        Job::Upload { source, name, .. } => match name {
            // It may lie in folders that the upload creates.
            Some(path) => Some(last_part(path)),
            None => source.name(),
        },
        _ => None,
    }
}
