//! What the screen remembers of a question until its answer comes, each kind with the question that it belongs to. Plain
//! data: `update` has what is done with the answers.

use std::path::PathBuf;

use super::undo::KeyPress;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::File;
use crate::engine::batch::{BatchId, Control, JobId};
use crate::engine::deletion::Deletion;
use crate::engine::limits::Report;
use crate::engine::message::Target;
use crate::engine::plan::PlanChoice;
use crate::engine::question::{
    AddJobs, CheckLocalFile, ClearThumbnails, CompareFolders, ControlQueue, FetchText, GetFile, GetPreview, GetTask,
    GetTaskId, List, ListAll, ListDeletedWith, ListDeletions, ListFailures, ListFolderNames, ListFolders,
    ListLocalFolder, ListNames, ListUnsavedEdits, Locate, MeasureFolders, PlanDownload, PlanImport, PlanUpload,
    ReadAddresses, ReadLimits, Refresh, SaveSnapshot, SignUrl, SumLocalFile, TakeText, WriteExport,
};
use crate::engine::{Item, Job, Question};
use crate::tui::dialog::Intent;

/// A page of the open folder.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRead;

/// Rows of the open folder, once more.
#[derive(Debug, Clone, PartialEq)]
pub struct RefreshRead;

/// The whole open folder.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeRead;

/// Subfolders of a folder of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchRead(pub Option<FolderId>);

/// The details of the file under the cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct DetailsRead;

/// The preview of what is under the cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct PreviewRead;

/// A picture of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GridRead;

/// How much is in a folder on the screen; the root folder has no id.
#[derive(Debug, Clone, PartialEq)]
pub struct TotalRead(pub Option<FolderId>);

/// A page of the account's folders.
#[derive(Debug, Clone, PartialEq)]
pub struct FolderNamesRead;

/// What was typed to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedPlace {
    Path,
    Id,
}

/// A path or an id that the user wants to go to. What was typed can be corrected if it is not there.
#[derive(Debug, Clone, PartialEq)]
pub struct GoToRead {
    pub to: String,
    pub typed: Option<TypedPlace>,
}

/// Whether the open folder, which is empty, still exists.
#[derive(Debug, Clone, PartialEq)]
pub struct FolderCheck(pub FolderId);

/// A folder above the one at `lost`, which no longer exists.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestRead {
    pub path: String,
    pub lost: String,
}

/// A signed address of a file. `label` is safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRead {
    pub file: FileId,
    pub label: String,
    pub then: ThenLink,
}

/// What a signed address is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenLink {
    Copy,
    Browse,
}

/// All of a file, to be copied as JSON. `label` is safe to show.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonRead {
    pub label: String,
}

/// Files with the same content as this one, for a dialog that lists them.
#[derive(Debug, Clone, PartialEq)]
pub struct DuplicatesRead(pub Box<File>);

/// Names in a local folder, for the open dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalFolderRead(pub PathBuf);

/// What is in the folder that this machine's list shows.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSideRead;

/// The two folders that are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonRead;

/// The MD5 of the local file under the cursor of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct SumRead;

/// Names in a folder of the account, for the open dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct NamesRead(pub String);

/// Whether the local file can be sent that a dialog names. If so, this is done.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacementCheck(pub Box<Intent>);

/// The addresses in a list on this machine.
#[derive(Debug, Clone, PartialEq)]
pub struct AddressesRead;

/// A report on limits.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsRead(pub Report);

/// The saved history of the limits.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotRead;

/// What was deleted from here.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletionsRead;

/// The files that were deleted with a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletedWithRead {
    pub folder: Box<Deletion>,
    pub then: ThenDeleted,
}

/// What the files that were deleted with a folder are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenDeleted {
    List,
    /// To ask whether they are to be deleted permanently.
    Purge,
}

/// A table that is written into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportRead;

/// Jobs on their way into the queue. `what` says what failed if it does not take them; safe to show. `on` is the row that
/// the cursor was on.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueRead {
    pub what: String,
    pub on: Option<Target>,
    pub reverse: Option<Reverse>,
    /// Deletions that begin when all of these have succeeded.
    pub deletions: Vec<Job>,
}

/// Jobs that undo those of a batch, and the key that both were asked for with.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverse {
    pub key: KeyPress,
    pub jobs: Vec<Job>,
}

/// An order to the queue. `then` is said when it was obeyed.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlRead {
    pub control: Control,
    pub then: Option<String>,
}

/// The status of a task of the service, by this id.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceTaskRead {
    pub id: String,
    /// Whether it was asked for before.
    pub is_again: bool,
}

/// The id of the service's task behind a job, to be copied.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskIdRead;

/// The status of the task behind a job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobTaskRead(pub JobId);

/// The failures of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct FailuresRead(pub BatchId);

/// A plan of an upload.
#[derive(Debug, Clone, PartialEq)]
pub struct UploadPlanRead;

/// A plan of a download.
#[derive(Debug, Clone, PartialEq)]
pub struct DownloadPlanRead;

/// Which imports would meet a name that is taken, and what is to be done then: skip or stop.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportPlanRead {
    pub on_taken: PlanChoice,
}

/// The number and size of all files in folders, for the dialog that asks whether to delete them.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeRead;

/// What is kept on this machine is to be cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearRead;

/// A text to be edited.
#[derive(Debug, Clone, PartialEq)]
pub struct TextRead(pub Item);

/// An unsaved edit of this file, to be continued.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsavedTextRead(pub Item);

/// All unsaved edits: at the start of a session, or because a key asks for them.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsavedEditsRead {
    pub is_start: bool,
}

/// An unsaved edit of this file, to be discarded.
#[derive(Debug, Clone, PartialEq)]
pub struct DiscardRead(pub Item);

/// Calls a macro with all reads and the questions that they belong to.
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

/// What is remembered of one kind of question.
pub trait ReadOf: Into<Read> {
    type Question: Question;
}

macro_rules! define {
    ($($read:ident asks $question:ident,)*) => {
        /// Any read.
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
    /// Whether a pane asks for it by itself: no dialog waits for it, and no key alone has asked for it.
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
                | Self::ControlRead(ControlRead { control: Control::Watch { .. }, .. })
        )
    }

    /// Whether it reads the open folder.
    pub fn is_of_listing(&self) -> bool {
        matches!(self, Self::PageRead(_) | Self::RefreshRead(_) | Self::WholeRead(_))
    }
}
