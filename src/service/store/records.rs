//! Rows as the service uses them, and how they are read.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::content::Content;
use super::values::{optional, time};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::Access;

/// Identifies a file in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FileKey(pub(crate) i64);

/// Identifies a folder in the database. The root folder is `None` wherever a folder is optional.
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
    /// Without the dot; empty for none.
    pub(crate) extension: String,
    pub(crate) full_name: String,
    pub(crate) content: Content,
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
        format!("{}/{}", self.folder_path, self.full_name)
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

/// The path of a file's folder, empty for the root. Not a join, which would look up the folders of the rows before a
/// page, too.
macro_rules! folder_path {
    () => {
        "COALESCE((SELECT d.path FROM folders d WHERE d.id = f.folder_id), '')"
    };
}
pub(super) use folder_path;

/// `SELECT` of everything that `file` reads, from `files f`; the argument is the rest of the query.
macro_rules! select_files {
    ($rest:literal) => {
        concat!("SELECT f.*, ", $crate::service::store::records::folder_path!(), " AS folder_path FROM files f ", $rest)
    };
}
pub(super) use select_files;

/// `select_files` of those that are neither deleted nor expired; never to expire is to expire at the latest time there
/// is. What follows begins with the argument for the time now.
macro_rules! select_live_files {
    ($rest:literal) => {
        concat!(
            $crate::service::store::records::select_files!(
                "WHERE f.deleted_at IS NULL AND COALESCE(f.expires_at, 9223372036854775807) > "
            ),
            $rest
        )
    };
}
pub(super) use select_live_files;

pub(super) fn file(row: &SqliteRow) -> Result<FileRecord, sqlx::Error> {
    Ok(FileRecord {
        key: FileKey(row.try_get("id")?),
        folder: row.try_get::<Option<i64>, _>("folder_id")?.map(FolderKey),
        folder_path: row.try_get("folder_path")?,
        stem: row.try_get("stem")?,
        extension: row.try_get("extension")?,
        full_name: row.try_get("full_name")?,
        content: Content::from_row(row)?,
        access: Access::from(row.try_get::<&str, _>("access")?),
        usable: row.try_get("usable")?,
        source_group: row.try_get("source_group")?,
        created_at: time(row.try_get("created_at")?)?,
        updated_at: time(row.try_get("updated_at")?)?,
        expires_at: optional(row, "expires_at", time)?,
        deleted_at: optional(row, "deleted_at", time)?,
    })
}

pub(super) fn folder(row: &SqliteRow) -> Result<FolderRecord, sqlx::Error> {
    Ok(FolderRecord {
        key: FolderKey(row.try_get("id")?),
        parent: row.try_get::<Option<i64>, _>("parent_id")?.map(FolderKey),
        name: row.try_get("name")?,
        path: row.try_get("path")?,
        created_at: time(row.try_get("created_at")?)?,
        updated_at: time(row.try_get("updated_at")?)?,
        deleted_at: optional(row, "deleted_at", time)?,
    })
}
