//! The words between the screen and the asynchronous task: plain data, no closures, no handles.
//! The asker mints the `OpId`; every answer carries it. `Progress` may be dropped, nothing else is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::batch::{Batch, BatchId, Control};

pub use super::collection::Collection;
use super::deletion::Deletion;
use super::folder_size::FolderSizes;
use super::item::Item;
pub use super::item::{Entry, FolderRef, Target};
use super::job::Job;
use super::limits::{self, LimitHistory, Report, Snapshot};
pub use super::paging::{Cursor, Sort, SortKey, Stage};
use super::plan::PlanEvent;
use super::preview::{Preview, PreviewTarget};
use super::queue_view::QueueView;
use super::sending::IntoFolder;
use super::service_task::{ServiceTask, Which};
use super::text_file::{EditedText, UnsavedEdits};
use super::typed_paths::TypedPaths;
pub use super::wait::WaitReason;
use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::model::{File, Folder, SignedUrl, TaskStatus};
use crate::api::{Error, Signing};

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

/// Asks the engine to do one thing.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// One page of a folder or of a search. Answer: `Listed`.
    List { of: Collection, sort: Sort, after: Option<Cursor> },
    /// All of it, in no order that means anything. Answer: many `Event::Part`, then `AllListed`.
    ListAll { of: Collection },
    /// How some entries of it are now, of one sort, and what has come into it after `newest`. Answer: `Looked`.
    Look { of: Collection, targets: Vec<Target>, newest: Option<Target> },
    /// All sub-folders of a folder, by name, for the tree. Answer: `Folders`.
    Folders { place: FolderRef },
    /// How much lies in some folders, at any depth, none of which lies in another. Answer: `Weighed`.
    MeasureFolders { folders: Vec<FolderId> },
    /// What stands at an absolute path. Answer: `Located`.
    Locate { path: String },
    /// The file or the folder of an id. Answer: `Located`.
    LocateId(String),
    /// A folder by its id. Answer: `Located`.
    LocateFolder(FolderId),
    /// Names in a folder of the account, for path completion: all folders, and the first files. Answer: `Names`.
    Names { path: String },
    /// A file's details, fresh. Answer: `Details`.
    Details { file: FileId },
    /// A look into a file or a folder; a picture is scaled down to `room`, in pixels. Answer: `Previewed`.
    Preview { subject: PreviewTarget, room: (u32, u32) },
    /// Puts jobs into the queue, as one batch. Answer: `Queued`; what comes of them is told by `Settled` and `Ended`.
    Queue(Vec<Job>),
    /// Tells the queue what to do. Answer: `Controlled`.
    Control(Control),
    /// What failed of a batch, a hundred at most. Answer: `Failures`.
    Failures(BatchId),
    /// A signed address. Answer: `Signed`.
    Sign { file: FileId, signing: Signing },
    /// How a task of the service stands. Answer: `ServiceTask`.
    ServiceTask(Which),
    /// A report on limits. Answer: `Limits`.
    Limits(Report),
    /// Keeps what was read of the limits. Answer: `Remembered`.
    Remember(Snapshot),
    /// What was deleted from here, as the journal has it. Answer: `Deletions`.
    Deletions,
    /// The files that went with a folder, as the journal has them. Answer: `Deletions`, in order of their paths.
    DeletedWith(FolderId),
    /// Writes a text into a new file of a local folder. Answer: `Exported`.
    Export { folder: PathBuf, name: String, text: String },
    /// Names in a local folder, for path completion. Answer: `LocalNames`.
    LocalNames { folder: PathBuf },
    /// Whether a local file can be sent, before a dialog that names it closes. Answer: `LocalFile`.
    LocalFile { path: PathBuf },
    /// A text to be edited, in a folder of its own. Answer: `TextFetched`; or, unless it is to be fetched `anew`, the
    /// `KeptTexts` of the file, if there are any.
    FetchText { file: FileId, anew: bool },
    /// The texts that runs have left; old ones are removed. Answer: `KeptTexts`.
    UnsavedEdits,
    /// Takes one of them over, so that no other run does. Answer: `TextTaken`.
    TakeText { path: PathBuf },
    /// What uploads into a folder would meet; a name is for a single file, and `unnamed` leaves names to the service.
    /// Answer: `Event::Plan`s, then `Planned` when it is known where else in the account their bytes are.
    PlanUpload { typed: Vec<TypedPaths>, into: IntoFolder, name: Option<String>, unnamed: bool },
    /// What downloads into a local folder would meet. Answer: `Event::Plan`s, then `Planned`.
    PlanSave { files: Vec<Item>, into: PathBuf },
}

/// Tells the asker how an operation goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// It goes on. May be dropped under load; a later one says more.
    Progress { op: OpId, progress: Progress },
    /// Some of the entries that it brings. Never dropped: it waits for room.
    Part { op: OpId, entries: Vec<Entry> },
    /// Some of the plan that it makes. Never dropped: it waits for room.
    Plan { op: OpId, news: PlanEvent },
    /// It ended.
    Done { op: OpId, result: Result<Outcome, Error> },
    /// It was cancelled.
    Cancelled { op: OpId },
    /// What came of some jobs of a batch. Never dropped.
    Settled { batch: BatchId, settled: Vec<Settled> },
    /// A batch has ended, or ended again after a retry. Never dropped, and comes after all that was settled of it.
    Ended(Box<Batch>),
    /// How the queue stands, four times a second at most.
    Queue(Box<QueueView>),
    /// How much of the account's request budget is left, learned from an answer.
    Budget(RequestBudget),
    /// How far the service's clock is ahead of this machine's, learned from an answer.
    Clock { ahead: SignedDuration },
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

/// What came of one job.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    pub job: Job,
    /// When its batch was asked for.
    pub asked_at: Timestamp,
    pub result: Result<Outcome, Error>,
}

/// What came of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Listed {
        entries: Vec<Entry>,
        next: Option<Cursor>,
    },
    /// All entries were given.
    AllListed,
    /// What is in it, of what was asked about and of what is new; and what is not, or not any more.
    Looked {
        found: Vec<Entry>,
        gone: Vec<Target>,
    },
    Folders(Vec<Folder>),
    /// Where there is more than a look may cost, what was counted.
    FolderSizes(FolderSizes),
    Located(Entry),
    /// The root folder was asked for: it has no object of its own.
    LocatedRoot,
    Details(File),
    Previewed(Preview),
    /// In the queue, under this name.
    Queued(BatchId),
    /// The queue was told.
    Controlled,
    /// What failed, safe to show, and why.
    Failures(Vec<(String, Error)>),
    /// `twins` are copies that came of the same upload because answers were lost.
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
    Imported(Box<File>),
    FolderCreated(Folder),
    FolderUpdated(Folder),
    FileUpdated(Box<File>),
    /// `deletion` is what is kept of it.
    Deleted {
        target: Target,
        deletion: Option<Deletion>,
    },
    Signed(SignedUrl),
    /// Under the id that it was asked by.
    ServiceTask(TaskId, Box<ServiceTask>),
    Limits(Vec<limits::LimitEntry>),
    /// What is remembered of the gauges that were kept, by their names.
    Remembered(BTreeMap<String, LimitHistory>),
    /// Newest first.
    Deletions(Vec<Deletion>),
    /// The path that it has.
    Exported(PathBuf),
    TextFetched(EditedText),
    /// This run has it now.
    TextTaken(EditedText),
    UnsavedEdits(UnsavedEdits),
    /// All of the plan was given; for so many of its rows nobody looked where else their bytes are.
    Planned {
        not_looked_for: usize,
    },
    /// Names in a folder of the account; folders end with `/`.
    Names {
        path: String,
        names: Vec<String>,
    },
    /// Sorted names; folders end with `/`.
    LocalNames {
        folder: PathBuf,
        names: Vec<String>,
    },
    /// It can be sent.
    LocalFile,
}

impl Outcome {
    /// Why not all is known that was deleted with a folder.
    pub fn missing(&self) -> Option<&str> {
        if let Self::Deleted { deletion: Some(deletion), .. } = self { deletion.missing() } else { None }
    }

    /// Whether only the service can have told this: most else is of this machine, or may be.
    pub fn is_of_service(&self) -> bool {
        match self {
            Self::Listed { .. }
            | Self::AllListed
            | Self::Looked { .. }
            | Self::Folders(_)
            | Self::FolderSizes(_)
            | Self::Located(_)
            | Self::Details(_)
            | Self::Signed(_)
            | Self::ServiceTask(..)
            | Self::Limits(_)
            | Self::TextFetched(_)
            | Self::Names { .. }
            | Self::Uploaded { .. }
            | Self::Present(_)
            | Self::Replaced(_)
            | Self::Downloaded { .. }
            | Self::Imported(_)
            | Self::FolderCreated(_)
            | Self::FolderUpdated(_)
            | Self::FileUpdated(_)
            | Self::Deleted { .. } => true,
            Self::LocatedRoot
            | Self::Previewed(_)
            | Self::Queued(_)
            | Self::Controlled
            | Self::Failures(_)
            | Self::Remembered(_)
            | Self::Deletions(_)
            | Self::Exported(_)
            | Self::Planned { .. }
            | Self::LocalNames { .. }
            | Self::TextTaken(_)
            | Self::UnsavedEdits(_)
            | Self::LocalFile => false,
        }
    }
}
