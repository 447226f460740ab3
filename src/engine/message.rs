//! What the engine reports: plain data, no closures, no handles. The caller mints the `OpId`, and every answer carries
//! it. `Progress` may be dropped, nothing else is.

use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::batch::{Batch, BatchId};
pub use super::collection::Collection;
use super::deletion::Deletion;
use super::folder_size::FolderSizes;
pub use super::item::{Entry, FolderRef, Target};
use super::job::Job;
pub use super::paging::{Cursor, Sort, SortKey, Stage};
use super::plan::PlanEvent;
use super::question::Answer;
use super::queue_view::QueueView;
pub use super::wait::WaitReason;
use crate::api::ids::TaskId;
use crate::api::model::{File, Folder, TaskStatus};
use crate::api::{Error, GrantedScopes};

/// Names one run of the engine on one account. Minted by the asker; the engine only echoes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub u32);

impl SessionId {
    pub const FIRST: Self = Self(1);
}

/// Names one operation, from its request to its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId {
    pub session: SessionId,
    pub number: u64,
}

/// Tells the asker how an operation goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Progress. May be dropped under load; a later one says more.
    Progress { op: OpId, progress: Progress },
    /// Some of the entries that it brings. Never dropped: it waits for room.
    Part { op: OpId, entries: Vec<Entry> },
    /// Some of the plan that it makes. Never dropped: it waits for room.
    Plan { op: OpId, news: PlanEvent },
    /// It ended.
    Done { op: OpId, result: Result<Answer, Error> },
    /// It was cancelled.
    Cancelled { op: OpId },
    /// The results of some jobs of a batch. Never dropped.
    Settled { batch: BatchId, settled: Vec<Settled> },
    /// A batch has ended, or ended again after a retry. Never dropped, and comes after all that was settled of it.
    Ended(Box<Batch>),
    /// The state of the queue, four times a second at most.
    Queue(Box<QueueView>),
    /// How much of the account's request budget is left, learned from an answer.
    Budget(RequestBudget),
    /// How far the service's clock is ahead of this machine's, learned from an answer.
    Clock { ahead: SignedDuration },
    /// What the account's access token may do, as the service listed its scopes.
    Granted(GrantedScopes),
}

/// The account's request budget in the current window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestBudget {
    pub remaining: u32,
    pub max: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// It has left the queue.
    Started,
    /// Bytes moved so far, of how many if that is known.
    Bytes { done: u64, total: Option<u64> },
    /// The service's task was accepted under this id.
    Accepted { task: TaskId },
    /// The service's task answered a poll; the next poll comes after `next_poll`.
    Task { status: TaskStatus, next_poll: Duration },
    /// Files of the account looked at so far.
    Looked(usize),
    /// What is known so far of what lies in folders.
    FolderSizes(FolderSizes),
    /// Local files found so far, and their bytes.
    Found { files: usize, bytes: u64 },
    /// Nothing is sent for so long, and why.
    Waiting { wait: Duration, reason: WaitReason },
}

/// The result of one job.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    pub job: Job,
    /// When its batch was asked for.
    pub asked_at: Timestamp,
    pub result: Result<Outcome, Error>,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// `twins` are copies that resulted from the same upload because answers were lost.
    Uploaded {
        file: Box<File>,
        twins: Vec<File>,
    },
    /// The folder held the same content under the same name already.
    Present(Box<File>),
    Replaced(Box<File>),
    /// The file as the service describes it, the local path that it has now, and its size in bytes.
    Downloaded {
        file: Box<File>,
        path: PathBuf,
        bytes: u64,
    },
    /// The folder of this machine.
    LocalFolderCreated(PathBuf),
    LocalFileDeleted(PathBuf),
    Imported(Box<File>),
    FolderCreated(Folder),
    FolderUpdated(Folder),
    FileUpdated(Box<File>),
    /// `deletion` is what is kept of it.
    Deleted {
        target: Target,
        deletion: Option<Deletion>,
    },
}

impl Outcome {
    /// Why not all is known that was deleted with a folder.
    pub fn missing(&self) -> Option<&str> {
        if let Self::Deleted { deletion: Some(deletion), .. } = self { deletion.missing() } else { None }
    }
}
