//! One piece of work that the user sees: what it is, how far it is, how it ended.

use jiff::{SignedDuration, Timestamp};

use super::speed::Speed;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::api::{Error, Kind};
use crate::engine::message::{Progress, WaitReason};
use crate::engine::{Job, OpId};

/// Work shown in the strip and in the tasks view.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub op: OpId,
    /// What it works on, as it was asked for first; safe to show.
    pub label: String,
    pub status: Status,
    /// Bytes moved so far, of how many if that is known. Transfers only.
    pub bytes: Option<(u64, Option<u64>)>,
    /// Items dealt with so far, of how many. Changes of several files only.
    pub items: Option<(usize, usize)>,
    pub speed: Speed,
    /// The service's own task behind it. Imports and folder updates only.
    pub remote: Option<Remote>,
    /// When it was asked for.
    pub queued_at: Timestamp,
    /// When it left the queue.
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// What to do again on a retry; after a partial failure, what is left.
    pub job: Job,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    Queued,
    Running,
    /// Nothing is sent until then, and why.
    Waiting {
        until: Timestamp,
        reason: WaitReason,
    },
    Done,
    Failed(Error),
    /// Stopped by the user; for work of the service, only the watching has stopped.
    Cancelled,
}

/// What the service last said of its own task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub id: TaskId,
    /// Absent until the first poll has answered.
    pub status: Option<TaskStatus>,
    pub next_poll: Option<Timestamp>,
}

impl Remote {
    /// Not polled yet.
    fn new(id: TaskId) -> Self {
        Self { id, status: None, next_poll: None }
    }
}

impl Task {
    pub fn new(op: OpId, label: String, job: Job, now: Timestamp) -> Self {
        let remote = match &job {
            Job::WatchImport { task, .. } | Job::WatchFolderUpdate { task, .. } => Some(Remote::new(task.clone())),
            _ => None,
        };
        Self {
            op,
            label,
            status: Status::Queued,
            bytes: None,
            items: None,
            speed: Speed::default(),
            remote,
            queued_at: now,
            started_at: None,
            ended_at: None,
            job,
        }
    }

    /// Queued, running or waiting.
    pub fn is_live(&self) -> bool {
        matches!(self.status, Status::Queued | Status::Running | Status::Waiting { .. })
    }

    pub fn error(&self) -> Option<&Error> {
        match &self.status {
            Status::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// How far it is, 0 to 100; none where that cannot be known.
    pub fn percent(&self) -> Option<u8> {
        let (done, total) = match (self.bytes, self.items) {
            (Some((done, Some(total))), _) => (done, total),
            (_, Some((done, total))) => (u64::try_from(done).ok()?, u64::try_from(total).ok()?),
            _ => return None,
        };
        u8::try_from(done.saturating_mul(100).checked_div(total)?.min(100)).ok()
    }

    /// How long the rest takes at the present speed.
    pub fn time_left(&self) -> Option<SignedDuration> {
        let (done, total) = self.bytes?;
        let left = total?.checked_sub(done)?;
        i64::try_from(left.checked_div(self.speed.bytes_per_second()?)?).ok().map(SignedDuration::from_secs)
    }

    /// Takes what the engine tells of its way.
    pub fn advance(&mut self, progress: Progress, now: Timestamp) {
        if !self.is_live() {
            return;
        }
        self.started_at.get_or_insert(now);
        self.status = Status::Running;
        match progress {
            Progress::Started => {}
            Progress::Bytes { done, total } => {
                self.speed.sample(done, now);
                self.bytes = Some((done, total));
            }
            Progress::Items { done, total } => self.items = Some((done, total)),
            Progress::Accepted { task } => self.remote = Some(Remote::new(task)),
            Progress::Task { status, next_poll } => {
                if let Some(remote) = &mut self.remote {
                    remote.status = Some(status);
                    remote.next_poll = now.checked_add(next_poll).ok();
                }
            }
            Progress::Waiting { wait, reason } => {
                self.status = Status::Waiting { until: now.saturating_add(wait).unwrap_or(now), reason };
            }
        }
    }

    /// What to do to start it again; none while it is live, or if that is not known. A task that the service may
    /// still be working on is followed, not asked for a second time.
    pub fn again(&self) -> Option<Job> {
        let is_over = match &self.status {
            Status::Cancelled => false,
            Status::Failed(error) => matches!(error.kind, Kind::TaskFailed | Kind::NotFound | Kind::Invalid),
            _ => return None,
        };
        match (&self.job, &self.remote) {
            (Job::WatchImport { .. } | Job::WatchFolderUpdate { .. }, _) if is_over => None,
            (Job::Import { request, folder }, Some(remote)) if !is_over => {
                Some(Job::WatchImport { task: remote.id.clone(), url: request.url.clone(), folder: folder.clone() })
            }
            (job @ Job::UpdateFolder { folder, from, .. }, Some(remote)) if !is_over => Some(Job::WatchFolderUpdate {
                task: remote.id.clone(),
                folder: folder.clone(),
                from: from.clone(),
                to: job.folder_path()?,
            }),
            (job, _) => Some(job.clone()),
        }
    }

    pub fn end(&mut self, status: Status, now: Timestamp) {
        self.status = status;
        self.ended_at = Some(now);
    }
}
