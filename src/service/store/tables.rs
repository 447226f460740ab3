//! What the rules ask of a database within a transaction: records in, records out. Each dialect answers it in its own SQL.

use std::ops::Range;

use jiff::Timestamp;

use super::content::StoredContent;
use super::error::StoreError;
use super::records::{
    FileKey, FileRecord, Finding, FolderKey, FolderRecord, ServiceFlag, TaskCounts, TaskKind, TaskRecord,
};
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::service::content::blobs::{BlobId, BlockSums};
use crate::service::crm::Usage;
use crate::service::domain::names::FileName;

/// All tables, on a connection or in its transaction.
pub(crate) trait Tables:
    IdSequence + FolderTable + FileTable + BlobTable + PendingBlobTable + TaskTable + MarkTable + FindingTable + UsageTable
{
}

impl<T> Tables for T where
    T: IdSequence
        + FolderTable
        + FileTable
        + BlobTable
        + PendingBlobTable
        + TaskTable
        + MarkTable
        + FindingTable
        + UsageTable
{
}

/// Ids of files and folders. They share one sequence, so no id names two things.
pub(crate) trait IdSequence {
    /// Takes the next id.
    fn next_id(&self) -> Result<i64, StoreError>;

    /// Has the ids below `next` count as taken.
    fn raise_ids(&self, next: i64) -> Result<(), StoreError>;

    /// Whether a file or a folder has this id.
    fn is_id_taken(&self, id: i64) -> Result<bool, StoreError>;
}

/// Rows of folders. What is asked for by id or path is not deleted.
pub(crate) trait FolderTable {
    fn folder(&self, key: FolderKey) -> Result<Option<FolderRecord>, StoreError>;

    fn folder_at(&self, path: &str) -> Result<Option<FolderRecord>, StoreError>;

    fn insert_folder(&self, row: &FolderRecord) -> Result<(), StoreError>;

    /// The bytes of the longest path and the depth of the deepest below a folder; 0 where there is none.
    fn longest_below(&self, path: &str) -> Result<(usize, usize), StoreError>;

    /// Gives a folder the place that the record has; the folders below it stay where they are.
    fn relocate_folder(&self, row: &FolderRecord) -> Result<(), StoreError>;

    /// Has the paths below one begin with another.
    fn repath_below(&self, old: &str, new: &str) -> Result<(), StoreError>;

    /// Marks a folder and what is in it as deleted. Gives how many rows that were.
    fn mark_tree_deleted(&self, key: FolderKey, now: Timestamp) -> Result<usize, StoreError>;

    fn has_deleted_folders(&self) -> Result<bool, StoreError>;

    /// Removes deleted folders that no row names. Gives how many, whose parents may be next.
    fn purge_empty_folders(&self) -> Result<usize, StoreError>;
}

/// Rows of files.
pub(crate) trait FileTable {
    /// A file that is neither deleted nor expired.
    fn live_file(&self, key: FileKey, now: Timestamp) -> Result<Option<FileRecord>, StoreError>;

    /// The file of this name in the folder, which may be past its time.
    fn file_named(&self, folder: Option<FolderKey>, full_name: &str) -> Result<Option<FileRecord>, StoreError>;

    /// The first live file with this content: in the folder, which is 0 for the root, or everywhere where none is given.
    fn file_with(
        &self,
        content: &StoredContent,
        folder: Option<i64>,
        now: Timestamp,
    ) -> Result<Option<FileRecord>, StoreError>;

    /// Shows each name in the folder that begins with the stem and a '-'.
    fn see_numbered_names(
        &self,
        folder: Option<FolderKey>,
        stem: &str,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), StoreError>;

    /// Adds a row, whose `folder_path` does not count, and gives it as it is stored; none where its id or name is held
    /// already.
    fn insert_file(&self, row: &FileRecord, erase_from: Option<Timestamp>) -> Result<Option<FileRecord>, StoreError>;

    fn rename_file(&self, key: FileKey, name: &FileName) -> Result<(), StoreError>;

    /// Writes what can be changed of a file apart from its content.
    fn update_file(&self, row: &FileRecord) -> Result<(), StoreError>;

    /// Writes a file's content, and what can be changed with it.
    fn update_content(&self, row: &FileRecord) -> Result<(), StoreError>;

    fn mark_file_deleted(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError>;

    /// Marks a file as deleted and to be erased, each where it is not yet. False where there is none.
    fn mark_file_for_erasure(&self, key: FileKey, now: Timestamp) -> Result<bool, StoreError>;

    /// Marks files whose time is over as deleted and to be erased. Gives how many.
    fn expire_files(&self, now: Timestamp) -> Result<usize, StoreError>;

    fn next_expiry(&self) -> Result<Option<Timestamp>, StoreError>;

    fn files_to_erase(&self, limit: u32) -> Result<Vec<FileKey>, StoreError>;

    /// The time of the oldest of `files_to_erase`.
    fn oldest_erasure(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Removes the row of a file that is to be erased. Gives its blob, and since when it was to be.
    fn erase_file(&self, key: FileKey) -> Result<Option<(BlobId, Timestamp)>, StoreError>;
}

/// Rows of the sums of blobs by block, and of the blobs that no row names anymore.
pub(crate) trait BlobTable {
    /// The bytes in these places of the sums of a blob.
    fn block_sums(&self, blob: &BlobId, places: &Range<usize>) -> Result<Option<BlockSums>, StoreError>;

    /// Adds the sums of a file's blob, if it has none yet and is the file's still.
    fn add_block_sums(&self, file: FileKey, blob: &BlobId, sums: &BlockSums) -> Result<(), StoreError>;

    fn insert_block_sums(&self, blob: &BlobId, sums: &BlockSums) -> Result<(), StoreError>;

    fn delete_block_sums(&self, blob: &BlobId) -> Result<(), StoreError>;

    fn insert_unused_blob(&self, blob: &BlobId, since: Timestamp) -> Result<(), StoreError>;

    fn unused_blobs(&self, since: Timestamp, limit: u32) -> Result<Vec<BlobId>, StoreError>;

    fn count_unused_from(&self, now: Timestamp) -> Result<(), StoreError>;

    fn oldest_unused_blob(&self) -> Result<Option<Timestamp>, StoreError>;

    fn delete_unused_blob(&self, blob: &BlobId) -> Result<(), StoreError>;
}

/// Rows of the blobs that no other row names yet, and of the bucket that they are in.
pub(crate) trait PendingBlobTable {
    fn insert_pending_blob(&self, blob: &BlobId, since: Timestamp) -> Result<(), StoreError>;

    /// False where it is not pending.
    fn delete_pending_blob(&self, blob: &BlobId) -> Result<bool, StoreError>;

    /// Has blobs that are noted as pending from a later time on be so from now on.
    fn count_pending_from(&self, now: Timestamp) -> Result<(), StoreError>;

    /// Makes blobs unused that have been pending since this time or longer.
    fn release_pending_blobs(&self, since: Timestamp, now: Timestamp) -> Result<(), StoreError>;

    fn oldest_pending_blob(&self) -> Result<Option<Timestamp>, StoreError>;

    fn bucket(&self) -> Result<Option<String>, StoreError>;

    fn insert_bucket(&self, address: &str) -> Result<(), StoreError>;
}

/// Rows of tasks.
pub(crate) trait TaskTable {
    fn insert_task(
        &self,
        id: &TaskId,
        kind: TaskKind,
        request: &str,
        origin: Option<&str>,
        now: Timestamp,
        turn: Timestamp,
    ) -> Result<(), StoreError>;

    fn task(&self, id: &TaskId, kind: TaskKind) -> Result<Option<TaskRecord>, StoreError>;

    fn tasks_in_turn(&self, kind: TaskKind, now: Timestamp, limit: u32) -> Result<Vec<TaskRecord>, StoreError>;

    /// Those that have not ended.
    fn count_tasks(&self, kind: TaskKind) -> Result<TaskCounts, StoreError>;

    fn next_turn(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError>;

    /// Makes a task whose turn has come PROCESSING, until its next turn. False where its turn has not come, or it is over.
    fn start_task(&self, id: &TaskId, now: Timestamp, turn: Timestamp) -> Result<bool, StoreError>;

    /// Puts the next turn of a task off that is not over.
    fn keep_task(&self, id: &TaskId, turn: Timestamp) -> Result<(), StoreError>;

    /// False where the task is over already.
    fn end_task(
        &self,
        id: &TaskId,
        status: &TaskStatus,
        result: Option<i64>,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Notes that a file is why an import is going to be refused.
    fn refuse_task_for(&self, id: &TaskId, file: i64) -> Result<(), StoreError>;

    /// Forgets the tasks about a file: those that made it, those that were refused because of it, and those that are over
    /// and fetched the same address.
    fn erase_tasks_of(&self, file: FileKey) -> Result<(), StoreError>;

    fn forget_tasks(&self, ended_before: Timestamp) -> Result<(), StoreError>;
}

/// Rows of marks.
pub(crate) trait MarkTable {
    fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError>;

    fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError>;

    /// Sets a mark, or leaves it where it is set already.
    fn mark_from(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError>;

    fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError>;
}

/// Rows of what a recovery found.
pub(crate) trait FindingTable {
    fn insert_finding(&self, file: FileKey, finding: Finding, since: Timestamp) -> Result<(), StoreError>;

    fn count_findings(&self, finding: Finding) -> Result<i64, StoreError>;
}

/// Rows of the CRM usage.
pub(crate) trait UsageTable {
    fn replace_crm_usage(&self, usage: &Usage) -> Result<(), StoreError>;

    fn crm_usage(&self) -> Result<Option<Usage>, StoreError>;
}
