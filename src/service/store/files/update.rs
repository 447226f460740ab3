//! Changes of a file in place: name, folder, access, expiry, and the bytes themselves.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::name_clash::holder;
use super::read::live_file;
use crate::api::model::Access;
use crate::service::domain::names::{FileName, fold};
use crate::service::store::block_sums::keep_block_sums;
use crate::service::store::content::StoredContent;
use crate::service::store::error::StoreError;
use crate::service::store::folders::find_placement;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FileKey, FileRecord};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::statements::execute;
use crate::service::store::sqlite::values::{integer, millis};
use crate::service::store::unused_blobs::release_blob;

/// What becomes of a file's end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ExpiryChange {
    #[default]
    Keep,
    Never,
    At(Timestamp),
}

impl ExpiryChange {
    fn apply(self, old: Option<Timestamp>) -> Option<Timestamp> {
        match self {
            Self::Keep => old,
            Self::Never => None,
            Self::At(time) => Some(time),
        }
    }
}

/// What to change; `None` leaves it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FileChange {
    /// The extension stays.
    pub(crate) stem: Option<String>,
    /// A path must exist.
    pub(crate) placement: Option<Placement>,
    pub(crate) access: Option<Access>,
    pub(crate) usable: Option<bool>,
    pub(crate) expiry: ExpiryChange,
}

impl Store {
    /// Changes what is asked for, or nothing.
    pub(crate) async fn update_file(
        &self,
        key: FileKey,
        change: FileChange,
        now: Timestamp,
    ) -> Result<FileRecord, StoreError> {
        self.write(move |transaction| update(transaction, key, &change, now)).await
    }

    /// Puts other bytes in place of a file's. Id, name, address and creation time stay; the old blob becomes unused.
    pub(crate) async fn replace_file(
        &self,
        key: FileKey,
        content: StoredContent,
        change: FileChange,
        now: Timestamp,
    ) -> Result<FileRecord, StoreError> {
        let blobs = |file: &FileRecord| vec![file.content.blob.clone()];
        self.write_blobs(blobs, move |transaction| replace(transaction, key, &content, &change, now)).await
    }
}

fn update(
    connection: &Connection,
    key: FileKey,
    change: &FileChange,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let old = live_file(connection, key, now)?;
    let folder = match &change.placement {
        None => old.folder,
        Some(placement) => find_placement(connection, placement)?.map(|folder| folder.key),
    };
    let stem = change.stem.as_deref().unwrap_or(&old.stem);
    let name = FileName::from_parts(stem, &old.extension)?;
    if let Some(other) = holder(connection, folder, &name, now)?.filter(|other| other.key != key) {
        return Err(StoreError::NameTaken(other.path()));
    }
    execute(
        connection,
        "UPDATE files SET folder_id = ?1, stem = ?2, stem_folded = ?3, full_name = ?4, access = ?5, usable = ?6,
           expires_at = ?7, updated_at = ?8 WHERE id = ?9",
        params![
            folder,
            name.stem(),
            fold(name.stem()),
            name.full(),
            change.access.as_ref().unwrap_or(&old.access).as_str(),
            change.usable.unwrap_or(old.usable),
            change.expiry.apply(old.expires_at).map(millis),
            millis(now),
            key,
        ],
    )?;
    live_file(connection, key, now)
}

fn replace(
    connection: &Connection,
    key: FileKey,
    content: &StoredContent,
    change: &FileChange,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let old = live_file(connection, key, now)?;
    release_blob(connection, old.content.blob.as_str(), now)?;
    execute(
        connection,
        "UPDATE files SET blob = ?1, size = ?2, md5 = ?3, digest = ?4, kind = ?5, media_type = ?6, encoding = ?7,
           width = ?8, height = ?9, access = ?10, expires_at = ?11, updated_at = ?12 WHERE id = ?13",
        params![
            content.blob.as_str(),
            integer(content.size),
            content.md5,
            content.digest.as_str(),
            content.kind.as_str(),
            content.media_type,
            content.encoding,
            content.width,
            content.height,
            change.access.as_ref().unwrap_or(&old.access).as_str(),
            change.expiry.apply(old.expires_at).map(millis),
            millis(now),
            key,
        ],
    )?;
    keep_block_sums(connection, content)?;
    live_file(connection, key, now)
}
