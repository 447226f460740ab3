//! Rows as the service uses them, and how they are read.

use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::database::time;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Access, FileKind};
use crate::service::blobs::BlobId;

/// Identifies a file in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FileKey(pub(crate) i64);

/// Identifies a folder in the database. The root folder is `None` wherever a folder is optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    pub(crate) blob: BlobId,
    pub(crate) size: u64,
    pub(crate) md5: String,
    pub(crate) sha256: String,
    pub(crate) kind: FileKind,
    pub(crate) media_type: String,
    pub(crate) encoding: Option<String>,
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
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

/// `SELECT` of everything that `file` reads, from `files f` with its folder `d`; the argument is the rest of the query.
macro_rules! select_files {
    ($rest:literal) => {
        concat!(
            "SELECT f.*, COALESCE(d.path, '') AS folder_path FROM files f LEFT JOIN folders d ON d.id = f.folder_id ",
            $rest
        )
    };
}
pub(super) use select_files;

pub(super) fn file(row: &SqliteRow) -> Result<FileRecord, sqlx::Error> {
    Ok(FileRecord {
        key: FileKey(row.try_get("id")?),
        folder: row.try_get::<Option<i64>, _>("folder_id")?.map(FolderKey),
        folder_path: row.try_get("folder_path")?,
        stem: row.try_get("stem")?,
        extension: row.try_get("extension")?,
        full_name: row.try_get("full_name")?,
        blob: BlobId::from_stored(row.try_get("blob")?),
        size: number(row.try_get("size")?)?,
        md5: row.try_get("md5")?,
        sha256: row.try_get("sha256")?,
        kind: FileKind::from(row.try_get::<&str, _>("kind")?),
        media_type: row.try_get("media_type")?,
        encoding: row.try_get("encoding")?,
        width: row.try_get::<Option<i64>, _>("width")?.map(number).transpose()?,
        height: row.try_get::<Option<i64>, _>("height")?.map(number).transpose()?,
        access: Access::from(row.try_get::<&str, _>("access")?),
        usable: row.try_get("usable")?,
        source_group: row.try_get("source_group")?,
        created_at: time(row.try_get("created_at")?)?,
        updated_at: time(row.try_get("updated_at")?)?,
        expires_at: row.try_get::<Option<i64>, _>("expires_at")?.map(time).transpose()?,
        deleted_at: row.try_get::<Option<i64>, _>("deleted_at")?.map(time).transpose()?,
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
        deleted_at: row.try_get::<Option<i64>, _>("deleted_at")?.map(time).transpose()?,
    })
}

pub(super) fn number<T: TryFrom<i64>>(value: i64) -> Result<T, sqlx::Error>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    T::try_from(value).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}
