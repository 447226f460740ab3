//! One piece of work that the user sees: what it is, how far it is, how it ended.

use jiff::{SignedDuration, Timestamp};

use super::speed::Speed;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::api::{Error, Kind};
use crate::engine::message::{Progress, WaitReason};
use crate::engine::{OpId, Request};

/// Work shown in the strip and in the tasks view.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub op: OpId,
    pub kind: TaskKind,
    /// What it works on, safe to show: `banner.png`, `/legal -> /ops/legal`, `3 files`.
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
    /// What to ask for again on a retry; after a partial failure, what is left.
    pub request: Request,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    Upload,
    Download,
    Import,
    NewFolder,
    /// A folder's rename or move.
    MoveFolder,
    /// Changes of files in place: rename, move, access, expiry.
    Change,
    Delete,
    /// The data-protection deletion.
    Purge,
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

impl TaskKind {
    /// At most six characters, for the first column of a task.
    pub fn short(self) -> &'static str {
        match self {
            Self::Upload => "up",
            Self::Download => "down",
            Self::Import => "import",
            Self::NewFolder => "mkdir",
            Self::MoveFolder => "move",
            Self::Change => "change",
            Self::Delete => "delete",
            Self::Purge => "purge",
        }
    }

    /// For "… failed": what was tried.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Upload => "Upload",
            Self::Download => "Download",
            Self::Import => "Import",
            Self::NewFolder => "New folder",
            Self::MoveFolder => "Folder move",
            Self::Change => "Change",
            Self::Delete => "Delete",
            Self::Purge => "Permanent delete",
        }
    }

    /// Whether the service does the work on its own, so that stopping here does not stop it there.
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Import | Self::MoveFolder)
    }
}

impl Task {
    pub fn new(op: OpId, kind: TaskKind, label: String, request: Request, now: Timestamp) -> Self {
        let remote = match &request {
            Request::WatchImport { task } | Request::WatchFolderUpdate { task, .. } => Some(Remote::new(task.clone())),
            _ => None,
        };
        Self {
            op,
            kind,
            label,
            status: Status::Queued,
            bytes: None,
            items: None,
            speed: Speed::default(),
            remote,
            queued_at: now,
            started_at: None,
            ended_at: None,
            request,
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

    /// What to ask for to start it again; none while it is live, or if that is not known. A task that the service may
    /// still be working on is followed, not asked for a second time.
    pub fn again(&self) -> Option<Request> {
        let is_over = match &self.status {
            Status::Cancelled => false,
            Status::Failed(error) => matches!(error.kind, Kind::TaskFailed | Kind::NotFound | Kind::Invalid),
            _ => return None,
        };
        match (&self.request, &self.remote) {
            (Request::WatchImport { .. } | Request::WatchFolderUpdate { .. }, _) if is_over => None,
            (Request::Import { .. }, Some(remote)) if !is_over => {
                Some(Request::WatchImport { task: remote.id.clone() })
            }
            (Request::UpdateFolder { folder, .. }, Some(remote)) if !is_over => {
                Some(Request::WatchFolderUpdate { task: remote.id.clone(), folder: folder.clone() })
            }
            (request, _) => Some(request.clone()),
        }
    }

    pub fn end(&mut self, status: Status, now: Timestamp) {
        self.status = status;
        self.ended_at = Some(now);
    }
}
