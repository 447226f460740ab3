//! The creation of file rows: duplicate rules, name clashes and missing folders, all in one
//! transaction.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::name_clash::{holder, next_free_name};
use crate::api::ids::TaskId;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy};
use crate::service::content::blobs::BlobId;
use crate::service::domain::names::FileName;
use crate::service::policy;
use crate::service::store::blobs::keep_block_sums;
use crate::service::store::content::StoredContent;
use crate::service::store::database::Store;
use crate::service::store::error::StoreError;
use crate::service::store::folders::{find_or_create_folder, find_placement};
use crate::service::store::placement::Placement;
use crate::service::store::records::{FileKey, FileRecord, FolderKey};
use crate::service::store::sql::Tables;
use crate::service::store::tasks::complete;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DuplicateRule {
    pub(crate) scope: DuplicateScope,
    pub(crate) strategy: DuplicateStrategy,
}

impl Default for DuplicateRule {
    fn default() -> Self {
        Self {
            scope: policy::DEFAULT_DUPLICATE_SCOPE,
            strategy: policy::DEFAULT_DUPLICATE_STRATEGY,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewFileRow {
    /// Missing folders of a path are created.
    pub(crate) placement: Placement,
    pub(crate) name: FileName,
    pub(crate) access: Access,
    pub(crate) expires_at: Option<Timestamp>,
    /// Set to delete a file of the same name. Otherwise, and beside a hidden file, the new one gets
    /// a number.
    pub(crate) overwrite: bool,
    pub(crate) duplicates: DuplicateRule,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Created {
    New(FileRecord),
    /// Under `RETURN_EXISTING`: nothing was stored.
    Existing(FileRecord),
}

impl Created {
    /// The blobs that rows name as a result.
    fn blobs(&self) -> Vec<BlobId> {
        match self {
            Self::New(record) => vec![record.content.blob.clone()],
            Self::Existing(_) => Vec::new(),
        }
    }
}

impl Store {
    /// Creates the row. The blob must be durable; it belongs to the row only if this returns `New`.
    pub(crate) async fn create_file(
        &self,
        new: NewFileRow,
        content: StoredContent,
        now: Timestamp,
    ) -> Result<Created, StoreError> {
        self.write_blobs(Created::blobs, move |tables| {
            create(tables, &new, &content, now)
        })
        .await
    }

    /// Creates all of the rows or none of them, each with its own time. None of them may use
    /// `RETURN_EXISTING`.
    pub(crate) async fn create_files(
        &self,
        files: Vec<(NewFileRow, StoredContent, Timestamp)>,
    ) -> Result<(), StoreError> {
        let blobs: Vec<BlobId> = files.iter().map(|(_, new, _)| new.blob.clone()).collect();
        self.write_blobs(
            move |()| blobs.clone(),
            move |tables| {
                files
                    .iter()
                    .try_for_each(|(new, content, at)| create(tables, new, content, *at).map(drop))
            },
        )
        .await
    }

    /// Creates the row and makes the import COMPLETE in the same transaction, so that neither
    /// exists without the other.
    pub(crate) async fn create_imported_file(
        &self,
        new: NewFileRow,
        content: StoredContent,
        task: TaskId,
        now: Timestamp,
    ) -> Result<Created, StoreError> {
        let blobs = |created: &Result<Created, StoreError>| {
            created.as_ref().map(Created::blobs).unwrap_or_default()
        };
        // A refusal is committed, too.
        self.write_blobs(blobs, move |tables| {
            create_imported(tables, &new, &content, &task, now)
        })
        .await?
    }
}

/// Returns the file, or as an inner error the duplicate that was recorded for the task.
fn create_imported(
    tables: &dyn Tables,
    new: &NewFileRow,
    content: &StoredContent,
    task: &TaskId,
    now: Timestamp,
) -> Result<Result<Created, StoreError>, StoreError> {
    let refusal = match create(tables, new, content, now) {
        Ok(created) => {
            let (Created::New(record) | Created::Existing(record)) = &created;
            complete(tables, task, record.key.0, now)?;
            return Ok(Ok(created));
        }
        Err(refusal) => refusal,
    };
    // A duplicate has written nothing that would have to be rolled back.
    let StoreError::Duplicate { id, .. } = refusal else {
        return Err(refusal);
    };
    tables.refuse_task_for(task, id)?;
    Ok(Err(refusal))
}

/// Creates the row without a commit. If there is a duplicate, nothing is changed.
pub(crate) fn create(
    tables: &dyn Tables,
    new: &NewFileRow,
    content: &StoredContent,
    now: Timestamp,
) -> Result<Created, StoreError> {
    let found = match (find_placement(tables, &new.placement), &new.placement) {
        (Err(StoreError::FolderMissing(_)), Placement::Path(path)) => Err(path),
        (found, _) => Ok(found?.map(|folder| folder.key)),
    };
    let there = found
        .ok()
        .map(|folder| folder.map_or(policy::ROOT_FOLDER_ID, |folder| folder.0));
    if let Some(duplicate) = find_duplicate(tables, there, &new.duplicates, content, now)? {
        return match new.duplicates.strategy {
            DuplicateStrategy::ReturnExisting => Ok(Created::Existing(duplicate)),
            _ => Err(StoreError::Duplicate {
                id: duplicate.key.0,
                path: duplicate.path(),
            }),
        };
    }
    let folder = match found {
        Ok(folder) => folder,
        Err(path) => find_or_create_folder(tables, path, now)?,
    };
    if let Some(created) = insert(tables, folder, &new.name, new, content, now)? {
        return Ok(Created::New(created));
    }
    let name = match holder(tables, folder, &new.name, now)? {
        Some(old) if new.overwrite && !old.access.is_hidden() => {
            tables.mark_file_deleted(old.key, now)?;
            new.name.clone()
        }
        Some(_) => next_free_name(tables, folder, &new.name)?,
        None => new.name.clone(),
    };
    let created = insert(tables, folder, &name, new, content, now)?;
    created
        .map(Created::New)
        .ok_or_else(|| StoreError::NameTaken(name.full()))
}

/// `folder` is 0 for the root, and `None` if the folder does not exist yet.
fn find_duplicate(
    tables: &dyn Tables,
    folder: Option<i64>,
    rule: &DuplicateRule,
    content: &StoredContent,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    if rule.strategy == DuplicateStrategy::None {
        return Ok(None);
    }
    if rule.scope == DuplicateScope::EntirePortal {
        return tables.file_with(content, None, now);
    }
    folder.map_or(Ok(None), |folder| {
        tables.file_with(content, Some(folder), now)
    })
}

/// Inserts the row; returns `None` if the name is taken.
fn insert(
    tables: &dyn Tables,
    folder: Option<FolderKey>,
    name: &FileName,
    new: &NewFileRow,
    content: &StoredContent,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    let row = FileRecord {
        key: FileKey(tables.next_id()?),
        folder,
        folder_path: String::new(),
        stem: name.stem().to_owned(),
        extension: name.extension().to_owned(),
        full_name: name.full(),
        content: content.clone(),
        access: new.access.clone(),
        usable: policy::USABLE_IN_CONTENT,
        source_group: policy::SOURCE_GROUP.to_owned(),
        created_at: now,
        updated_at: now,
        expires_at: new.expires_at,
        deleted_at: None,
    };
    let inserted = tables.insert_file(&row, None)?;
    if inserted.is_some() {
        keep_block_sums(tables, content)?;
    }
    Ok(inserted)
}
