//! Rows as the service uses them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::content::StoredContent;
use crate::api::ids::{FileId, FolderId, TaskId};
use crate::api::model::{Access, TaskStatus};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FileKey(pub(crate) i64);

/// The id of a folder. The root folder is `None` wherever a folder is optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct FolderKey(pub(crate) i64);

impl From<FileKey> for FileId {
    fn from(key: FileKey) -> Self {
        Self::new(key.0.to_string())
    }
}

impl From<FolderKey> for FolderId {
    fn from(key: FolderKey) -> Self {
        Self::new(key.0.to_string())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileRecord {
    pub(crate) key: FileKey,
    pub(crate) folder: Option<FolderKey>,
    /// Empty for the root.
    pub(crate) folder_path: String,
    pub(crate) stem: String,
    /// The extension without the dot; empty if there is none.
    pub(crate) extension: String,
    pub(crate) full_name: String,
    pub(crate) content: StoredContent,
    pub(crate) access: Access,
    pub(crate) usable: bool,
    pub(crate) source_group: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) deleted_at: Option<Timestamp>,
}

impl FileRecord {
    pub(crate) fn path(&self) -> String {
        [&self.folder_path, "/", &self.full_name].concat()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FolderRecord {
    pub(crate) key: FolderKey,
    pub(crate) parent: Option<FolderKey>,
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) deleted_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum TaskKind {
    Import,
    FolderUpdate,
}

/// The number of tasks of a kind that have not ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskCounts {
    pub(crate) waiting: i64,
    pub(crate) running: i64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskRecord {
    pub(crate) id: TaskId,
    pub(crate) status: TaskStatus,
    /// JSON.
    pub(crate) request: String,
    pub(crate) requested_at: Timestamp,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) completed_at: Option<Timestamp>,
    /// Id of the file or folder.
    pub(crate) result: Option<i64>,
    /// JSON.
    pub(crate) error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum ServiceFlag {
    /// The last time that the clock was trusted.
    TrustedTime,
    SampleLibrary,
    /// The time since which another store is being copied into this one.
    BeingCopied,
    /// The time since which pages of the database may hold copies of erased rows.
    Unscrubbed,
}

/// A task to be carried out.
#[derive(Debug, Clone)]
pub(crate) struct NewTask {
    pub(crate) id: TaskId,
    pub(crate) kind: TaskKind,
    /// JSON text, which the store does not read.
    pub(crate) request: String,
    /// The address that an import fetches.
    pub(crate) origin: Option<String>,
    /// The name of the token that requested it.
    pub(crate) caller: String,
    pub(crate) requested_at: Timestamp,
    /// The time at which it may be started.
    pub(crate) turn: Timestamp,
}

/// The state of a file whose bytes, after a recovery, are not those that were stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Finding {
    /// The file keeps the checksums of the stored bytes, so the bytes it has now are not served.
    Damaged,
    /// A user accepted the bytes as they are.
    Accepted,
}
