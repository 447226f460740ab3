//! The questions to the engine, each with the type of its answer. One table at the end makes the
//! enums that travel as plain data, so that an answer of another type cannot be written.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use super::address_map::AddressRow;
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
use super::queue_view::BatchJob;
use super::sending::IntoFolder;
use super::service_task::{ServiceTask, Which};
use super::text_file::{EditedText, UnsavedEdits};
use super::tree_filter::TreeRules;
use super::typed_paths::TypedPaths;
use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::model::{File, Folder, SignedUrl};
use crate::api::{Error, SignedUrlOptions};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListPage {
    pub entries: Vec<Entry>,
    /// The start of the next page; `None` after the last.
    pub next: Option<Cursor>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Refreshed {
    /// The targets that are in it, and what is new.
    pub found: Vec<Entry>,
    /// The targets that are not in it.
    pub gone: Vec<Target>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderNamesPage {
    pub folders: Vec<FolderRef>,
    /// The start of the next page; after the last one, of what is added later.
    pub next: Option<u64>,
    pub is_last: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    /// The root folder, which has no object of its own.
    Root,
    Entry(Entry),
}

#[derive(Debug, Clone, PartialEq)]
pub enum FetchedText {
    Fetched(EditedText),
    Unsaved(Vec<EditedText>),
}

/// The first side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderHere {
    Disk(PathBuf),
    /// A folder of an account by its name in the journal.
    Account(String, FolderRef),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// The number of files in the plan for which the account was not searched for the same content.
    pub not_looked_for: usize,
}

/// Calls a macro with all questions. A row has the pool in which the question waits, the type of
/// its answer, the answers that only the service can have given, and the question itself.
macro_rules! questions {
    ($with:ident) => {
        $with! {
            Reads -> ListPage, service(_) {
                /// One page of a folder or of a search.
                pub struct List {
                    pub of: Collection,
                    pub sort: Sort,
                    pub after: Option<Cursor>,
                }
            }
            Reads -> (), service(_) {
                /// All of a folder or of a search, in any order. The entries arrive as
                /// `Event::Part`s before the answer.
                pub struct ListAll {
                    pub of: Collection,
                }
            }
            Reads -> Refreshed, service(_) {
                /// The present state of entries of a folder or a search, all files or all folders,
                /// and what was added after `newest`.
                pub struct Refresh {
                    pub of: Collection,
                    pub targets: Vec<Target>,
                    pub newest: Option<Target>,
                }
            }
            Reads -> Vec<Folder>, service(_) {
                /// All subfolders of a folder, by name, for the tree.
                pub struct ListFolders {
                    pub place: FolderRef,
                }
            }
            Reads -> FolderNamesPage, service(_) {
                /// A page of all folders of the account, in order of id.
                pub struct ListFolderNames {
                    /// `None` for the first page.
                    pub from: Option<u64>,
                }
            }
            Reads -> FolderSizes, service(_) {
                /// The number and size of all files below some folders, none of which lies in
                /// another. Stops counting at a limit.
                pub struct MeasureFolders {
                    pub folders: Vec<FolderId>,
                }
            }
            Reads -> Located, service(Located::Entry(_)) {
                /// A file or folder, by its path or by its id.
                pub enum Locate {
                    /// An absolute path.
                    Path(String),
                    /// The id of a file or of a folder.
                    Id(String),
                    Folder(FolderId),
                }
            }
            Reads -> Vec<String>, service(_) {
                /// The names in a folder of the account, for path completion: all folders, which
                /// end with `/`, and the first files.
                pub struct ListNames {
                    pub path: String,
                }
            }
            Reads -> File, service(_) {
                pub struct GetFile {
                    pub file: FileId,
                }
            }
            Previews -> Preview {
                /// A preview of a file or a folder. A picture is scaled down to `room`, in pixels.
                pub struct GetPreview {
                    pub subject: PreviewTarget,
                    pub room: (u32, u32),
                    /// Set if only the picture is wanted.
                    pub is_thumbnail: bool,
                    /// The page of a document, from 0.
                    pub page: u32,
                }
            }
            Local -> u64 {
                /// Removes the thumbnails and the names for completion that are kept here. The
                /// answer is their size in bytes.
                pub struct ClearThumbnails;
            }
            Reads -> SignedUrl, service(_) {
                pub struct SignUrl {
                    pub file: FileId,
                    pub signing: SignedUrlOptions,
                }
            }
            Reads -> (TaskId, Box<ServiceTask>), service(_) {
                /// The status of a task of the service. The answer includes the id of the task.
                pub struct GetTask(pub Which);
            }
            Reads -> Option<TaskId> {
                /// The id of the service's task behind a job, if the service has accepted it.
                pub struct GetTaskId(pub JobId);
            }
            Reads -> Vec<LimitEntry>, service(_) {
                pub struct ReadLimits(pub Report);
            }
            Local -> BTreeMap<String, LimitHistory> {
                /// Saves a reading of the limits. The answer is the history of the saved gauges, by
                /// name.
                pub struct SaveSnapshot(pub Snapshot);
            }
            Local -> Vec<Deletion> {
                /// The recorded deletions, newest first.
                pub struct ListDeletions;
            }
            Local -> Vec<Deletion> {
                /// The files that were deleted with a folder, as the journal has them, by path.
                pub struct ListDeletedWith(pub FolderId);
            }
            Reads -> Vec<AddressRow> {
                /// The old and the new addresses of the files that a batch has copied from an
                /// account.
                pub struct ReadAddressMap {
                    /// The name of the account that they were copied into.
                    pub account: String,
                    pub batch: BatchId,
                }
            }
            Local -> PathBuf {
                /// Writes a text into a new file of a local folder. The answer is its path.
                pub struct WriteExport {
                    pub folder: PathBuf,
                    pub name: String,
                    pub text: String,
                }
            }
            Local -> Vec<LocalEntry> {
                /// The entries of a local folder, sorted by name.
                pub struct ListLocalFolder {
                    pub folder: PathBuf,
                }
            }
            Reads -> Box<FolderComparison>, service(_) {
                /// The comparison of a folder of this machine, or of another account, with a folder
                /// of the account, by size and MD5. Reads all of both.
                pub struct CompareFolders {
                    pub here: FolderHere,
                    pub remote: FolderRef,
                    /// Set if names that begin with a dot are compared, too.
                    pub with_hidden: bool,
                }
            }
            Local -> String {
                /// The MD5 of a local file, in lowercase hex.
                pub struct SumLocalFile {
                    pub path: PathBuf,
                }
            }
            Local -> Vec<String> {
                /// The URLs in a local text file, one a line; blank lines and lines that begin with
                /// `#` are left out.
                pub struct ReadAddresses {
                    pub path: PathBuf,
                }
            }
            Local -> () {
                /// A check that a local file can be sent. The error says why not.
                pub struct CheckLocalFile {
                    pub path: PathBuf,
                }
            }
            Reads -> FetchedText, service(FetchedText::Fetched(_)) {
                /// Fetches a text to edit into a folder of its own. Unsaved edits of the file are
                /// the answer instead, unless `anew`.
                pub struct FetchText {
                    pub file: FileId,
                    pub anew: bool,
                }
            }
            Local -> UnsavedEdits {
                /// The unsaved edits that earlier runs have left behind. Removes old ones.
                pub struct ListUnsavedEdits;
            }
            Local -> EditedText {
                /// Takes over an unsaved edit, so that no other run does.
                pub struct TakeText {
                    pub path: PathBuf,
                }
            }
            Reads -> Planned {
                /// Compares what is to be uploaded with the folder. `name` is for a single file;
                /// with `unnamed`, the service chooses names. The plan arrives as `Event::Plan`s;
                /// the answer follows once the account was searched for the same content.
                pub struct PlanUpload {
                    pub typed: Vec<TypedPaths>,
                    pub into: IntoFolder,
                    pub name: Option<String>,
                    pub unnamed: bool,
                    /// The rules for the contents of folders.
                    pub rules: TreeRules,
                }
            }
            Reads -> Planned {
                /// Compares files of another account with the folder that they are to be copied
                /// into. The plan arrives as `Event::Plan`s before the answer.
                pub struct PlanCopy {
                    /// The account that they are of, as its journal names it.
                    pub account: String,
                    /// Files, and folders with everything in them.
                    pub targets: Vec<Target>,
                    pub into: IntoFolder,
                }
            }
            Reads -> Planned {
                /// Compares what is to be downloaded with a local folder. The plan arrives as
                /// `Event::Plan`s before the answer.
                pub struct PlanDownload {
                    /// Files, and folders with everything in them.
                    pub items: Vec<Item>,
                    /// The missing part of its path is created when the plan is carried out.
                    pub into: PathBuf,
                }
            }
            Reads -> PlannedImport, service(_) {
                /// Looks for the names of imports in the folder that they go into.
                pub struct PlanImport {
                    pub jobs: Vec<Job>,
                    pub into: IntoFolder,
                }
            }
            Queue -> BatchId {
                /// Puts jobs into the queue as one batch. Their results arrive as `Event::Settled`
                /// and `Event::Ended`.
                pub struct AddJobs(pub Vec<Job>);
            }
            Queue -> () {
                pub struct ControlQueue(pub Control);
            }
            Queue -> Vec<(String, Error)> {
                /// The failures of a batch, a hundred at most: what failed, safe to show, and why.
                pub struct ListFailures(pub BatchId);
            }
            Queue -> Vec<BatchJob> {
                /// The jobs of a batch by state: running, failed, waiting, cancelled, done. Those in
                /// this range of them.
                pub struct ListJobs {
                    pub batch: BatchId,
                    pub range: Range<usize>,
                }
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
    ($($pool:ident -> $answer:ty $(, service($given:pat))? {
        $(#[$doc:meta])* pub $form:ident $name:ident $($rest:tt)*
    })*) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum Request {
            $($name($name),)*
        }

        /// The answer to any question, by the question's name.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Answer {
            $($name($answer),)*
        }

        impl Answer {
            /// Returns `true` if only the service can have given it: the other answers may come
            /// from this machine alone.
            pub fn is_of_service(&self) -> bool {
                matches!(self, $($(| Self::$name($given))?)*)
            }
        }

        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq)]
            pub $form $name $($rest)*

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
