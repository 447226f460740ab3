//! Rows as the service uses them, and how they are read.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::content::StoredContent;
use super::values::{flag_field, optional_time_field, time_field};
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Access, FileKind};

/// Identifies a file in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
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

/// Text in the JSON that it was read from: a page has a thousand, each wanted once.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

impl AsRef<str> for BorrowedText<'_> {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
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
    #[serde(deserialize_with = "flag_field")]
    pub(crate) usable: bool,
    pub(crate) source_group: String,
    #[serde(deserialize_with = "time_field")]
    pub(crate) created_at: Timestamp,
    #[serde(deserialize_with = "time_field")]
    pub(crate) updated_at: Timestamp,
    #[serde(deserialize_with = "optional_time_field")]
    pub(crate) expires_at: Option<Timestamp>,
    #[serde(deserialize_with = "optional_time_field")]
    pub(crate) deleted_at: Option<Timestamp>,
}

impl FileRecord {
    pub(crate) fn path(&self) -> String {
        file_path(&self.folder_path, &self.full_name)
    }
}

/// What is shown of a file: a page has a hundred, and what only the service needs of them stays in the database.
#[derive(Debug, Deserialize)]
pub(crate) struct ShownFile<T = String> {
    pub(crate) key: FileKey,
    pub(crate) folder: Option<FolderKey>,
    /// Empty for the root.
    pub(crate) folder_path: T,
    pub(crate) stem: T,
    /// Without the dot; empty for none.
    pub(crate) extension: T,
    pub(crate) full_name: T,
    pub(crate) size: u64,
    /// Lower-case hex.
    pub(crate) md5: T,
    pub(crate) kind: FileKind,
    pub(crate) encoding: Option<T>,
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) access: Access,
    #[serde(deserialize_with = "flag_field")]
    pub(crate) usable: bool,
    pub(crate) source_group: T,
    #[serde(deserialize_with = "time_field")]
    pub(crate) created_at: Timestamp,
    #[serde(deserialize_with = "time_field")]
    pub(crate) updated_at: Timestamp,
    #[serde(deserialize_with = "optional_time_field")]
    pub(crate) expires_at: Option<Timestamp>,
}

impl<T: AsRef<str>> ShownFile<T> {
    pub(crate) fn path(&self) -> String {
        file_path(self.folder_path.as_ref(), self.full_name.as_ref())
    }
}

impl From<FileRecord> for ShownFile {
    fn from(file: FileRecord) -> Self {
        Self {
            key: file.key,
            folder: file.folder,
            folder_path: file.folder_path,
            stem: file.stem,
            extension: file.extension,
            full_name: file.full_name,
            size: file.content.size,
            md5: file.content.md5,
            kind: file.content.kind,
            encoding: file.content.encoding,
            width: file.content.width,
            height: file.content.height,
            access: file.access,
            usable: file.usable,
            source_group: file.source_group,
            created_at: file.created_at,
            updated_at: file.updated_at,
            expires_at: file.expires_at,
        }
    }
}

fn file_path(folder_path: &str, full_name: &str) -> String {
    [folder_path, "/", full_name].concat()
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct FolderRecord {
    pub(crate) key: FolderKey,
    pub(crate) parent: Option<FolderKey>,
    pub(crate) name: String,
    pub(crate) path: String,
    #[serde(deserialize_with = "time_field")]
    pub(crate) created_at: Timestamp,
    #[serde(deserialize_with = "time_field")]
    pub(crate) updated_at: Timestamp,
    #[serde(deserialize_with = "optional_time_field")]
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

/// A file of `files` as `rows::read` takes it.
macro_rules! file_record {
    () => {
        concat!(
            "concat_ws(char(31), id, COALESCE(folder_id, ''), ",
            $crate::service::store::records::folder_path!(),
            ", stem, extension, full_name, blob, size, md5, digest, kind, media_type, COALESCE(encoding, ''),
               COALESCE(width, ''), COALESCE(height, ''), access, usable, source_group, created_at, updated_at,
               COALESCE(expires_at, ''), COALESCE(deleted_at, ''))"
        )
    };
}
pub(super) use file_record;

/// `SELECT` of a file as `rows::read` takes it, from `files f`; the argument is the rest of the query.
macro_rules! select_files {
    ($($rest:expr),+) => {
        concat!("SELECT ", $crate::service::store::records::file_record!(), " AS record FROM files f ", $($rest),+)
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

/// What is shown of a file of `files`, as `rows::read` takes it, but for the path of its folder, which stands between the two.
pub(super) const SHOWN_FILE: [&str; 2] = [
    "concat_ws(char(31), id, COALESCE(folder_id, ''), ",
    ", stem, extension, full_name, size, md5, kind, COALESCE(encoding, ''), COALESCE(width, ''), COALESCE(height, ''), \
     access, usable, source_group, created_at, updated_at, COALESCE(expires_at, ''))",
];

/// A folder of `folders f` as `rows::read` takes it.
macro_rules! folder_record {
    () => {
        "concat_ws(char(31), f.id, COALESCE(f.parent_id, ''), f.name, f.path, f.created_at, f.updated_at,
           COALESCE(f.deleted_at, ''))"
    };
}
pub(super) use folder_record;

/// `SELECT` of a folder that is not deleted as `rows::read` takes it, from `folders f`; the argument is the rest of the query.
macro_rules! select_live_folders {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            $crate::service::store::records::folder_record!(),
            " AS record FROM folders f WHERE f.deleted_at IS NULL",
            $rest
        )
    };
}
pub(super) use select_live_folders;
