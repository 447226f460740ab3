//! Takes the rows of another store over: all except those of files, and for a backup all of a
//! database on a server.

use std::collections::HashSet;
#[cfg(feature = "postgres")]
use std::path::Path;

use jiff::Timestamp;

#[cfg(feature = "postgres")]
use super::error::{CopyFault, MaintenanceError};
#[cfg(feature = "postgres")]
use crate::service::content::blobs::blocks_of;
#[cfg(feature = "postgres")]
use crate::service::store::LockedDatabase;
use crate::service::store::{FolderRecord, Salvage, ServiceFlag, Store, StoreError};

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
    store
        .set_mark(ServiceFlag::SampleLibrary, Timestamp::now())
        .await
}

/// Writes all rows of a snapshot to `file`, which must be empty. They name the same blobs.
#[cfg(feature = "postgres")]
pub(super) async fn snapshot(
    database: &LockedDatabase,
    unreadable: impl Fn(StoreError) -> MaintenanceError,
    file: &Path,
) -> Result<(), CopyFault> {
    let rows = database.salvage_but_files().await.map_err(&unreadable)?;
    let store = Store::open(file, None).await?;
    all_but_files(&rows, &store).await?;
    let mut next_id = super::sources::next_id(&rows);
    let mut next = Some(i64::MIN);
    while let Some(place) = next {
        let mut page = database
            .files_after(place, FILES)
            .await
            .map_err(&unreadable)?;
        for file in &mut page.files {
            next_id = next_id.max(file.record.key.0.saturating_add(1));
            let content = &mut file.record.content;
            // Files of one block have no block sums.
            if blocks_of(&(0..content.size)).end > 1 {
                let blocks = database
                    .block_sums(&content.blob, content.size)
                    .await
                    .map_err(&unreadable)?;
                content.blocks = blocks.unwrap_or_default();
            }
        }
        store.take_over_rows(page.files).await?;
        next = page.last;
    }
    store.take_over_ids(next_id).await?;
    store.close().await;
    Ok(())
}

fn parents_first(folders: &[FolderRecord]) -> Vec<FolderRecord> {
    let mut left: Vec<&FolderRecord> = folders.iter().collect();
    let mut ordered = Vec::with_capacity(left.len());
    let mut placed = HashSet::new();
    loop {
        let (next, rest): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|folder| folder.parent.is_none_or(|parent| placed.contains(&parent)));
        if next.is_empty() {
            return ordered;
        }
        placed.extend(next.iter().map(|folder| folder.key));
        ordered.extend(next.into_iter().cloned());
        left = rest;
    }
}
