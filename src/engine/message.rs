//! The words between the screen and the asynchronous task: plain data, no closures, no handles.
//! The asker mints the `OpId`; every answer carries it. `Progress` may be dropped, nothing else is.

use std::path::PathBuf;
use std::time::Duration;

pub use super::item::{Place, Target};
use super::job::Job;
use crate::api::ids::{FileId, TaskId};
use crate::api::model::{AssociationLimits, CustomPropertyLimits, File, Folder, SignedUrl, TaskStatus};
use crate::api::{Error, WaitCause};

/// Names one operation, from its request to its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId(pub u64);

/// A file or a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Folder(Folder),
    File(File),
}

impl Entry {
    pub fn target(&self) -> Target {
        match self {
            Self::Folder(folder) => Target::Folder(folder.id.clone()),
            Self::File(file) => Target::File(file.id.clone()),
        }
    }
}

/// What a listing is ordered by; the service sorts. Folders come before files and are always by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sort {
    pub key: SortKey,
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortKey {
    #[default]
    Name,
    Size,
    Kind,
    Created,
    Updated,
}

/// Where the next page of a listing starts. Made by the engine, opaque to the asker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub stage: Stage,
    /// Offset inside the stage; the service ends it at 10,000 (`wire.md` §3).
    pub offset: u32,
    /// Past the end of offsets: only ids from this one on, in order of id.
    pub from_id: Option<String>,
}

/// A listing is first the sub-folders, then the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    Folders,
    Files,
}

/// Asks the engine to do one thing.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// One page of a folder's contents. Answer: `Listed`.
    List { place: Place, sort: Sort, after: Option<Cursor> },
    /// All of a folder's contents, in no order that means anything. Answer: many `Event::Part`, then `AllListed`.
    ListAll { place: Place },
    /// How some entries of a folder are now, of one sort, and what has come into it after `newest`. Answer: `Looked`.
    Look { place: Place, targets: Vec<Target>, newest: Option<Target> },
    /// All sub-folders of a folder, by name, for the tree. Answer: `Folders`.
    Folders { place: Place },
    /// What stands at an absolute path. Answer: `Located`.
    Locate { path: String },
    /// A file's details, fresh. Answer: `Details`.
    Details { file: FileId },
    /// Carries a job out. Answer: the one that its verb names.
    Job(Job),
    /// A signed address; `seconds` of validity, the service's own choice when absent. Answer: `Signed`.
    Sign { file: FileId, seconds: Option<u64> },
    /// The custom property report. Answer: `Limits`.
    Limits,
    /// The association report of a starting object type. Answer: `Associations`.
    Associations { from: String },
    /// Names in a local folder, for path completion. Answer: `LocalNames`.
    LocalNames { folder: PathBuf },
    /// Work that an earlier run left unfinished. Answer: `Unfinished`.
    Unfinished,
}

/// Tells the asker how an operation goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// It goes on. May be dropped under load; a later one says more.
    Progress { op: OpId, progress: Progress },
    /// Some of the entries that it brings. Never dropped: it waits for room.
    Part { op: OpId, entries: Vec<Entry> },
    /// It ended.
    Done { op: OpId, result: Result<Outcome, Error> },
    /// It was cancelled; for a watched task, only the watching has stopped.
    Cancelled { op: OpId },
    /// How much of the account's request budget is left, learned from an answer.
    Budget(Budget),
}

/// The account's request budget in the current window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub remaining: u32,
    pub max: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// It has left the queue.
    Started,
    /// Bytes moved so far, of how many if that is known.
    Bytes { done: u64, total: Option<u64> },
    /// Items dealt with so far.
    Items { done: usize, total: usize },
    /// The service's task was accepted under this id.
    Accepted { task: TaskId },
    /// The service's task answered a poll; the next poll comes after `next_poll`.
    Task { status: TaskStatus, next_poll: Duration },
    /// Nothing is sent for so long, and why.
    Waiting { wait: Duration, reason: WaitReason },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitReason {
    /// The account's rate limit, which is kept on this side.
    RateLimit,
    /// The service asked for it.
    Asked,
    /// The answer to an upload was lost: the service gets time before it is asked what came of it.
    Settling,
    /// A failed attempt; the next one follows.
    Retry,
}

impl From<WaitCause> for WaitReason {
    fn from(cause: WaitCause) -> Self {
        match cause {
            WaitCause::RateLimit => Self::RateLimit,
            WaitCause::Asked => Self::Asked,
            WaitCause::Retry => Self::Retry,
        }
    }
}

impl WaitReason {
    /// The wait in words, with `left` seconds of it to go.
    pub fn in_words(self, left: u64) -> String {
        match (self, left) {
            (Self::RateLimit, _) => format!("waiting {left} s for the rate limit"),
            (Self::Asked, _) => format!("waiting {left} s, the service asked for it"),
            (Self::Settling, _) => format!("its answer was lost, asking what came of it in {left} s"),
            (Self::Retry, 0) => "failed, trying again now".to_owned(),
            (Self::Retry, _) => format!("failed, trying again in {left} s"),
        }
    }
}

/// What came of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Listed {
        entries: Vec<Entry>,
        next: Option<Cursor>,
    },
    /// All of the folder's entries were given.
    AllListed,
    /// What is in the folder, of what was asked about and of what is new; and what is not, or not any more.
    Looked {
        found: Vec<Entry>,
        gone: Vec<Target>,
    },
    Folders(Vec<Folder>),
    Located(Entry),
    /// The root folder was asked for: it has no object of its own.
    LocatedRoot,
    Details(File),
    /// `twins` are copies that came of the same upload because answers were lost.
    Uploaded {
        file: File,
        twins: Vec<File>,
    },
    Replaced(File),
    /// The local path that the file has now, and its size in bytes.
    Downloaded {
        path: PathBuf,
        bytes: u64,
    },
    Imported(File),
    FolderCreated(Folder),
    FolderUpdated(Folder),
    FilesUpdated {
        updated: Vec<File>,
        failed: Vec<(Target, Error)>,
        /// Not begun, because the job was cancelled.
        left: Vec<Target>,
    },
    Deleted {
        deleted: Vec<Target>,
        failed: Vec<(Target, Error)>,
        /// Not begun, because the job was cancelled.
        left: Vec<Target>,
    },
    Signed(SignedUrl),
    Limits(CustomPropertyLimits),
    Associations {
        from: String,
        limits: AssociationLimits,
    },
    /// Sorted names; folders end with `/`.
    LocalNames {
        folder: PathBuf,
        names: Vec<String>,
    },
    Unfinished(Vec<Unfinished>),
}

/// What an earlier run left, as the journal remembers it.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfinished {
    /// Work that the service goes on with, to be watched again.
    Job(Job),
    /// A transfer that was cut short; nothing is known to have come of it. A download has the folder it went into.
    CutShort { what: String, folder: Option<PathBuf> },
}
