//! Fills an empty database with the rows of others, in one transaction: ids, names and places are kept where they are
//! free, and what clashes gets a new id or a numbered name.

use std::collections::HashMap;

use jiff::Timestamp;
use sqlx::{Sqlite, SqliteConnection, Transaction};

use super::block_sums::keep_block_sums;
use super::content::StoredContent;
use super::database::{Store, next_id};
use super::error::StoreError;
use super::files::{DuplicateRule, NewFileRow, create, file_named, next_free_name};
use super::folders::{find_or_create_folder, folder_at};
use super::placement::Placement;
use super::records::{FolderKey, FolderRecord};
use super::recovered_files::{Finding, note_finding};
use super::salvage::SavedFile;
use super::unused_blobs::release_blob;
use super::values::millis;
use crate::api::model::{Access, DuplicateStrategy};
use crate::service::content::blobs::BlobId;
use crate::service::domain::names::{FileName, FolderPath, fold};

/// Rows on their way into the database; dropped before `finish`, none of them is there.
pub(crate) struct Restoration {
    transaction: Transaction<'static, Sqlite>,
    /// Where the folders of the database that is being taken over are now, and whether they are live.
    folders: HashMap<FolderKey, (FolderKey, bool)>,
    now: Timestamp,
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
                    self.folders.insert(folder.key, (key, folder.deleted_at.is_none()));
                }
                Err(error) if error.is_refusal() => faults.push(format!("{}: {error}", folder.path)),
                Err(error) => return Err(error),
            }
        }
        Ok(faults)
    }

    /// The path rules, because parents may be lost, and the name beside it may be damaged. A folder that is there at its
    /// path already is taken for it.
    async fn folder(&mut self, folder: &FolderRecord) -> Result<FolderKey, StoreError> {
        let path = FolderPath::parse(&folder.path)?;
        let Some((above, name)) = path.split_last() else { return Err(StoreError::FolderMissing(folder.path.clone())) };
        let parent = if folder.deleted_at.is_some() {
            folder.parent.and_then(|parent| self.folders.get(&parent)).map(|(key, _)| *key)
        } else if let Some(there) = folder_at(&mut self.transaction, &path.to_string()).await? {
            return Ok(there.key);
        } else {
            find_or_create_folder(&mut self.transaction, &above, folder.created_at).await?
        };
        let id = free_id(&mut self.transaction, folder.key.0).await?;
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
        .execute(&mut *self.transaction)
        .await?;
        Ok(FolderKey(id))
    }

    /// Takes over a file, by this name, with these sums and what was found of its bytes. Gives its id.
    pub(crate) async fn file(
        &mut self,
        file: &SavedFile,
        mut name: FileName,
        content: &StoredContent,
        finding: Option<Finding>,
    ) -> Result<i64, StoreError> {
        let record = &file.record;
        let is_live = record.deleted_at.is_none();
        let place = record.folder.and_then(|folder| self.folders.get(&folder));
        let folder = place.filter(|(_, is_there)| *is_there || !is_live).map(|(key, _)| *key);
        if is_live && file_named(&mut self.transaction, folder, &name.full()).await?.is_some() {
            name = next_free_name(&mut self.transaction, folder, &name).await?;
        }
        let id = free_id(&mut self.transaction, record.key.0).await?;
        let insert = sqlx::query(
            "INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
               media_type, encoding, width, height, access, usable, source_group, created_at, updated_at, expires_at,
               deleted_at, erase_from)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
               $22, $23)",
        )
        .bind(id)
        .bind(folder.map(|folder| folder.0))
        .bind(name.stem())
        .bind(fold(name.stem()))
        .bind(name.extension())
        .bind(name.full());
        let insert = content
            .bind_to(insert)
            .bind(record.access.as_str())
            .bind(record.usable)
            .bind(&record.source_group)
            .bind(millis(record.created_at))
            .bind(millis(record.updated_at))
            .bind(record.expires_at.map(millis))
            .bind(record.deleted_at.map(millis))
            .bind(file.erase_from.map(millis));
        insert.execute(&mut *self.transaction).await?;
        keep_block_sums(&mut self.transaction, content).await?;
        if let Some(finding) = finding {
            note_finding(&mut self.transaction, id, finding, self.now).await?;
        }
        Ok(id)
    }

    /// Makes a file in the root of bytes that no row names: its name is that of the bytes, and nobody else can fetch it.
    pub(crate) async fn nameless(&mut self, content: &StoredContent) -> Result<(), StoreError> {
        let new = NewFileRow {
            placement: Placement::Path(FolderPath::default()),
            name: FileName::parse(content.blob.as_str())?,
            access: Access::Private,
            expires_at: None,
            overwrite: false,
            duplicates: DuplicateRule { strategy: DuplicateStrategy::None, ..DuplicateRule::default() },
        };
        create(&mut self.transaction, &new, content, self.now).await.map(drop)
    }

    /// Continues with the ids where another database stopped. Comes before anything that may need a new id.
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
