//! What was asked for at once: jobs that are shown, paused and cancelled together. Plain data, as the queue reports it.

use jiff::Timestamp;

use super::item::what;
use super::job::{Job, JobKind};
use super::wait::WaitReason;
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::api::text::visible;

/// Names a batch in the journal, through all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchId(pub i64);

/// Names a job of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId {
    pub batch: BatchId,
    /// Its place in the batch as it was asked for.
    pub number: u32,
}

/// The position of a row, whatever is there at the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPlace {
    pub batch: BatchId,
    /// So many rows below the batch's own: none is that row itself.
    pub below: usize,
}

/// A batch as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub id: BatchId,
    /// That of its first job.
    pub kind: JobKind,
    /// Safe to show.
    pub label: String,
    pub state: BatchState,
    pub counts: Counts,
    /// Of so many of its jobs more is known than the count: what earlier runs have done is only counted.
    pub listed: usize,
    /// Whether its jobs are listed below it.
    pub unfolded: bool,
    pub bytes: Bytes,
    /// Some of the jobs that are under way, in the order of the batch.
    pub running: Vec<RunningJob>,
    /// The last one that failed: what it worked on, safe to show, and why.
    pub failure: Option<(String, Error)>,
    pub asked_at: Timestamp,
    /// When the first of its jobs left the queue.
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum BatchState {
    /// Waits for its turn.
    Queued,
    Running,
    /// Nothing more of it is begun for now.
    Held(Hold),
    /// All that was to be done of it is done, failed or cancelled.
    Ended,
}

/// Why a batch is held.
#[derive(Debug, Clone, PartialEq)]
pub enum Hold {
    Paused,
    /// An earlier run was cut short, and what is left of it changes or deletes something, or a script asked for it.
    Restarted,
    /// All of its jobs would fail for this reason. Without a time it waits to be resumed.
    Cause {
        error: Error,
        until: Option<Timestamp>,
    },
}

/// Jobs of a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub total: usize,
    pub running: usize,
    pub done: usize,
    pub failed: usize,
    /// Not begun, or given up, because the batch was cancelled.
    pub cancelled: usize,
}

/// Bytes of a batch's transfers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Moved so far; what failed does not count.
    pub done: u64,
    /// Of how many; none where that is not known.
    pub total: Option<u64>,
}

/// A job that is under way.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningJob {
    /// Safe to show.
    pub label: String,
    /// Bytes moved so far, of how many if that is known.
    pub bytes: Option<(u64, Option<u64>)>,
    /// Nothing is sent until then, and why.
    pub waiting: Option<(Timestamp, WaitReason)>,
    pub remote: Option<RemoteTarget>,
}

/// The service's own task behind a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteTarget {
    pub id: TaskId,
    /// Absent until the first poll has answered.
    pub status: Option<TaskStatus>,
    pub next_poll: Option<Timestamp>,
}

/// Tells the queue what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Begins nothing more of it; what is under way goes to its end.
    Pause(BatchId),
    /// Continues with what was held.
    Resume(BatchId),
    /// Ends it: changes that are under way are finished, transfers are given up.
    Cancel(BatchId),
    /// Ends one of its jobs, but for a change that is under way.
    CancelJob(JobId),
    /// Does again what failed or was cancelled.
    Retry(BatchId),
    /// Does again one of its jobs that failed or was cancelled.
    RetryJob(JobId),
    /// Does again what failed, in all batches.
    RetryFailed,
    /// Puts it before all others.
    MoveToTop(BatchId),
    /// Begins nothing more of any batch, or continues.
    PauseQueue(bool),
    /// Forgets those that ended well or were cancelled; where there are none, the failed ones, too.
    ClearEnded,
    /// Lists its jobs below it, or not.
    Unfold(BatchId, bool),
    /// Lists tasks that ended before this run, or folds them into one row.
    ShowOlder(bool),
    /// Which rows the view is to have: so many before and after this one, or the first ones.
    Watch { around: Option<RowPlace>, rows: usize },
}

impl Batch {
    /// Not ended.
    pub fn is_live(&self) -> bool {
        self.state != BatchState::Ended
    }

    pub fn has_failed(&self) -> bool {
        !self.is_live() && self.counts.failed > 0
    }

    /// Ended before all of it was tried.
    pub fn is_cancelled(&self) -> bool {
        !self.is_live() && self.counts.cancelled > 0
    }

    /// Whether it has jobs to list below it: a single one is the batch.
    pub fn can_unfold(&self) -> bool {
        self.counts.total > 1 && self.listed > 0
    }

    /// Whether a retry would do something.
    pub fn can_retry(&self) -> bool {
        !self.is_live() && self.counts.failed + self.counts.cancelled > 0
    }
}

impl Counts {
    /// Neither begun nor ended.
    pub fn waiting(&self) -> usize {
        self.total.saturating_sub(self.running + self.done + self.failed + self.cancelled)
    }

    /// Done, failed or cancelled.
    pub fn settled(&self) -> usize {
        self.done + self.failed + self.cancelled
    }
}

/// What jobs work on, safe to show: that of a single one, or `3 files → /in`.
pub fn label(jobs: &[Job]) -> String {
    let [first, rest @ ..] = jobs else { return String::new() };
    if rest.is_empty() {
        return first.label();
    }
    let items: Vec<_> = jobs.iter().filter_map(Job::item).collect();
    let kind = first.kind();
    let subject = match kind {
        JobKind::Upload | JobKind::Replace => {
            let files = jobs.iter().filter(|job| job.kind() != JobKind::CreateFolder).count();
            if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
        }
        JobKind::Download => what(items),
        _ if items.len() == jobs.len() => what(items),
        _ => format!("{} {}", jobs.len(), plural(kind)),
    };
    let into = match kind {
        JobKind::Upload | JobKind::Replace => common_folder(jobs),
        _ => first.destination().filter(|_| jobs.iter().all(|job| job.destination() == first.destination())),
    };
    into.map_or_else(|| subject.clone(), |into| format!("{subject} → {into}"))
}

/// The innermost folder that all of the files go into.
fn common_folder(jobs: &[Job]) -> Option<String> {
    let folders = jobs.iter().filter_map(|job| match job {
        Job::Replace { file, .. } => Some(parent(&visible(&file.path)).to_owned()),
        job => job.destination(),
    });
    folders.reduce(|common, folder| {
        let is_above = |path: &str| {
            path == "/" || folder.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut path = common.as_str();
        while !is_above(path) {
            path = parent(path);
        }
        path.to_owned()
    })
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map(|(above, _)| above).filter(|above| !above.is_empty()).unwrap_or("/")
}

fn plural(kind: JobKind) -> &'static str {
    match kind {
        JobKind::CreateFolder | JobKind::CreateLocalFolder | JobKind::UpdateFolder | JobKind::RenameFolder => "folders",
        JobKind::Import => "addresses",
        _ => "files",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::model::{Access, UploadOptions};
    use crate::engine::message::FolderRef;

    #[test]
    fn files_of_several_folders_are_said_to_go_into_what_they_share() {
        let upload = |name: &str| Job::Upload {
            local: "/tmp/x".into(),
            into: FolderRef { id: None, path: "/in".to_owned() },
            name: Some(name.to_owned()),
            options: UploadOptions::new(Access::Private).into(),
            present: false,
            free_at: None,
        };
        let empty = Job::CreateFolder { parent: FolderRef::root(), name: "in/a/z".to_owned() };
        assert_eq!(label(&[upload("a/b.png"), upload("a/c/d.png")]), "2 files → /in/a");
        assert_eq!(label(&[upload("a.png"), upload("ab/d.png"), empty]), "2 files → /in");
    }
}
