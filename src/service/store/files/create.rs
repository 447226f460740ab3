//! How a file row comes to be: duplicate rules, clashing names and missing folders, all in one transaction.

use jiff::Timestamp;
use rusqlite::{Connection, Savepoint, params};
use serde::{Deserialize, Serialize};

use super::delete::mark_deleted;
use super::name_clash::{holder, next_free_name};
use crate::api::ids::TaskId;
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy};
use crate::service::content::blobs::BlobId;
use crate::service::domain::names::{FileName, fold};
use crate::service::policy;
use crate::service::store::block_sums::keep_block_sums;
use crate::service::store::content::StoredContent;
use crate::service::store::error::StoreError;
use crate::service::store::folders::{find_or_create_folder, find_placement};
use crate::service::store::placement::Placement;
use crate::service::store::records::{FileKey, FileRecord, FolderKey, file, file_columns, select_live_files};
use crate::service::store::sqlite::database::Store;
use crate::service::store::sqlite::ids::next_id;
use crate::service::store::sqlite::statements::first;
use crate::service::store::sqlite::values::{integer, millis};
use crate::service::store::tasks::{complete, refuse_for};

/// The MD5 leads to few, the digest decides, and no index is for a folder with a sign. Where the row has a digest of
/// before, which nobody makes of new bytes, MD5 and size have to do.
const DUPLICATE: &str = select_live_files!(
    "?1 AND f.md5 = ?2 AND f.size = ?3 AND (f.digest = ?4 OR f.digest NOT GLOB 'blake3:*')
     AND (?5 OR +COALESCE(f.folder_id, 0) = ?6) ORDER BY f.id LIMIT 1"
);

/// What to do when the same content already exists.
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
pub(crate) struct NewFileRow {
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

impl Created {
    /// The blobs that rows name because of it.
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
        self.write_blobs(Created::blobs, move |transaction| create(transaction, &new, &content, now)).await
    }

    /// Creates the rows, all or none of them, each as of its own time. None of them may ask for an existing file.
    pub(crate) async fn create_files(
        &self,
        files: Vec<(NewFileRow, StoredContent, Timestamp)>,
    ) -> Result<(), StoreError> {
        let blobs = files.iter().map(|(_, new, _)| new.blob.clone()).collect();
        self.write_blobs(
            |()| blobs,
            move |transaction| {
                files.iter().try_for_each(|(new, content, at)| create(transaction, new, content, *at).map(drop))
            },
        )
        .await
    }

    /// Creates the row and makes the import COMPLETE with it: neither is there without the other.
    pub(crate) async fn create_imported_file(
        &self,
        new: NewFileRow,
        content: StoredContent,
        task: TaskId,
        now: Timestamp,
    ) -> Result<Created, StoreError> {
        let blobs = |created: &Result<Created, StoreError>| created.as_ref().map(Created::blobs).unwrap_or_default();
        // A refusal is kept too.
        self.write_blobs(blobs, move |transaction| create_imported(transaction, &new, &content, &task, now)).await?
    }
}

/// What was made of it, or why nothing was.
fn create_imported(
    transaction: &mut Savepoint<'_>,
    new: &NewFileRow,
    content: &StoredContent,
    task: &TaskId,
    now: Timestamp,
) -> Result<Result<Created, StoreError>, StoreError> {
    let attempt = transaction.savepoint()?;
    let created = create(&attempt, new, content, now);
    // The folders that an attempt without a new file may have made are taken back.
    if let Ok(Created::New(_)) = created { attempt.commit() } else { attempt.finish() }?;
    match &created {
        Ok(Created::New(record) | Created::Existing(record)) => complete(transaction, task, record.key.0, now)?,
        Err(StoreError::Duplicate { id, .. }) => refuse_for(transaction, task, *id)?,
        Err(_) => {}
    }
    Ok(created)
}

/// Without a commit. A duplicate leaves everything as it was.
pub(crate) fn create(
    connection: &Connection,
    new: &NewFileRow,
    content: &StoredContent,
    now: Timestamp,
) -> Result<Created, StoreError> {
    let found = match (find_placement(connection, &new.placement), &new.placement) {
        (Err(StoreError::FolderMissing(_)), Placement::Path(path)) => Err(path),
        (found, _) => Ok(found?.map(|folder| folder.key)),
    };
    let there = found.ok().map(|folder| folder.map_or(policy::ROOT_FOLDER_ID, |folder| folder.0));
    if let Some(duplicate) = find_duplicate(connection, there, &new.duplicates, content, now)? {
        return match new.duplicates.strategy {
            DuplicateStrategy::ReturnExisting => Ok(Created::Existing(duplicate)),
            _ => Err(StoreError::Duplicate { id: duplicate.key.0, path: duplicate.path() }),
        };
    }
    let folder = match found {
        Ok(folder) => folder,
        Err(path) => find_or_create_folder(connection, path, now)?,
    };
    if let Some(created) = insert(connection, folder, &new.name, new, content, now)? {
        return Ok(Created::New(created));
    }
    let name = match holder(connection, folder, &new.name, now)? {
        Some(old) if new.overwrite => {
            mark_deleted(connection, old.key, now)?;
            new.name.clone()
        }
        Some(_) => next_free_name(connection, folder, &new.name)?,
        None => new.name.clone(),
    };
    let created = insert(connection, folder, &name, new, content, now)?;
    created.map(Created::New).ok_or_else(|| StoreError::NameTaken(name.full()))
}

/// `folder` is 0 for the root, and none where it is not there yet.
fn find_duplicate(
    connection: &Connection,
    folder: Option<i64>,
    rule: &DuplicateRule,
    content: &StoredContent,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    if rule.strategy == DuplicateStrategy::None {
        return Ok(None);
    }
    let everywhere = rule.scope == DuplicateScope::EntirePortal;
    let (size, digest) = (integer(content.size), content.digest.as_str());
    Ok(first(connection, DUPLICATE, params![millis(now), content.md5, size, digest, everywhere, folder], file)?)
}

/// The new row; none where the name is held already.
fn insert(
    connection: &Connection,
    folder: Option<FolderKey>,
    name: &FileName,
    new: &NewFileRow,
    content: &StoredContent,
    now: Timestamp,
) -> Result<Option<FileRecord>, StoreError> {
    let row = FileRecord {
        key: FileKey(next_id(connection)?),
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
    insert_row(connection, &row, None)
}

/// Adds a row, whose `folder_path` does not count, and gives it as it is stored; none where its id or name is held already.
pub(crate) fn insert_row(
    connection: &Connection,
    row: &FileRecord,
    erase_from: Option<Timestamp>,
) -> Result<Option<FileRecord>, StoreError> {
    let insert = concat!(
        "INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
           media_type, encoding, width, height, access, usable, source_group, created_at, updated_at, expires_at,
           deleted_at, erase_from)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)
         ON CONFLICT DO NOTHING RETURNING ",
        file_columns!()
    );
    let content = &row.content;
    let parameters = params![
        row.key,
        row.folder,
        row.stem,
        fold(&row.stem),
        row.extension,
        row.full_name,
        content.blob.as_str(),
        integer(content.size),
        content.md5,
        content.digest.as_str(),
        content.kind.as_str(),
        content.media_type,
        content.encoding,
        content.width,
        content.height,
        row.access.as_str(),
        row.usable,
        row.source_group,
        millis(row.created_at),
        millis(row.updated_at),
        row.expires_at.map(millis),
        row.deleted_at.map(millis),
        erase_from.map(millis),
    ];
    let inserted = first(connection, insert, parameters, file)?;
    if inserted.is_some() {
        keep_block_sums(connection, content)?;
    }
    Ok(inserted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::sqlite::query_plans::{plan, store};

    #[tokio::test]
    async fn a_content_leads_to_its_first_file() {
        let (_dir, store) = store().await;
        let plan = plan(&store, DUPLICATE).await;
        assert!(plan.starts_with("SEARCH f USING INDEX files_by_md5 (md5=?)") && !plan.contains("B-TREE"), "{plan}");
    }
}
