//! Rows as the service uses them, and how they are read.

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};
use serde::{Deserialize, Serialize};

use super::content::StoredContent;
use super::sqlite::values::{optional_time, size, time};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Access, FileKind};
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};

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

impl FromSql for FileKey {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

impl ToSql for FileKey {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for FolderKey {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

impl ToSql for FolderKey {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
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

/// The path of a file's folder, empty for the root. Not a join, which would look up the folders of the rows before a
/// page, too.
macro_rules! folder_path {
    () => {
        "COALESCE((SELECT d.path FROM folders d WHERE d.id = folder_id), '')"
    };
}
pub(super) use folder_path;

/// The columns of `files` that `file` reads after the path of the folder.
macro_rules! own_file_columns {
    () => {
        "id, folder_id, stem, extension, full_name, blob, size, md5, digest, kind, media_type, encoding, width, height, \
         access, usable, source_group, created_at, updated_at, expires_at, deleted_at"
    };
}
pub(super) use own_file_columns;

/// What `file` reads of `files`.
macro_rules! file_columns {
    () => {
        concat!(
            $crate::service::store::records::folder_path!(),
            ", ",
            $crate::service::store::records::own_file_columns!()
        )
    };
}
pub(super) use file_columns;

pub(super) fn file(row: &Row<'_>) -> rusqlite::Result<FileRecord> {
    Ok(FileRecord {
        folder_path: row.get(0)?,
        key: row.get(1)?,
        folder: row.get(2)?,
        stem: row.get(3)?,
        extension: row.get(4)?,
        full_name: row.get(5)?,
        content: StoredContent {
            blob: BlobId::from_stored(row.get(6)?),
            size: size(row, 7)?,
            md5: row.get(8)?,
            digest: ContentDigest::from_stored(row.get(9)?),
            kind: FileKind::from(row.get_ref(10)?.as_str()?),
            media_type: row.get(11)?,
            encoding: row.get(12)?,
            width: row.get(13)?,
            height: row.get(14)?,
            blocks: BlockSums::default(),
        },
        access: Access::from(row.get_ref(15)?.as_str()?),
        usable: row.get(16)?,
        source_group: row.get(17)?,
        created_at: time(row, 18)?,
        updated_at: time(row, 19)?,
        expires_at: optional_time(row, 20)?,
        deleted_at: optional_time(row, 21)?,
    })
}

/// `SELECT` of what `file` reads, from `files f`; the argument is the rest of the query.
macro_rules! select_files {
    ($($rest:expr),+) => {
        concat!("SELECT ", $crate::service::store::records::file_columns!(), " FROM files f ", $($rest),+)
    };
}
pub(super) use select_files;

/// Of `files f` those that are neither deleted nor expired; never to expire is to expire at the latest time there is.
/// What follows begins with the argument for the time now.
macro_rules! where_live {
    () => {
        "WHERE f.deleted_at IS NULL AND COALESCE(f.expires_at, 9223372036854775807) > "
    };
}
pub(super) use where_live;

/// `select_files`, `where_live`.
macro_rules! select_live_files {
    ($rest:literal) => {
        $crate::service::store::records::select_files!($crate::service::store::records::where_live!(), $rest)
    };
}
pub(super) use select_live_files;

/// The columns of `folders f` that `folder` reads.
macro_rules! folder_columns {
    () => {
        "f.id, f.parent_id, f.name, f.path, f.created_at, f.updated_at, f.deleted_at"
    };
}
pub(super) use folder_columns;

pub(super) fn folder(row: &Row<'_>) -> rusqlite::Result<FolderRecord> {
    Ok(FolderRecord {
        key: row.get(0)?,
        parent: row.get(1)?,
        name: row.get(2)?,
        path: row.get(3)?,
        created_at: time(row, 4)?,
        updated_at: time(row, 5)?,
        deleted_at: optional_time(row, 6)?,
    })
}

/// `SELECT` of what `folder` reads, of folders that are not deleted, from `folders f`; the argument is the rest of the query.
macro_rules! select_live_folders {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            $crate::service::store::records::folder_columns!(),
            " FROM folders f WHERE f.deleted_at IS NULL",
            $rest
        )
    };
}
pub(super) use select_live_folders;
