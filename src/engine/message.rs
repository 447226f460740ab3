//! The engine's reports: plain data, no closures, no handles. The caller chooses the `OpId`, and
//! every answer carries it. `Progress` may be dropped; results are not.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::address_map::{CopyState, StoredCopy};
use super::batch::{Batch, BatchId};
pub use super::collection::Collection;
use super::deletion::Deletion;
use super::folder_size::FolderSizes;
use super::item::Item;
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

/// The id of one run of the engine on one account. Chosen by the caller; the engine only repeats
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub u32);

impl SessionId {
    pub const FIRST: Self = Self(1);
}

/// The id of one operation, from its request to its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId {
    pub session: SessionId,
    pub number: u64,
}

/// A report to the caller: on an operation, on the queue, or on the account.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Progress. May be dropped under load; a later one says more.
    Progress { op: OpId, progress: Progress },
    /// Some of the entries that it returns. Never dropped: waits for room.
    Part { op: OpId, entries: Vec<Entry> },
    /// Some of the plan that it makes. Never dropped: waits for room.
    Plan { op: OpId, news: PlanEvent },
    /// The operation ended.
    Done {
        op: OpId,
        result: Result<Answer, Error>,
    },
    /// The operation was cancelled.
    Cancelled { op: OpId },
    /// The results of some jobs of a batch. Never dropped.
    Settled {
        batch: BatchId,
        settled: Vec<Settled>,
    },
    /// A batch has ended, or ended again after a retry. Never dropped; follows all that was settled
    /// of it.
    Ended(Arc<Batch>),
    /// The state of the queue, four times a second at most.
    Queue(Box<QueueView>),
    /// The rest of the account's request budget, as a response gave it.
    Budget(RequestBudget),
    /// The time that the service's clock is ahead of this machine's, as a response gave it.
    Clock { ahead: SignedDuration },
    /// The permissions of the account's access token, as the service listed its scopes.
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
    /// Bytes moved so far, and the total if known.
    Bytes { done: u64, total: Option<u64> },
    /// The service's task was accepted under this id.
    Accepted { task: TaskId },
    /// The service's task answered a poll; the next poll comes after `next_poll`.
    Task {
        status: TaskStatus,
        next_poll: Duration,
    },
    /// Files of the account looked at so far.
    Looked(usize),
    /// The counts so far of what lies in folders.
    FolderSizes(FolderSizes),
    /// Local files found so far, and their bytes.
    Found { files: usize, bytes: u64 },
    /// The time for which nothing is sent, and why.
    Waiting { wait: Duration, reason: WaitReason },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    pub job: Job,
    /// The time at which its batch was requested.
    pub asked_at: Timestamp,
    pub result: Result<Outcome, Error>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// `twins` are copies that resulted from the same upload because responses were lost.
    Uploaded {
        file: Box<File>,
        twins: Vec<File>,
    },
    /// The folder already held the same content under the same name.
    Present(Box<File>),
    Replaced(Box<File>),
    /// The file as the service describes it, its local path now, and its size in bytes.
    Downloaded {
        file: Box<File>,
        path: PathBuf,
        bytes: u64,
    },
    LocalFolderCreated(PathBuf),
    LocalFileDeleted(PathBuf),
    Imported(Box<File>),
    FolderCreated(Folder),
    FolderUpdated(Folder),
    FileUpdated(Box<File>),
    /// `deletion` is the record that is kept of it.
    Deleted {
        target: Target,
        deletion: Option<Deletion>,
    },
}

impl Outcome {
    /// Returns the result of a copy of `source`; `None` for another job.
    pub fn stored_copy(&self, source: &Item) -> Option<StoredCopy> {
        let (file, state) = match self {
            Self::Uploaded { file, .. } | Self::Replaced(file) => (file, CopyState::Copied),
            Self::Present(file) => (file, CopyState::AlreadyThere),
            _ => return None,
        };
        Some(StoredCopy::new(source, file, state))
    }

    /// Returns the reason why not everything that was deleted with a folder is known.
    pub fn missing(&self) -> Option<&str> {
        if let Self::Deleted {
            deletion: Some(deletion),
            ..
        } = self
        {
            deletion.missing()
        } else {
            None
        }
    }
}
