//! Reads what can be read of a database that may be damaged or old: the rows that a recovery takes up.

use std::collections::HashSet;

use futures::TryStreamExt as _;
use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;

use super::audit::Audit;
use super::crm::read_usage;
use super::records::{self, FileRecord, FolderRecord, select_files};
use super::values::{optional, time};
use crate::service::blobs::BlobId;
use crate::service::crm::Usage;

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
}

impl Audit {
    /// Reads everything up to where it is damaged. Tables that an older form lacks count as empty.
    pub(crate) async fn salvage(&mut self) -> Salvage {
        let mut faults = Vec::new();
        let folders = self.rows("SELECT * FROM folders", records::folder, &mut faults).await;
        let files = self.rows(select_files!(""), saved_file, &mut faults).await;
        let unused = self.rows("SELECT blob FROM unused_blobs", blob, &mut faults).await;
        let next_id = self.rows("SELECT next FROM id_sequence", next_id, &mut faults).await;
        let usage = read_usage(&mut self.0).await.ok().flatten();
        Salvage {
            folders,
            files,
            unused: unused.into_iter().collect(),
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

fn saved_file(row: &SqliteRow) -> Result<SavedFile, sqlx::Error> {
    Ok(SavedFile { record: records::file(row)?, erase_from: optional(row, "erase_from", time)? })
}

fn blob(row: &SqliteRow) -> Result<BlobId, sqlx::Error> {
    sqlx::Row::try_get(row, "blob").map(BlobId::from_stored)
}

fn next_id(row: &SqliteRow) -> Result<i64, sqlx::Error> {
    sqlx::Row::try_get(row, "next")
}
