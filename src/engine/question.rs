//! The questions to the engine, each with the type of its answer. One table at the end makes the
//! enums that travel as plain data, so that an answer of another type cannot be written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::batch::{BatchId, Control, JobId};
use super::collection::Collection;
use super::deletion::Deletion;
use super::folder_comparison::FolderComparison;
use super::folder_size::FolderSizes;
use super::item::{Entry, FolderRef, Item, Target};
use super::job::Job;
use super::limits::{LimitEntry, LimitHistory, Report, Snapshot};
use super::local_entry::LocalEntry;
use super::paging::{Cursor, Sort};
use super::plan::PlannedImport;
use super::preview::{Preview, PreviewTarget};
use super::sending::IntoFolder;
use super::service_task::{ServiceTask, Which};
use super::text_file::{EditedText, UnsavedEdits};
use super::tree_filter::TreeRules;
use super::typed_paths::TypedPaths;
use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::model::{File, Folder, SignedUrl};
use crate::api::{Error, Signing};

/// One page of a folder or of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    pub of: Collection,
    pub sort: Sort,
    pub after: Option<Cursor>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListPage {
    pub entries: Vec<Entry>,
    /// The start of the next page; `None` after the last.
    pub next: Option<Cursor>,
}

/// All of a folder or of a search, in any order. The entries arrive as `Event::Part`s before the
/// answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ListAll {
    pub of: Collection,
}

/// The present state of entries of a folder or a search, all files or all folders, and what was
/// added after `newest`.
#[derive(Debug, Clone, PartialEq)]
pub struct Refresh {
    pub of: Collection,
    pub targets: Vec<Target>,
    pub newest: Option<Target>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Refreshed {
    /// The targets that are in it, and what is new.
    pub found: Vec<Entry>,
    /// The targets that are not in it.
    pub gone: Vec<Target>,
}

/// All subfolders of a folder, by name, for the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct ListFolders {
    pub place: FolderRef,
}

/// A page of all folders of the account, in order of id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListFolderNames {
    /// `None` for the first page.
    pub from: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderNamesPage {
    pub folders: Vec<FolderRef>,
    /// The start of the next page; after the last one, of what is added later.
    pub next: Option<u64>,
    pub is_last: bool,
}

/// The number and size of all files below some folders, none of which lies in another. Stops
/// counting at a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureFolders {
    pub folders: Vec<FolderId>,
}

/// A file or folder, by its path or by its id.
#[derive(Debug, Clone, PartialEq)]
pub enum Locate {
    /// An absolute path.
    Path(String),
    /// The id of a file or of a folder.
    Id(String),
    Folder(FolderId),
}

#[derive(Debug, Clone, PartialEq)]
pub enum EntryOrRoot {
    /// The root folder, which has no object of its own.
    Root,
    Entry(Entry),
}

/// The names in a folder of the account, for path completion: all folders, which end with `/`, and
/// the first files.
#[derive(Debug, Clone, PartialEq)]
pub struct ListNames {
    pub path: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GetFile {
    pub file: FileId,
}

/// A preview of a file or a folder. A picture is scaled down to `room`, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct GetPreview {
    pub subject: PreviewTarget,
    pub room: (u32, u32),
    /// Set if only the picture is wanted.
    pub is_thumbnail: bool,
    /// The page of a document, from 0.
    pub page: u32,
}

/// Removes the thumbnails and the names for completion that are kept here. The answer is their size
/// in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearThumbnails;

#[derive(Debug, Clone, PartialEq)]
pub struct SignUrl {
    pub file: FileId,
    pub signing: Signing,
}

/// The status of a task of the service. The answer includes the id of the task.
#[derive(Debug, Clone, PartialEq)]
pub struct GetTask(pub Which);

/// The id of the service's task behind a job, if the service has accepted it.
#[derive(Debug, Clone, PartialEq)]
pub struct GetTaskId(pub JobId);

#[derive(Debug, Clone, PartialEq)]
pub struct ReadLimits(pub Report);

/// Saves a reading of the limits. The answer is the history of the saved gauges, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveSnapshot(pub Snapshot);

/// The recorded deletions, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListDeletions;

/// The files that were deleted with a folder, as the journal has them, by path.
#[derive(Debug, Clone, PartialEq)]
pub struct ListDeletedWith(pub FolderId);

/// Writes a text into a new file of a local folder. The answer is its path.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteExport {
    pub folder: PathBuf,
    pub name: String,
    pub text: String,
}

/// The entries of a local folder, sorted by name.
#[derive(Debug, Clone, PartialEq)]
pub struct ListLocalFolder {
    pub folder: PathBuf,
}

/// The comparison of a folder of this machine with a folder of the account, by size and MD5. Reads
/// all of both.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareFolders {
    pub local: PathBuf,
    pub remote: FolderRef,
    /// Set if names that begin with a dot are compared, too.
    pub with_hidden: bool,
}

/// The MD5 of a local file, in lowercase hex.
#[derive(Debug, Clone, PartialEq)]
pub struct SumLocalFile {
    pub path: PathBuf,
}

/// The URLs in a local text file, one a line; blank lines and lines that begin with `#` are left
/// out.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadAddresses {
    pub path: PathBuf,
}

/// A check that a local file can be sent. The error says why not.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckLocalFile {
    pub path: PathBuf,
}

/// Fetches a text to edit into a folder of its own. Unsaved edits of the file are the answer
/// instead, unless `anew`.
#[derive(Debug, Clone, PartialEq)]
pub struct FetchText {
    pub file: FileId,
    pub anew: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FetchedText {
    Fetched(EditedText),
    Unsaved(Vec<EditedText>),
}

/// The unsaved edits that earlier runs have left behind. Removes old ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListUnsavedEdits;

/// Takes over an unsaved edit, so that no other run does.
#[derive(Debug, Clone, PartialEq)]
pub struct TakeText {
    pub path: PathBuf,
}

/// Compares what is to be uploaded with the folder. `name` is for a single file; with `unnamed`,
/// the service chooses names. The plan arrives as `Event::Plan`s; the answer follows once the
/// account was searched for the same content.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanUpload {
    pub typed: Vec<TypedPaths>,
    pub into: IntoFolder,
    pub name: Option<String>,
    pub unnamed: bool,
    /// The rules for the contents of folders.
    pub rules: TreeRules,
}

/// Compares what is to be downloaded with a local folder. The plan arrives as `Event::Plan`s before
/// the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanDownload {
    /// Files, and folders with everything in them.
    pub items: Vec<Item>,
    /// The missing part of its path is created when the plan is carried out.
    pub into: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// The number of files in the plan for which the account was not searched for the same content.
    pub not_looked_for: usize,
}

/// Looks for the names of imports in the folder that they go into.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanImport {
    pub jobs: Vec<Job>,
    pub into: IntoFolder,
}

/// Puts jobs into the queue as one batch. Their results arrive as `Event::Settled` and
/// `Event::Ended`.
#[derive(Debug, Clone, PartialEq)]
pub struct AddJobs(pub Vec<Job>);

#[derive(Debug, Clone, PartialEq)]
pub struct ControlQueue(pub Control);

/// The failures of a batch, a hundred at most: what failed, safe to show, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct ListFailures(pub BatchId);

/// Calls a macro with all questions and their answers: those that only read, and those that the
/// queue answers.
macro_rules! questions {
    ($with:ident) => {
        $with! {
            read {
                List -> ListPage,
                ListAll -> (),
                Refresh -> Refreshed,
                ListFolders -> Vec<Folder>,
                ListFolderNames -> FolderNamesPage,
                MeasureFolders -> FolderSizes,
                Locate -> EntryOrRoot,
                ListNames -> Vec<String>,
                GetFile -> File,
                GetPreview -> Preview,
                ClearThumbnails -> u64,
                SignUrl -> SignedUrl,
                GetTask -> (TaskId, Box<ServiceTask>),
                GetTaskId -> Option<TaskId>,
                ReadLimits -> Vec<LimitEntry>,
                SaveSnapshot -> BTreeMap<String, LimitHistory>,
                ListDeletions -> Vec<Deletion>,
                ListDeletedWith -> Vec<Deletion>,
                WriteExport -> PathBuf,
                ListLocalFolder -> Vec<LocalEntry>,
                CompareFolders -> Box<FolderComparison>,
                SumLocalFile -> String,
                CheckLocalFile -> (),
                ReadAddresses -> Vec<String>,
                FetchText -> FetchedText,
                ListUnsavedEdits -> UnsavedEdits,
                TakeText -> EditedText,
                PlanUpload -> Planned,
                PlanDownload -> Planned,
                PlanImport -> PlannedImport,
            }
            queue {
                AddJobs -> BatchId,
                ControlQueue -> (),
                ListFailures -> Vec<(String, Error)>,
            }
        }
    };
}
pub(super) use questions;

pub trait Question: Into<Request> {
    type Answer;

    fn wrap(answer: Self::Answer) -> Answer;

    /// Returns the answer to this question; `None` if it is the answer to another.
    fn unwrap(answer: Answer) -> Option<Self::Answer>;
}

macro_rules! define {
    (read { $($read:ident -> $read_answer:ty,)* } queue { $($queue:ident -> $queue_answer:ty,)* }) => {
        define! { $($read -> $read_answer,)* $($queue -> $queue_answer,)* }
    };
    ($($name:ident -> $answer:ty,)*) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum Request {
            $($name($name),)*
        }

        /// The answer to any question, by the question's name.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Answer {
            $($name($answer),)*
        }

        $(
            impl From<$name> for Request {
                fn from(question: $name) -> Self {
                    Self::$name(question)
                }
            }

            impl Question for $name {
                type Answer = $answer;

                fn wrap(answer: $answer) -> Answer {
                    Answer::$name(answer)
                }

                fn unwrap(answer: Answer) -> Option<$answer> {
                    if let Answer::$name(answer) = answer { Some(answer) } else { None }
                }
            }
        )*
    };
}
questions!(define);

impl Answer {
    /// Returns `true` if only the service can have given it: the other answers may come from this
    /// machine alone.
    pub fn is_of_service(&self) -> bool {
        match self {
            Self::List(_)
            | Self::ListAll(())
            | Self::Refresh(_)
            | Self::ListFolders(_)
            | Self::ListFolderNames(_)
            | Self::MeasureFolders(_)
            | Self::Locate(EntryOrRoot::Entry(_))
            | Self::ListNames(_)
            | Self::GetFile(_)
            | Self::CompareFolders(_)
            | Self::SignUrl(_)
            | Self::PlanImport(_)
            | Self::GetTask(_)
            | Self::ReadLimits(_)
            | Self::FetchText(FetchedText::Fetched(_)) => true,
            Self::Locate(EntryOrRoot::Root)
            | Self::FetchText(FetchedText::Unsaved(_))
            | Self::GetPreview(_)
            | Self::ClearThumbnails(_)
            | Self::SaveSnapshot(_)
            | Self::GetTaskId(_)
            | Self::ListDeletions(_)
            | Self::ListDeletedWith(_)
            | Self::WriteExport(_)
            | Self::ListLocalFolder(_)
            | Self::SumLocalFile(_)
            | Self::CheckLocalFile(())
            | Self::ReadAddresses(_)
            | Self::ListUnsavedEdits(_)
            | Self::TakeText(_)
            | Self::PlanUpload(_)
            | Self::PlanDownload(_)
            | Self::AddJobs(_)
            | Self::ControlQueue(())
            | Self::ListFailures(_) => false,
        }
    }
}
