//! Reads what can be read of a database that may be damaged or old: the rows that a recovery takes up.

use std::collections::{HashMap, HashSet};

use futures::TryStreamExt as _;
use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::audit::{Audit, BLOB_NAMES_SINCE, digest};
use super::content::StoredContent;
use super::crm::read_usage;
use super::records::{FileKey, FileRecord, FolderKey, FolderRecord, folder_path};
use super::recovered_files::Finding;
use super::values::{number, optional, time};
use crate::api::model::{Access, FileKind};
use crate::service::content::blobs::{BlobId, BlockSums};
use crate::service::crm::Usage;
use crate::service::policy;

/// What was found in a database.
#[derive(Debug, Default)]
pub(crate) struct Salvage {
    pub(crate) folders: Vec<FolderRecord>,
    pub(crate) files: Vec<SavedFile>,
    /// Blobs that were to be removed.
    pub(crate) unused: HashSet<BlobId>,
    pub(crate) usage: Option<Usage>,
    /// The next id that was to be given.
    pub(crate) next_id: i64,
    /// What SQLite said where reading ended too early.
    pub(crate) faults: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct SavedFile {
    pub(crate) record: FileRecord,
    pub(crate) erase_from: Option<Timestamp>,
    /// What an earlier recovery found of its bytes.
    pub(crate) finding: Option<Finding>,
}

impl Audit {
    /// Reads everything up to where it is damaged. Tables that an older form lacks count as empty.
    pub(crate) async fn salvage(&mut self) -> Salvage {
        let mut faults = Vec::new();
        let folders = self.rows("SELECT * FROM folders", folder, &mut faults).await;
        let mut files = self.rows(FILES, file, &mut faults).await;
        if self.form().await.is_ok_and(|form| form >= Some(BLOB_NAMES_SINCE)) {
            let findings = self.rows("SELECT file, state FROM recovered_files", finding, &mut faults).await;
            let findings: HashMap<i64, Finding> = findings.into_iter().flatten().collect();
            for file in &mut files {
                file.finding = findings.get(&file.record.key.0).copied();
            }
        }
        let unused = self.rows("SELECT blob FROM unused_blobs", |row| row.try_get("blob"), &mut faults).await;
        let next_id = self.rows("SELECT next FROM id_sequence", |row| row.try_get("next"), &mut faults).await;
        let usage = read_usage(&mut self.0).await.ok().flatten();
        Salvage {
            folders,
            files,
            unused: unused.into_iter().map(BlobId::from_stored).collect(),
            usage,
            next_id: next_id.into_iter().max().unwrap_or_default(),
            faults,
        }
    }

    async fn rows<T>(
        &mut self,
        query: &'static str,
        read: fn(&SqliteRow) -> Result<T, sqlx::Error>,
        faults: &mut Vec<String>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        let mut rows = sqlx::query(query).fetch(&mut self.0);
        loop {
            match rows.try_next().await {
                Ok(Some(row)) => match read(&row) {
                    Ok(row) => found.push(row),
                    Err(error) => faults.push(error.to_string()),
                },
                Ok(None) => return found,
                Err(error) => {
                    faults.push(error.to_string());
                    return found;
                }
            }
        }
    }
}

const FILES: &str = concat!("SELECT f.*, ", folder_path!(), " AS folder_path FROM files f");

/// Column by column, so that an unreadable one loses only its row.
fn file(row: &SqliteRow) -> Result<SavedFile, sqlx::Error> {
    let content = StoredContent {
        blob: BlobId::from_stored(row.try_get("blob")?),
        size: number(row.try_get("size")?)?,
        md5: text(row, "md5", "")?,
        digest: digest(row)?,
        kind: FileKind::from(text(row, "kind", FileKind::Unspecified.as_str())?.as_str()),
        media_type: text(row, "media_type", "application/octet-stream")?,
        encoding: row.try_get::<Option<String>, _>("encoding")?.filter(|encoding| !is_damaged(encoding)),
        width: optional(row, "width", number)?,
        height: optional(row, "height", number)?,
        blocks: BlockSums::default(),
    };
    let record = FileRecord {
        key: FileKey(row.try_get("id")?),
        folder: row.try_get::<Option<i64>, _>("folder_id")?.map(FolderKey),
        folder_path: row.try_get("folder_path")?,
        stem: row.try_get("stem")?,
        extension: row.try_get("extension")?,
        full_name: row.try_get("full_name")?,
        content,
        access: Access::from(text(row, "access", Access::Private.as_str())?.as_str()),
        usable: row.try_get("usable")?,
        source_group: text(row, "source_group", policy::SOURCE_GROUP)?,
        created_at: time(row.try_get("created_at")?)?,
        updated_at: time(row.try_get("updated_at")?)?,
        expires_at: optional(row, "expires_at", time)?,
        deleted_at: optional(row, "deleted_at", time)?,
    };
    Ok(SavedFile { record, erase_from: optional(row, "erase_from", time)?, finding: None })
}

/// None where it says something that is not known here.
fn finding(row: &SqliteRow) -> Result<Option<(i64, Finding)>, sqlx::Error> {
    let (file, state): (i64, &str) = (row.try_get("file")?, row.try_get("state")?);
    Ok(state.parse().ok().map(|finding| (file, finding)))
}

/// A text that no name is part of; the default where it is damaged.
fn text(row: &SqliteRow, column: &str, default: &str) -> Result<String, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    Ok(if is_damaged(text) { default } else { text }.to_owned())
}

/// Control characters are in no text that was stored; rows that have them cannot be read by others.
fn is_damaged(text: &str) -> bool {
    text.chars().any(char::is_control)
}

fn folder(row: &SqliteRow) -> Result<FolderRecord, sqlx::Error> {
    Ok(FolderRecord {
        key: FolderKey(row.try_get("id")?),
        parent: row.try_get::<Option<i64>, _>("parent_id")?.map(FolderKey),
        name: row.try_get("name")?,
        path: row.try_get("path")?,
        created_at: time(row.try_get("created_at")?)?,
        updated_at: time(row.try_get("updated_at")?)?,
        deleted_at: optional(row, "deleted_at", time)?,
    })
}
