//! The context of each pending request, kept until its answer comes. Plain data: `update` handles
//! the answers.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::comparing::MarkedItems;
use super::undo::KeyPress;
use crate::api::SignedUrlOptions;
use crate::api::ids::FolderId;
use crate::api::model::{File, SignedUrl};
use crate::engine::batch::{Batch, BatchId, Control, JobId};
use crate::engine::deletion::Deletion;
use crate::engine::limits::Report;
use crate::engine::message::Target;
use crate::engine::plan::PlanChoice;
use crate::engine::{Item, Job};
use crate::tui::dialog::Intent;
use crate::tui::keymap::Action;

/// The form in which a destination was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedPlace {
    Path,
    Id,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenLink {
    Copy,
    Browse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenDeleted {
    List,
    /// A question about deleting them permanently.
    Purge,
}

/// Jobs that undo those of a batch, and the key press that caused both.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverse {
    pub key: KeyPress,
    pub jobs: Vec<Job>,
}

/// Calls a macro with all reads. `of_pane` has those that a pane starts by itself, not a dialog or
/// a single key.
macro_rules! reads {
    ($with:ident) => {
        $with! {
            read of_pane(_) {
                /// A page of the open folder.
                pub struct PageRead;
            }
            read of_pane(_) {
                /// Some rows of the open folder, refreshed.
                pub struct RefreshRead;
            }
            read of_pane(_) {
                pub struct WholeRead;
            }
            read of_pane(_) {
                /// The subfolders of a folder in the tree.
                pub struct BranchRead(pub Option<FolderId>);
            }
            read of_pane(_) {
                pub struct DetailsRead;
            }
            read of_pane(_) {
                pub struct PreviewRead;
            }
            read of_pane(_) {
                /// A picture of the grid.
                pub struct GridRead;
            }
            read of_pane(_) {
                /// The entry count of a folder on the screen; the root folder has no id.
                pub struct TotalRead(pub Option<FolderId>);
            }
            read of_pane(_) {
                /// A page of the account's folders.
                pub struct FolderNamesRead;
            }
            read {
                /// A path or an id to go to. If it does not exist, the typed text can be corrected.
                pub struct GoToRead {
                    pub to: String,
                    pub typed: Option<TypedPlace>,
                }
            }
            read of_pane(_) {
                /// A check that the open folder, which is empty, still exists.
                pub struct FolderCheck(pub FolderId);
            }
            read of_pane(_) {
                /// A folder above the one at `lost`, which no longer exists.
                pub struct NearestRead {
                    pub path: String,
                    pub lost: String,
                }
            }
            read {
                pub struct LinkRead {
                    /// The files to sign, one after another.
                    pub files: Vec<File>,
                    pub signing: SignedUrlOptions,
                    /// The links to the first of them.
                    pub signed: Vec<SignedUrl>,
                    pub then: ThenLink,
                }
            }
            read {
                /// All data of files, read one after another, to be copied as JSON.
                pub struct JsonRead {
                    pub files: Vec<File>,
                    /// The JSON of the first of them, a line each.
                    pub lines: Vec<String>,
                }
            }
            read {
                /// Files with the same content as this one, for a dialog that lists them.
                pub struct DuplicatesRead(pub Box<File>);
            }
            read {
                /// Names in a local folder, for the open dialog.
                pub struct LocalFolderRead(pub PathBuf);
            }
            read of_pane(_) {
                /// The entries of the folder in the local list.
                pub struct LocalSideRead;
            }
            read {
                pub struct ComparisonRead {
                    /// The action of the key that asked for it; `None` for the end of a task.
                    pub by_key: Option<Action>,
                    /// The items that were marked in the two lists, if these asked for a plan.
                    pub marked: Option<MarkedItems>,
                }
            }
            read of_pane(_) {
                /// The MD5 of the local file under the cursor of a comparison.
                pub struct SumRead;
            }
            read {
                /// Names in a folder of the account, for the open dialog.
                pub struct NamesRead(pub String);
            }
            read {
                /// A check of the local file named in a dialog; the intent runs if the file can be
                /// uploaded.
                pub struct ReplacementCheck(pub Box<Intent>);
            }
            read {
                pub struct AddressesRead;
            }
            read of_pane(_) {
                pub struct LimitsRead(pub Report);
            }
            read of_pane(_) {
                /// The saved history of the limits.
                pub struct SnapshotRead;
            }
            read {
                pub struct DeletionsRead;
            }
            read {
                /// The files that were deleted with a folder.
                pub struct DeletedWithRead {
                    pub folder: Box<Deletion>,
                    pub then: ThenDeleted,
                }
            }
            read {
                pub struct ExportRead;
            }
            read {
                pub struct AddressMapRead;
            }
            read {
                /// Jobs being queued. `what` is the message if they are refused, safe to show. `on`
                /// is the row that the cursor was on.
                pub struct QueueRead {
                    pub what: String,
                    pub on: Option<Target>,
                    pub reverse: Option<Reverse>,
                    /// Deletions that start once all of these jobs have succeeded.
                    pub deletions: Vec<Job>,
                }
            }
            read of_pane(_) {
                /// Some jobs of an unfolded task, as it was when they were asked for.
                pub struct JobsRead {
                    pub batch: Arc<Batch>,
                    pub range: Range<usize>,
                }
            }
            read {
                /// A command to the queue. `then` is the message after success.
                pub struct ControlRead {
                    pub control: Control,
                    pub then: Option<String>,
                }
            }
            read {
                /// The status of a service task, by its id.
                pub struct ServiceTaskRead {
                    pub id: String,
                    /// Set if it was requested before.
                    pub is_again: bool,
                }
            }
            read {
                /// The id of the service task behind a job, to be copied.
                pub struct TaskIdRead;
            }
            read {
                /// The id of the service task behind a job, for its details.
                pub struct ShownTaskIdRead(pub JobId);
            }
            read {
                /// The status of the task behind a job.
                pub struct JobTaskRead(pub JobId);
            }
            read {
                pub struct FailuresRead(pub BatchId);
            }
            read {
                pub struct UploadPlanRead;
            }
            read {
                pub struct CopyPlanRead;
            }
            read {
                pub struct DownloadPlanRead;
            }
            read {
                /// A check for imports whose names are taken, and the action for those: skip or
                /// stop.
                pub struct ImportPlanRead {
                    pub on_taken: PlanChoice,
                }
            }
            read {
                /// The number and size of all files in folders, for the dialog that confirms their
                /// deletion.
                pub struct SizeRead;
            }
            read {
                /// A request to clear the thumbnails kept on this machine.
                pub struct ClearRead;
            }
            read {
                pub struct TextRead(pub Item);
            }
            read {
                /// An unsaved edit of this file, to be continued.
                pub struct UnsavedTextRead(pub Item);
            }
            read of_pane(UnsavedEditsRead { is_start: true }) {
                /// All unsaved edits: read at the start of a session, or by a key.
                pub struct UnsavedEditsRead {
                    pub is_start: bool,
                }
            }
            read {
                /// An unsaved edit of this file, to be discarded.
                pub struct DiscardRead(pub Item);
            }
        }
    };
}
pub(in crate::tui) use reads;

macro_rules! define {
    ($(read $(of_pane($own:pat))? {
        $(#[$doc:meta])* pub struct $name:ident $($rest:tt)*
    })*) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum Read {
            $($name($name),)*
        }

        impl Read {
            /// Returns `true` for reads that a pane starts by itself, not a dialog or a single key.
            pub fn is_of_pane(&self) -> bool {
                matches!(self, $($(| Self::$name($own))?)*)
            }
        }

        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq)]
            pub struct $name $($rest)*

            impl From<$name> for Read {
                fn from(read: $name) -> Self {
                    Self::$name(read)
                }
            }
        )*
    };
}
reads!(define);

impl Read {
    /// Returns `true` for the plan of a transfer, whose dialog keeps the session that it is for.
    pub fn is_of_plan(&self) -> bool {
        matches!(
            self,
            Self::UploadPlanRead(_) | Self::CopyPlanRead(_) | Self::DownloadPlanRead(_)
        )
    }
}
