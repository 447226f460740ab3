//! The context of each pending request, kept until its answer comes. Plain data: `update` handles
//! the answers.

use std::path::PathBuf;

use super::comparing::MarkedItems;
use super::undo::KeyPress;
use crate::api::Signing;
use crate::api::ids::FolderId;
use crate::api::model::{File, SignedUrl};
use crate::engine::batch::{BatchId, Control, JobId};
use crate::engine::deletion::Deletion;
use crate::engine::limits::Report;
use crate::engine::message::Target;
use crate::engine::plan::PlanChoice;
use crate::engine::question::{
    AddJobs, CheckLocalFile, ClearThumbnails, CompareFolders, ControlQueue, FetchText, GetFile,
    GetPreview, GetTask, GetTaskId, List, ListAll, ListDeletedWith, ListDeletions, ListFailures,
    ListFolderNames, ListFolders, ListLocalFolder, ListNames, ListUnsavedEdits, Locate,
    MeasureFolders, PlanDownload, PlanImport, PlanUpload, ReadAddresses, ReadLimits, Refresh,
    SaveSnapshot, SignUrl, SumLocalFile, TakeText, WriteExport,
};
use crate::engine::{Item, Job, Question};
use crate::tui::dialog::Intent;
use crate::tui::keymap::Action;

/// A page of the open folder.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRead;

/// Some rows of the open folder, refreshed.
#[derive(Debug, Clone, PartialEq)]
pub struct RefreshRead;

#[derive(Debug, Clone, PartialEq)]
pub struct WholeRead;

/// The subfolders of a folder in the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchRead(pub Option<FolderId>);

#[derive(Debug, Clone, PartialEq)]
pub struct DetailsRead;

#[derive(Debug, Clone, PartialEq)]
pub struct PreviewRead;

/// A picture of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GridRead;

/// The entry count of a folder on the screen; the root folder has no id.
#[derive(Debug, Clone, PartialEq)]
pub struct TotalRead(pub Option<FolderId>);

/// A page of the account's folders.
#[derive(Debug, Clone, PartialEq)]
pub struct FolderNamesRead;

/// The form in which a destination was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedPlace {
    Path,
    Id,
}

/// A path or an id to go to. If it does not exist, the typed text can be corrected.
#[derive(Debug, Clone, PartialEq)]
pub struct GoToRead {
    pub to: String,
    pub typed: Option<TypedPlace>,
}

/// A check that the open folder, which is empty, still exists.
#[derive(Debug, Clone, PartialEq)]
pub struct FolderCheck(pub FolderId);

/// A folder above the one at `lost`, which no longer exists.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestRead {
    pub path: String,
    pub lost: String,
}

/// A signed URL of a file. `label` is safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRead {
    /// The files to sign, one after another.
    pub files: Vec<File>,
    pub signing: Signing,
    /// The links to the first of them.
    pub signed: Vec<SignedUrl>,
    pub then: ThenLink,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenLink {
    Copy,
    Browse,
}

/// All data of files, read one after another, to be copied as JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonRead {
    pub files: Vec<File>,
    /// The JSON of the first of them, a line each.
    pub lines: Vec<String>,
}

/// Files with the same content as this one, for a dialog that lists them.
#[derive(Debug, Clone, PartialEq)]
pub struct DuplicatesRead(pub Box<File>);

/// Names in a local folder, for the open dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalFolderRead(pub PathBuf);

/// The entries of the folder in the local list.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSideRead;

#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonRead {
    /// The action of the key that asked for it; `None` for the end of a task.
    pub by_key: Option<Action>,
    /// The items that were marked in the two lists, if these asked for a plan.
    pub marked: Option<MarkedItems>,
}

/// The MD5 of the local file under the cursor of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct SumRead;

/// Names in a folder of the account, for the open dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct NamesRead(pub String);

/// A check of the local file named in a dialog; the intent runs if the file can be uploaded.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacementCheck(pub Box<Intent>);

#[derive(Debug, Clone, PartialEq)]
pub struct AddressesRead;

#[derive(Debug, Clone, PartialEq)]
pub struct LimitsRead(pub Report);

/// The saved history of the limits.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotRead;

#[derive(Debug, Clone, PartialEq)]
pub struct DeletionsRead;

/// The files that were deleted with a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletedWithRead {
    pub folder: Box<Deletion>,
    pub then: ThenDeleted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenDeleted {
    List,
    /// A question about deleting them permanently.
    Purge,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ExportRead;

/// Jobs being queued. `what` is the message if they are refused, safe to show. `on` is the row that
/// the cursor was on.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueRead {
    pub what: String,
    pub on: Option<Target>,
    pub reverse: Option<Reverse>,
    /// Deletions that start once all of these jobs have succeeded.
    pub deletions: Vec<Job>,
}

/// Jobs that undo those of a batch, and the key press that caused both.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverse {
    pub key: KeyPress,
    pub jobs: Vec<Job>,
}

/// A command to the queue. `then` is the message after success.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlRead {
    pub control: Control,
    pub then: Option<String>,
}

/// The status of a service task, by its id.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceTaskRead {
    pub id: String,
    /// Set if it was requested before.
    pub is_again: bool,
}

/// The id of the service task behind a job, to be copied.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskIdRead;

/// The id of the service task behind a job, for its details.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownTaskIdRead(pub JobId);

/// The status of the task behind a job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobTaskRead(pub JobId);

#[derive(Debug, Clone, PartialEq)]
pub struct FailuresRead(pub BatchId);

#[derive(Debug, Clone, PartialEq)]
pub struct UploadPlanRead;

#[derive(Debug, Clone, PartialEq)]
pub struct DownloadPlanRead;

/// A check for imports whose names are taken, and the action for those: skip or stop.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportPlanRead {
    pub on_taken: PlanChoice,
}

/// The number and size of all files in folders, for the dialog that confirms their deletion.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeRead;

/// A request to clear the thumbnails kept on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearRead;

#[derive(Debug, Clone, PartialEq)]
pub struct TextRead(pub Item);

/// An unsaved edit of this file, to be continued.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsavedTextRead(pub Item);

/// All unsaved edits: read at the start of a session, or by a key.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsavedEditsRead {
    pub is_start: bool,
}

/// An unsaved edit of this file, to be discarded.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscardRead(pub Item);

/// Calls a macro with all reads and the requests they belong to.
macro_rules! reads {
    ($with:ident) => {
        $with! {
            PageRead asks List,
            RefreshRead asks Refresh,
            WholeRead asks ListAll,
            BranchRead asks ListFolders,
            DetailsRead asks GetFile,
            PreviewRead asks GetPreview,
            GridRead asks GetPreview,
            ClearRead asks ClearThumbnails,
            TotalRead asks GetPreview,
            FolderNamesRead asks ListFolderNames,
            GoToRead asks Locate,
            FolderCheck asks Locate,
            NearestRead asks Locate,
            LinkRead asks SignUrl,
            JsonRead asks GetFile,
            DuplicatesRead asks List,
            LocalFolderRead asks ListLocalFolder,
            LocalSideRead asks ListLocalFolder,
            ComparisonRead asks CompareFolders,
            SumRead asks SumLocalFile,
            NamesRead asks ListNames,
            ReplacementCheck asks CheckLocalFile,
            AddressesRead asks ReadAddresses,
            LimitsRead asks ReadLimits,
            SnapshotRead asks SaveSnapshot,
            DeletionsRead asks ListDeletions,
            DeletedWithRead asks ListDeletedWith,
            ExportRead asks WriteExport,
            QueueRead asks AddJobs,
            ControlRead asks ControlQueue,
            ServiceTaskRead asks GetTask,
            JobTaskRead asks GetTask,
            TaskIdRead asks GetTaskId,
            ShownTaskIdRead asks GetTaskId,
            FailuresRead asks ListFailures,
            UploadPlanRead asks PlanUpload,
            DownloadPlanRead asks PlanDownload,
            ImportPlanRead asks PlanImport,
            SizeRead asks MeasureFolders,
            TextRead asks FetchText,
            UnsavedTextRead asks TakeText,
            UnsavedEditsRead asks ListUnsavedEdits,
            DiscardRead asks TakeText,
        }
    };
}
pub(in crate::tui) use reads;

/// The request that a read belongs to.
pub trait ReadOf: Into<Read> {
    type Question: Question;
}

macro_rules! define {
    ($($read:ident asks $question:ident,)*) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum Read {
            $($read($read),)*
        }

        $(
            impl From<$read> for Read {
                fn from(read: $read) -> Self {
                    Self::$read(read)
                }
            }

            impl ReadOf for $read {
                type Question = $question;
            }
        )*
    };
}
reads!(define);

impl Read {
    /// Returns `true` for reads that a pane starts by itself, not a dialog or a single key.
    pub fn is_of_pane(&self) -> bool {
        matches!(
            self,
            Self::PageRead(_)
                | Self::RefreshRead(_)
                | Self::WholeRead(_)
                | Self::BranchRead(_)
                | Self::DetailsRead(_)
                | Self::PreviewRead(_)
                | Self::GridRead(_)
                | Self::TotalRead(_)
                | Self::LocalSideRead(_)
                | Self::SumRead(_)
                | Self::FolderNamesRead(_)
                | Self::FolderCheck(_)
                | Self::NearestRead(_)
                | Self::LimitsRead(_)
                | Self::SnapshotRead(_)
                | Self::UnsavedEditsRead(UnsavedEditsRead { is_start: true })
                | Self::ControlRead(ControlRead {
                    control: Control::Watch { .. },
                    ..
                })
        )
    }

    pub fn is_of_listing(&self) -> bool {
        matches!(
            self,
            Self::PageRead(_) | Self::RefreshRead(_) | Self::WholeRead(_)
        )
    }
}
