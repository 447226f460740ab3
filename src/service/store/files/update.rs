//! Changes to a file in place: name, folder, access, expiry, and the bytes themselves.

use jiff::Timestamp;

use super::name_clash::holder;
use super::read::live_file;
use crate::api::model::Access;
use crate::service::domain::names::FileName;
use crate::service::store::blobs::{keep_block_sums, release_blob};
use crate::service::store::content::StoredContent;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::folders::find_placement;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FileKey, FileRecord};
use crate::service::store::sql::Tables;

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

/// The changes to make; `None` leaves a property as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FileChange {
    /// The extension cannot be changed.
    pub(crate) stem: Option<String>,
    /// If it is a path, it must exist.
    pub(crate) placement: Option<Placement>,
    pub(crate) access: Option<Access>,
    pub(crate) usable: Option<bool>,
    pub(crate) expiry: ExpiryChange,
}

impl Store {
    /// Makes all of the changes or none.
    pub(crate) async fn update_file(
        &self,
        key: FileKey,
        change: FileChange,
        now: Timestamp,
    ) -> Result<FileRecord, StoreError> {
        self.write(move |tables| update(tables, key, &change, now))
            .await
    }

    /// Replaces the bytes of a file. Id, name, address and creation time stay; the old blob becomes
    /// unused.
    pub(crate) async fn replace_file(
        &self,
        key: FileKey,
        content: StoredContent,
        change: FileChange,
        now: Timestamp,
    ) -> Result<FileRecord, StoreError> {
        let blobs = |file: &FileRecord| vec![file.content.blob.clone()];
        self.write_blobs(blobs, move |tables| {
            replace(tables, key, &content, &change, now)
        })
        .await
    }
}

fn update(
    tables: &dyn Tables,
    key: FileKey,
    change: &FileChange,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let old = live_file(tables, key, now)?;
    let folder = match &change.placement {
        None => old.folder,
        Some(placement) => find_placement(tables, placement)?.map(|folder| folder.key),
    };
    let stem = change.stem.as_deref().unwrap_or(&old.stem);
    let name = FileName::from_parts(stem, &old.extension)?;
    if let Some(other) = holder(tables, folder, &name, now)?.filter(|other| other.key != key) {
        return Err(StoreError::NameTaken(other.path()));
    }
    tables.update_file(&FileRecord {
        folder,
        stem: name.stem().to_owned(),
        full_name: name.full(),
        access: change.access.clone().unwrap_or(old.access),
        usable: change.usable.unwrap_or(old.usable),
        expires_at: change.expiry.apply(old.expires_at),
        updated_at: now,
        ..old
    })?;
    live_file(tables, key, now)
}

fn replace(
    tables: &dyn Tables,
    key: FileKey,
    content: &StoredContent,
    change: &FileChange,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let old = live_file(tables, key, now)?;
    release_blob(tables, &old.content.blob, now)?;
    let new = FileRecord {
        content: content.clone(),
        access: change.access.clone().unwrap_or(old.access),
        expires_at: change.expiry.apply(old.expires_at),
        updated_at: now,
        ..old
    };
    tables.update_content(&new)?;
    keep_block_sums(tables, &new.content)?;
    live_file(tables, key, now)
}
