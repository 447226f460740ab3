//! How a file row comes to be: duplicate rules, clashing names and missing folders, all in one transaction.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::{Connection as _, SqliteConnection};

use super::delete::mark_deleted;
use super::name_clash::{holder, next_free_name};
use super::read::live_file;
use crate::api::ids::TaskId;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy};
use crate::service::names::{FileName, fold};
use crate::service::policy;
use crate::service::store::content::Content;
use crate::service::store::database::{Store, next_id};
use crate::service::store::error::StoreError;
use crate::service::store::folders::{find_or_create_folder, live_folder};
use crate::service::store::placement::Placement;
use crate::service::store::records::{self, FileKey, FileRecord, FolderKey, select_live_files};
use crate::service::store::tasks::{complete, refuse_for};
use crate::service::store::values::millis;

/// What to do when the same content is there already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DuplicateRule {
    pub(crate) scope: DuplicateScope,
    pub(crate) strategy: DuplicateStrategy,
}

impl Default for DuplicateRule {
    fn default() -> Self {
        Self { scope: policy::DEFAULT_DUPLICATE_SCOPE, strategy: policy::DEFAULT_DUPLICATE_STRATEGY }
    }
}

/// What is asked for, apart from the bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewFile {
    /// Folders of a path that are missing are created.
    pub(crate) placement: Placement,
    pub(crate) name: FileName,
    pub(crate) access: Access,
    pub(crate) expires_at: Option<Timestamp>,
    /// Deletes a file of the same name; otherwise the new one gets a number.
    pub(crate) overwrite: bool,
    pub(crate) duplicates: DuplicateRule,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Created {
    New(FileRecord),
    /// Under `RETURN_EXISTING`: nothing was stored.
    Existing(FileRecord),
}

impl Store {
    /// Creates the row. The blob must be durable; it belongs to the row only if this returns `New`.
    pub(crate) async fn create_file(
        &self,
        new: NewFile,
        content: Content,
        now: Timestamp,
    ) -> Result<Created, StoreError> {
        let change = self.group.commit(move |connection| {
            Box::pin(async move {
                let mut attempt = connection.begin().await?;
                let created = create(&mut attempt, &new, &content, now).await?;
                // Dropping the attempt takes back the folders that it may have made.
                if let Created::New(_) = created {
                    attempt.commit().await?;
                }
                Ok(created)
            })
        });
        change.await
    }

    /// Creates the row and makes the import COMPLETE with it: neither is there without the other.
    pub(crate) async fn create_imported_file(
        &self,
        new: NewFile,
        content: Content,
        task: TaskId,
        now: Timestamp,
    ) -> Result<Created, StoreError> {
        let change = self.group.commit(move |connection| {
            Box::pin(async move {
                let mut attempt = connection.begin().await?;
                let created = create(&mut attempt, &new, &content, now).await;
                match &created {
                    Ok(Created::New(record)) => {
                        attempt.commit().await?;
                        complete(connection, &task, record.key.0, now).await?;
                    }
                    // The folders that the attempt may have made are taken back.
                    Ok(Created::Existing(record)) => {
                        attempt.rollback().await?;
                        complete(connection, &task, record.key.0, now).await?;
                    }
                    Err(StoreError::Duplicate { id, .. }) => {
                        attempt.rollback().await?;
                        refuse_for(connection, &task, *id).await?;
                    }
                    Err(_) => attempt.rollback().await?,
                }
                // A refusal is kept too.
                Ok(created)
            })
        });
        change.await?
    }
}

/// Without a commit: a duplicate leaves folders behind that are to be taken back.
async fn create(
    connection: &mut SqliteConnection,
    new: &NewFile,
    content: &Content,
    now: Timestamp,
) -> Result<Created, StoreError> {
    let folder = match &new.placement {
        Placement::Folder(key) => Some(live_folder(&mut *connection, *key).await?.key),
        Placement::Path(path) => find_or_create_folder(&mut *connection, path, now).await?,
    };
    if let Some(duplicate) = find_duplicate(&mut *connection, folder, &new.duplicates, content, now).await? {
        return match new.duplicates.strategy {
            DuplicateStrategy::ReturnExisting => Ok(Created::Existing(duplicate)),
            _ => Err(StoreError::Duplicate { id: duplicate.key.0, path: duplicate.path() }),
        };
    }
    let name = match holder(&mut *connection, folder, &new.name, now).await? {
        Some(old) if new.overwrite => {
            mark_deleted(&mut *connection, old.key, now).await?;
            new.name.clone()
        }
        Some(_) => next_free_name(&mut *connection, folder, &new.name).await?,
        None => new.name.clone(),
    };
    let key = insert(&mut *connection, folder, &name, new, content, now).await?;
    Ok(Created::New(live_file(connection, key, now).await?))
}

async fn find_duplicate(
    connection: &mut SqliteConnection,
    folder: Option<FolderKey>,
    rule: &DuplicateRule,
    content: &Content,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    if rule.strategy == DuplicateStrategy::None {
        return Ok(None);
    }
    let record: Option<String> = sqlx::query_scalar(select_live_files!(
        "$1 AND f.sha256 = $2 AND ($3 OR COALESCE(f.folder_id, 0) = $4) ORDER BY f.id LIMIT 1"
    ))
    .bind(millis(now))
    .bind(&content.sha256)
    .bind(rule.scope == DuplicateScope::EntirePortal)
    .bind(folder.map_or(0, |folder| folder.0))
    .fetch_optional(connection)
    .await?;
    Ok(record.as_deref().map(records::read).transpose()?)
}

async fn insert(
    connection: &mut SqliteConnection,
    folder: Option<FolderKey>,
    name: &FileName,
    new: &NewFile,
    content: &Content,
    now: Timestamp,
) -> Result<FileKey, StoreError> {
    let id = next_id(connection).await?;
    let insert = sqlx::query(
        "INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, sha256, kind,
           media_type, encoding, width, height, access, usable, source_group, created_at, updated_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19, $20)",
    )
    .bind(id)
    .bind(folder.map(|folder| folder.0))
    .bind(name.stem())
    .bind(fold(name.stem()))
    .bind(name.extension())
    .bind(name.full());
    let insert = content
        .bind_to(insert)
        .bind(new.access.as_str())
        .bind(policy::USABLE_IN_CONTENT)
        .bind(policy::SOURCE_GROUP)
        .bind(millis(now))
        .bind(new.expires_at.map(millis));
    insert.execute(connection).await?;
    Ok(FileKey(id))
}
