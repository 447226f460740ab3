//! Changes of a file in place: name, folder, access, expiry, and the bytes themselves.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::name_clash::holder;
use super::read::live_file;
use crate::api::model::Access;
use crate::service::domain::names::{FileName, fold};
use crate::service::store::block_sums::keep_block_sums;
use crate::service::store::content::StoredContent;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::folders::find_placement;
use crate::service::store::placement::Placement;
use crate::service::store::records::{FileKey, FileRecord};
use crate::service::store::unused_blobs::release_blob;
use crate::service::store::values::millis;

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
        self.group.commit(move |connection| Box::pin(async move { update(connection, key, &change, now).await })).await
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
        let change = self.group.commit_blobs(blobs, move |connection| {
            Box::pin(async move { replace(connection, key, &content, &change, now).await })
        });
        change.await
    }
}

async fn update(
    connection: &mut SqliteConnection,
    key: FileKey,
    change: &FileChange,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let old = live_file(&mut *connection, key, now).await?;
    let folder = match &change.placement {
        None => old.folder,
        Some(placement) => find_placement(&mut *connection, placement).await?.map(|folder| folder.key),
    };
    let stem = change.stem.as_deref().unwrap_or(&old.stem);
    let name = FileName::from_parts(stem, &old.extension)?;
    if let Some(other) = holder(&mut *connection, folder, &name, now).await?.filter(|other| other.key != key) {
        return Err(StoreError::NameTaken(other.path()));
    }
    sqlx::query(
        "UPDATE files SET folder_id = $1, stem = $2, stem_folded = $3, full_name = $4, access = $5, usable = $6,
           expires_at = $7, updated_at = $8 WHERE id = $9",
    )
    .bind(folder.map(|folder| folder.0))
    .bind(name.stem())
    .bind(fold(name.stem()))
    .bind(name.full())
    .bind(change.access.as_ref().unwrap_or(&old.access).as_str())
    .bind(change.usable.unwrap_or(old.usable))
    .bind(change.expiry.apply(old.expires_at).map(millis))
    .bind(millis(now))
    .bind(key.0)
    .execute(&mut *connection)
    .await?;
    live_file(connection, key, now).await
}

async fn replace(
    connection: &mut SqliteConnection,
    key: FileKey,
    content: &StoredContent,
    change: &FileChange,
    now: Timestamp,
) -> Result<FileRecord, StoreError> {
    let old = live_file(&mut *connection, key, now).await?;
    release_blob(&mut *connection, old.content.blob.as_str(), now).await?;
    let statement = sqlx::query(
        "UPDATE files SET blob = $1, size = $2, md5 = $3, digest = $4, kind = $5, media_type = $6, encoding = $7,
           width = $8, height = $9, access = $10, expires_at = $11, updated_at = $12 WHERE id = $13",
    );
    content
        .bind_to(statement)
        .bind(change.access.as_ref().unwrap_or(&old.access).as_str())
        .bind(change.expiry.apply(old.expires_at).map(millis))
        .bind(millis(now))
        .bind(key.0)
        .execute(&mut *connection)
        .await?;
    keep_block_sums(&mut *connection, content).await?;
    live_file(connection, key, now).await
}
