//! Fills an empty database with the rows of others, in one transaction: ids, names and places are kept where they are
//! free, and what clashes gets a new id or a numbered name.

use std::collections::HashMap;

use jiff::Timestamp;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use super::block_sums::keep_block_sums;
use super::content::NewContent;
use super::database::{Store, next_id};
use super::error::StoreError;
use super::files::{file_named, next_free_name};
use super::folders::{find_or_create_folder, folder_at};
use super::records::{FolderKey, FolderRecord};
use super::recovered_files::{Finding, note_finding};
use super::salvage::SavedFile;
use super::unused_blobs::release_blob;
use super::values::millis;
use crate::api::model::Access;
use crate::service::content::blobs::BlobId;
use crate::service::domain::names::{FileName, FolderPath, fold};
use crate::service::policy;

/// Rows on their way into the database; dropped before `finish`, none of them is there.
pub(crate) struct Restoration {
    transaction: Transaction<'static, Sqlite>,
    /// Where the folders of the database that is being taken over are now.
    folders: HashMap<FolderKey, Place>,
    now: Timestamp,
}

#[derive(Clone, Copy)]
struct Place {
    key: FolderKey,
    is_live: bool,
}

impl Store {
    pub(crate) async fn restoration(&self, now: Timestamp) -> Result<Restoration, StoreError> {
        Ok(Restoration { transaction: self.writer.begin().await?, folders: HashMap::new(), now })
    }
}

impl Restoration {
    /// Takes over all folders of a database; the files that follow are in them. Gives what is wrong with those that
    /// cannot be taken over.
    pub(crate) async fn folders(&mut self, mut folders: Vec<FolderRecord>) -> Result<Vec<String>, StoreError> {
        self.folders.clear();
        let mut faults = Vec::new();
        // Parents first; of what is deleted the paths may be out of date.
        folders.sort_by_key(|folder| (folder.deleted_at.is_some(), folder.path.matches('/').count(), folder.key));
        for folder in &folders {
            match self.folder(folder).await {
                Ok(key) => {
                    self.folders.insert(folder.key, Place { key, is_live: folder.deleted_at.is_none() });
                }
                Err(error) if error.is_refusal() => faults.push(format!("{}: {error}", folder.path)),
                Err(error) => return Err(error),
            }
        }
        Ok(faults)
    }

    async fn folder(&mut self, folder: &FolderRecord) -> Result<FolderKey, StoreError> {
        if folder.deleted_at.is_none() {
            return self.live_folder(folder).await;
        }
        let path = FolderPath::parse(&folder.path)?;
        let parent = folder.parent.and_then(|parent| self.folders.get(&parent)).map(|place| place.key);
        insert_folder(&mut self.transaction, folder, &path, parent).await
    }

    /// The folder at its path, made if it is not there; the path rules, because parents may be lost.
    async fn live_folder(&mut self, folder: &FolderRecord) -> Result<FolderKey, StoreError> {
        let path = FolderPath::parse(&folder.path)?;
        let Some((parent, _)) = path.split_last() else { return Err(StoreError::FolderMissing(folder.path.clone())) };
        if let Some(there) = folder_at(&mut self.transaction, &path.to_string()).await? {
            return Ok(there.key);
        }
        let parent = find_or_create_folder(&mut self.transaction, &parent, folder.created_at).await?;
        insert_folder(&mut self.transaction, folder, &path, parent).await
    }

    /// Takes over a file, by this name, with these sums and what was found of its bytes. Gives its id.
    pub(crate) async fn file(
        &mut self,
        file: &SavedFile,
        mut name: FileName,
        content: &NewContent,
        finding: Option<Finding>,
    ) -> Result<i64, StoreError> {
        let record = &file.record;
        let is_live = record.deleted_at.is_none();
        let place = record.folder.and_then(|folder| self.folders.get(&folder));
        let folder = place.filter(|place| place.is_live || !is_live).map(|place| place.key);
        if is_live && file_named(&mut self.transaction, folder, &name.full()).await?.is_some() {
            name = next_free_name(&mut self.transaction, folder, &name).await?;
        }
        let id = free_id(&mut self.transaction, record.key.0).await?;
        let row = Row {
            id,
            folder,
            name: &name,
            access: &record.access,
            usable: record.usable,
            source_group: &record.source_group,
            created_at: record.created_at,
            updated_at: record.updated_at,
            expires_at: record.expires_at,
            deleted_at: record.deleted_at,
            erase_from: file.erase_from,
        };
        row.insert(&mut self.transaction, content).await?;
        if let Some(finding) = finding {
            note_finding(&mut self.transaction, id, finding, self.now).await?;
        }
        Ok(id)
    }

    /// Makes a file in the root of bytes that no row names: its name is that of the bytes, and nobody else can fetch it.
    pub(crate) async fn nameless(&mut self, content: &NewContent) -> Result<(), StoreError> {
        let mut name = FileName::parse(content.content.blob.as_str())?;
        if file_named(&mut self.transaction, None, &name.full()).await?.is_some() {
            name = next_free_name(&mut self.transaction, None, &name).await?;
        }
        let row = Row {
            id: next_id(&mut self.transaction).await?,
            folder: None,
            name: &name,
            access: &Access::Private,
            usable: policy::USABLE_IN_CONTENT,
            source_group: policy::SOURCE_GROUP,
            created_at: self.now,
            updated_at: self.now,
            expires_at: None,
            deleted_at: None,
            erase_from: None,
        };
        row.insert(&mut self.transaction, content).await
    }

    /// Goes on with the ids where another database stopped. Comes before anything that may need a new id.
    pub(crate) async fn ids_from(&mut self, next: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE id_sequence SET next = MAX(next, $1)").bind(next).execute(&mut *self.transaction).await?;
        Ok(())
    }

    /// Takes over a blob that is to be removed.
    pub(crate) async fn unused(&mut self, blob: &BlobId) -> Result<(), StoreError> {
        release_blob(&mut self.transaction, blob.as_str(), self.now).await
    }

    pub(crate) async fn finish(self) -> Result<(), StoreError> {
        Ok(self.transaction.commit().await?)
    }
}

/// A folder's row, by the path that was checked: the name beside it may be damaged.
async fn insert_folder(
    connection: &mut SqliteConnection,
    folder: &FolderRecord,
    path: &FolderPath,
    parent: Option<FolderKey>,
) -> Result<FolderKey, StoreError> {
    let Some((_, name)) = path.split_last() else { return Err(StoreError::FolderMissing(folder.path.clone())) };
    let id = free_id(connection, folder.key.0).await?;
    sqlx::query(
        "INSERT INTO folders (id, parent_id, name, name_folded, path, created_at, updated_at, deleted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(parent.map(|parent| parent.0))
    .bind(name)
    .bind(fold(name))
    .bind(path.to_string())
    .bind(millis(folder.created_at))
    .bind(millis(folder.updated_at))
    .bind(folder.deleted_at.map(millis))
    .execute(connection)
    .await?;
    Ok(FolderKey(id))
}

/// This id, or the next one if something has it.
async fn free_id(connection: &mut SqliteConnection, id: i64) -> Result<i64, StoreError> {
    let taken: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM files WHERE id = $1) OR EXISTS (SELECT 1 FROM folders WHERE id = $1)",
    )
    .bind(id)
    .fetch_one(&mut *connection)
    .await?;
    Ok(if taken { next_id(connection).await? } else { id })
}

/// A file's row, apart from what its bytes are.
struct Row<'a> {
    id: i64,
    folder: Option<FolderKey>,
    name: &'a FileName,
    access: &'a Access,
    usable: bool,
    source_group: &'a str,
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: Option<Timestamp>,
    deleted_at: Option<Timestamp>,
    erase_from: Option<Timestamp>,
}

impl Row<'_> {
    async fn insert(&self, connection: &mut SqliteConnection, content: &NewContent) -> Result<(), StoreError> {
        let insert = sqlx::query(
            "INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
               media_type, encoding, width, height, access, usable, source_group, created_at, updated_at, expires_at,
               deleted_at, erase_from)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
               $22, $23)",
        )
        .bind(self.id)
        .bind(self.folder.map(|folder| folder.0))
        .bind(self.name.stem())
        .bind(fold(self.name.stem()))
        .bind(self.name.extension())
        .bind(self.name.full());
        let insert = content
            .content
            .bind_to(insert)
            .bind(self.access.as_str())
            .bind(self.usable)
            .bind(self.source_group)
            .bind(millis(self.created_at))
            .bind(millis(self.updated_at))
            .bind(self.expires_at.map(millis))
            .bind(self.deleted_at.map(millis))
            .bind(self.erase_from.map(millis));
        insert.execute(&mut *connection).await?;
        Ok(keep_block_sums(connection, content).await?)
    }
}
