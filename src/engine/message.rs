//! The words between the screen and the asynchronous task: plain data, no closures, no handles.
//! The asker mints the `OpId`; every answer carries it. `Progress` may be dropped, `Done` and `Cancelled` never are.

use std::path::PathBuf;
use std::time::Duration;

use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::model::{
    AssociationLimits, CustomPropertyLimits, File, FileUpdate, Folder, ImportRequest, SignedUrl, TaskStatus,
    UploadOptions,
};
use crate::api::{Error, WaitCause};

/// Names one operation, from its request to its last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpId(pub u64);

/// A folder as a place to list or to put things. The root folder has no id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub id: Option<FolderId>,
    /// Absolute; `/` for the root folder.
    pub path: String,
}

impl Place {
    pub fn root() -> Self {
        Self { id: None, path: "/".to_owned() }
    }

    pub fn is_root(&self) -> bool {
        self.id.is_none()
    }
}

/// A file or a folder.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Folder(Folder),
    File(File),
}

/// A file or a folder by id, as a target of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    Folder(FolderId),
    File(FileId),
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
    /// All sub-folders of a folder, by name, for the tree. Answer: `Folders`.
    Folders { place: Place },
    /// What stands at an absolute path. Answer: `Located`.
    Locate { path: String },
    /// A file's details, fresh. Answer: `Details`.
    Details { file: FileId },
    /// Sends one local file. Answer: `Uploaded`.
    Upload { local: PathBuf, into: Place, name: Option<String>, options: UploadOptions },
    /// Fetches one file into a local folder, under its own name made safe. Answer: `Downloaded`.
    Download { file: Box<File>, into: PathBuf },
    /// Starts an import and follows it to its end. Answer: `Imported`.
    Import { request: ImportRequest },
    /// Follows an import that an earlier run started. Answer: `Imported`.
    WatchImport { task: TaskId },
    /// Makes a folder; `a/b/c` makes the missing parents too. Answer: `FolderCreated`, the innermost one.
    CreateFolder { parent: Place, name: String },
    /// Renames or moves a folder by the asynchronous road and follows it. Answer: `FolderUpdated`.
    UpdateFolder { folder: FolderId, from: String, name: Option<String>, parent: Option<Place> },
    /// Follows a folder update that an earlier run started. Answer: `FolderUpdated`.
    WatchFolderUpdate { task: TaskId, folder: FolderId },
    /// Changes files in place, one after the other (rename, move, access, expiry). Answer: `FilesUpdated`.
    UpdateFiles { changes: Vec<(FileId, FileUpdate)> },
    /// Deletes; `permanent` is the data-protection deletion and is for files only. Answer: `Deleted`.
    Delete { targets: Vec<(Target, String)>, permanent: bool },
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
        failed: Vec<(FileId, Error)>,
    },
    Deleted {
        deleted: Vec<Target>,
        failed: Vec<(Target, Error)>,
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
    Unfinished(Vec<UnfinishedTask>),
}

/// A task of an earlier run, as the journal remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnfinishedTask {
    /// An import: its task, the address, and the folder's path.
    Import { task: TaskId, url: String, folder: String },
    /// A folder's rename or move.
    FolderUpdate { task: TaskId, folder: FolderId, from: String, to: String },
    /// A transfer that was cut short; nothing is known to have come of it. A download has the folder it went into.
    Transfer { what: String, folder: Option<PathBuf> },
}
