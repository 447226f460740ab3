//! Reads the rows of a database that may be damaged, as far as possible, for a recovery.

use std::collections::HashMap;

use rusqlite::Row;

use super::audit::{Audit, is_half_copied};
use super::tables::SqliteTables;
use super::values::{optional_time, size, time};
use crate::api::model::{Access, FileKind};
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};
use crate::service::policy;
use crate::service::store::content::StoredContent;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, FileRecord, Finding, FolderKey, FolderRecord};
use crate::service::store::salvage::{Salvage, SavedFile, SavedFiles};
use crate::service::store::sql::UsageTable as _;
use crate::service::store::sql::folder_path;

const FILES: &str = concat!(
    "SELECT f.*, ",
    folder_path!(),
    " AS folder_path FROM files f"
);

impl Audit {
    /// Reads each table up to its first damage.
    pub(crate) async fn salvage(&self) -> Result<Salvage, StoreError> {
        self.read(|tables| {
            let mut found = salvage_but_files(tables);
            found.files = salvage_files(tables, &mut found.faults);
            Ok(found)
        })
        .await
    }

    pub(crate) async fn salvage_but_files(&self) -> Result<Salvage, StoreError> {
        self.read(|tables| Ok(salvage_but_files(tables))).await
    }

    /// Returns a page of files after a position; there may be millions. Only the table itself is
    /// read, since a damaged index could give other files. Fails if the table is damaged.
    pub(crate) async fn files_after(
        &self,
        place: i64,
        limit: u32,
    ) -> Result<SavedFiles, StoreError> {
        let page = concat!(
            "SELECT f.rowid AS place, f.*, ",
            folder_path!(),
            " AS folder_path FROM files f
             WHERE f.rowid > ?1 ORDER BY f.rowid LIMIT ?2"
        );
        self.read(move |tables| {
            let rows = tables.all(page, [place, limit.into()], |row| {
                Ok((file(row)?, row.get("place")?))
            })?;
            Ok(SavedFiles::page(rows, limit))
        })
        .await
    }
}

fn salvage_files(tables: &SqliteTables<'_>, faults: &mut Vec<String>) -> Vec<SavedFile> {
    let mut files = rows(tables, FILES, file, faults);
    let findings = "SELECT file, state FROM recovered_files";
    let findings = rows(tables, findings, finding, faults);
    let findings: HashMap<i64, Finding> = findings.into_iter().flatten().collect();
    for file in &mut files {
        file.finding = findings.get(&file.record.key.0).copied();
    }
    files
}

fn salvage_but_files(tables: &SqliteTables<'_>) -> Salvage {
    let mut faults = Vec::new();
    let folders = rows(tables, "SELECT * FROM folders", folder, &mut faults);
    let unused = rows(
        tables,
        "SELECT blob FROM unused_blobs",
        |row| row.get(0),
        &mut faults,
    );
    let next_id = rows(
        tables,
        "SELECT next FROM id_sequence",
        |row| row.get(0),
        &mut faults,
    );
    Salvage {
        folders,
        files: Vec::new(),
        unused: unused.into_iter().map(BlobId::from_stored).collect(),
        usage: tables.crm_usage().ok().flatten(),
        next_id: next_id.into_iter().max().unwrap_or_default(),
        is_half_copied: is_half_copied(tables),
        faults,
    }
}

fn rows<T>(
    tables: &SqliteTables<'_>,
    query: &str,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
    faults: &mut Vec<String>,
) -> Vec<T> {
    let mut found = Vec::new();
    let mut read_all = || {
        let mut statement = tables.0.prepare(query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            match read(row) {
                Ok(row) => found.push(row),
                Err(error) => faults.push(error.to_string()),
            }
        }
        Ok::<_, rusqlite::Error>(())
    };
    if let Err(error) = read_all() {
        faults.push(error.to_string());
    }
    found
}

/// Reads column by column, so that an unreadable one loses only its row.
fn file(row: &Row<'_>) -> rusqlite::Result<SavedFile> {
    let content = StoredContent {
        blob: BlobId::from_stored(row.get("blob")?),
        size: size(row, "size")?,
        md5: text(row, "md5", "")?,
        digest: ContentDigest::from_stored(row.get("digest")?),
        kind: FileKind::from(text(row, "kind", FileKind::Unspecified.as_str())?.as_str()),
        media_type: text(row, "media_type", "application/octet-stream")?,
        encoding: row
            .get::<_, Option<String>>("encoding")?
            .filter(|encoding| !is_damaged(encoding)),
        width: row.get("width")?,
        height: row.get("height")?,
        blocks: BlockSums::default(),
    };
    let record = FileRecord {
        key: FileKey(row.get("id")?),
        folder: row.get::<_, Option<i64>>("folder_id")?.map(FolderKey),
        folder_path: row.get("folder_path")?,
        stem: row.get("stem")?,
        extension: row.get("extension")?,
        full_name: row.get("full_name")?,
        content,
        access: Access::from(text(row, "access", Access::Private.as_str())?.as_str()),
        usable: row.get("usable")?,
        source_group: text(row, "source_group", policy::SOURCE_GROUP)?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        expires_at: optional_time(row, "expires_at")?,
        deleted_at: optional_time(row, "deleted_at")?,
    };
    Ok(SavedFile {
        record,
        erase_from: optional_time(row, "erase_from")?,
        finding: None,
    })
}

/// Returns `None` for an unknown state.
fn finding(row: &Row<'_>) -> rusqlite::Result<Option<(i64, Finding)>> {
    let (file, state) = (row.get("file")?, row.get_ref("state")?.as_str()?);
    Ok(state.parse().ok().map(|finding| (file, finding)))
}

/// Reads a text that is not part of a name; the default if it is damaged.
fn text(row: &Row<'_>, column: &str, default: &str) -> rusqlite::Result<String> {
    let text = row.get_ref(column)?.as_str()?;
    Ok(if is_damaged(text) { default } else { text }.to_owned())
}

/// No stored text has control characters; other programs could not read rows that have them.
fn is_damaged(text: &str) -> bool {
    text.chars().any(char::is_control)
}

fn folder(row: &Row<'_>) -> rusqlite::Result<FolderRecord> {
    Ok(FolderRecord {
        key: FolderKey(row.get("id")?),
        parent: row.get::<_, Option<i64>>("parent_id")?.map(FolderKey),
        name: row.get("name")?,
        path: row.get("path")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        deleted_at: optional_time(row, "deleted_at")?,
    })
}
