//! Takes the rows of another store over: all except those of files, and for a backup all of a database on a server.

use std::collections::HashSet;
#[cfg(feature = "postgres")]
use std::path::Path;

use jiff::Timestamp;

use crate::service::store::{FolderRecord, Salvage, ServiceFlag, Store, StoreError};
#[cfg(feature = "postgres")]
use crate::service::store::{LockedDatabase, ScrubDelay};

const FOLDERS: usize = 1000;

/// The number of files that are read and written at once.
#[cfg(feature = "postgres")]
const FILES: u32 = 1000;

/// Takes over everything but files.
pub(super) async fn all_but_files(rows: &Salvage, store: &Store) -> Result<(), StoreError> {
    for folders in parents_first(&rows.folders).chunks(FOLDERS) {
        store.take_over_folders(folders.to_vec()).await?;
    }
    if let Some(usage) = &rows.usage {
        store.replace_crm_usage(usage).await?;
    }
    store.set_mark(ServiceFlag::SampleLibrary, Timestamp::now()).await
}

/// Writes all rows of a snapshot to `file`, which must be empty. They name the same blobs.
#[cfg(feature = "postgres")]
pub(super) async fn snapshot(database: &LockedDatabase, file: &Path) -> Result<(), StoreError> {
    let rows = database.salvage_but_files().await?;
    let store = Store::open(file, None).await?;
    all_but_files(&rows, &store).await?;
    let mut next_id = super::sources::next_id(&rows);
    let mut next = Some(i64::MIN);
    while let Some(place) = next {
        let mut page = database.files_after(place, FILES).await?;
        for file in &mut page.files {
            let content = &mut file.record.content;
            content.blocks = database.block_sums(&content.blob, content.size).await?.unwrap_or_default();
            next_id = next_id.max(file.record.key.0.saturating_add(1));
        }
        store.take_over_rows(page.files).await?;
        next = page.last;
    }
    store.take_over_ids(next_id).await?;
    store.set_mark(ServiceFlag::NamesTell, Timestamp::now()).await?;
    if let Some(database) = store.embedded() {
        database.truncate_log(ScrubDelay::LONG).await?;
    }
    store.close().await;
    Ok(())
}

fn parents_first(folders: &[FolderRecord]) -> Vec<FolderRecord> {
    let mut left: Vec<&FolderRecord> = folders.iter().collect();
    let mut ordered = Vec::with_capacity(left.len());
    let mut placed = HashSet::new();
    loop {
        let (next, rest): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|folder| folder.parent.is_none_or(|parent| placed.contains(&parent)));
        if next.is_empty() {
            return ordered;
        }
        placed.extend(next.iter().map(|folder| folder.key));
        ordered.extend(next.into_iter().cloned());
        left = rest;
    }
}
