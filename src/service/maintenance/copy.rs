//! Copies a store that nobody serves to another place: another database, a bucket, or both. Bytes are checked on the
//! way. The next copy continues one that was interrupted; until then, no service opens it.

use std::collections::HashSet;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;

use super::backup::Copied;
use super::error::MaintenanceError;
use super::store_source::{OpenSource, StoreSource};
use crate::service::content::blobs::{BlobId, Blobs};
use crate::service::options::ServiceOptions;
use crate::service::startup;
use crate::service::store::{FolderRecord, SavedFile, ServiceFlag, Store, StoredContent};

type CopyFault = Box<dyn std::error::Error + Send + Sync>;

const AT_ONCE: usize = 8;
const FOLDERS: usize = 1000;

/// Copies a store to `to`, which must be new or the target of an interrupted copy. Tokens and tasks are left out.
pub async fn copy(from: &StoreSource, to: &ServiceOptions) -> Result<Copied, MaintenanceError> {
    let source = from.open().await?;
    let next_id = source.next_id().await?;
    let unwritable = |error: CopyFault| MaintenanceError::Copy { path: to.data_dir.clone(), source: error };
    let _to_lock = startup::lock(&to.data_dir).map_err(|error| unwritable(error.into()))?;
    let (store, blobs) = startup::open_to_copy(to).await.map_err(|error| unwritable(error.into()))?;
    let copied = async {
        let copied = fill((&source, next_id), &store, &blobs).await.map_err(|error| match error.downcast() {
            // Already describes the failure of the source.
            Ok(error) => *error,
            Err(error) => unwritable(error),
        })?;
        source.check_held().await?;
        if copied.damaged.is_empty() {
            store.clear_mark(ServiceFlag::BeingCopied).await.map_err(|error| unwritable(error.into()))?;
        }
        Ok(copied)
    };
    let copied = copied.await;
    store.close().await;
    source.close().await;
    copied
}

async fn fill((source, next_id): (&OpenSource, i64), store: &Store, blobs: &Blobs) -> Result<Copied, CopyFault> {
    if store.mark(ServiceFlag::BeingCopied).await?.is_none() {
        if store.crm_usage().await?.is_some() {
            return Err("it is a store already; name a new place".into());
        }
        store.set_mark(ServiceFlag::BeingCopied, Timestamp::now()).await?;
    }
    let rows = &source.rows;
    store.take_over_ids(next_id).await?;
    for folders in parents_first(&rows.folders).chunks(FOLDERS) {
        store.take_over_folders(folders.to_vec()).await?;
    }
    let copied = source
        .files()
        .map_err(CopyFault::from)
        .map_ok(|page| stream::iter(page).map(Ok))
        .try_flatten()
        .map_ok(|file| copy_file(file, &source.blobs, store, blobs))
        .try_buffer_unordered(AT_ONCE)
        .try_fold(Copied::default(), async |mut copied, (file, is_sound)| {
            if !is_sound {
                copied.damaged.push(file.record.path());
            }
            copied.files += 1;
            copied.bytes += file.record.content.size;
            Ok(copied)
        });
    let copied = copied.await?;
    if let Some(usage) = &rows.usage {
        store.replace_crm_usage(usage).await?;
    }
    store.set_mark(ServiceFlag::SampleLibrary, Timestamp::now()).await?;
    Ok(copied)
}

/// Copies a file. Returns `false` if its bytes are not those that were stored; it is then left out.
async fn copy_file(
    file: SavedFile,
    from: &Blobs,
    store: &Store,
    blobs: &Blobs,
) -> Result<(SavedFile, bool), CopyFault> {
    if store.has_id(file.record.key).await? {
        return Ok((file, true));
    }
    let (old, id) = (&file.record.content, BlobId::random());
    store.note_pending(&id, Timestamp::now()).await?;
    let written = from.copy(&old.blob, (blobs, id.clone()), &old.digest).await?;
    let sums = match written {
        Ok(sums) if sums.size == old.size && sums.are_of(&old.digest) => sums,
        _ => {
            blobs.discard(id.clone()).await?;
            store.forget_pending(&id).await?;
            return Ok((file, false));
        }
    };
    let content = StoredContent { blob: id, digest: sums.digest(), blocks: sums.blocks, ..old.clone() };
    store.take_over_file(&file, content).await?;
    Ok((file, true))
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
