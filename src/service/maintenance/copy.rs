//! Copies a store that nobody serves to another place: another database, a bucket, or both. Bytes
//! are checked on the way. The next copy continues one that was interrupted; until then, no service
//! opens it.

use futures::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;

use super::backup::Copied;
use super::bucket_wait::BucketWait;
use super::copy_news::{CopyNews, Extent};
use super::error::{CopyFault, MaintenanceError};
use super::store_source::{OpenSource, StoreSource};
use super::take_over;
use crate::service::content::blobs::{BlobId, Blobs};
use crate::service::options::ServiceOptions;
use crate::service::startup;
use crate::service::store::{FileRecord, SavedFile, ServiceFlag, Store, StoredContent};

const AT_ONCE: usize = 8;

/// The ends of a copy.
struct Way<'a> {
    from: &'a Blobs,
    store: &'a Store,
    to: &'a Blobs,
    wait: BucketWait<'a>,
}

/// Copies a store to `to`, which must be new or the target of an interrupted copy. Tokens and tasks
/// are left out. Waits for a bucket that does not answer.
///
/// # Errors
///
/// Fails if the store is in use or cannot be read, if the copy cannot be written, and if a bucket
/// does not answer for ten minutes.
pub async fn copy(
    from: &StoreSource,
    to: &ServiceOptions,
    report: &(dyn Fn(CopyNews) + Sync),
) -> Result<Copied, MaintenanceError> {
    let source = from.open().await?;
    let (total, next_id) = source.extent().await?;
    let dest = &*to.data_dir;
    let _to_lock = startup::lock(dest)
        .await
        .map_err(MaintenanceError::copy(dest))?;
    let (store, blobs) = startup::open_to_copy(to)
        .await
        .map_err(MaintenanceError::copy(dest))?;
    let copied = async {
        begin(&store, next_id)
            .await
            .map_err(MaintenanceError::copy(dest))?;
        let way = Way {
            from: &source.blobs,
            store: &store,
            to: &blobs,
            wait: BucketWait::new(report),
        };
        let copied = fill(&source, total, &way)
            .await
            .map_err(MaintenanceError::copy(dest))?;
        source.check_held().await?;
        if copied.damaged.is_empty() {
            store
                .clear_mark(ServiceFlag::BeingCopied)
                .await
                .map_err(MaintenanceError::copy(dest))?;
        }
        Ok(copied)
    };
    let copied = copied.await;
    store.close().await;
    source.close().await;
    copied
}

/// Marks the copy as unfinished.
async fn begin(store: &Store, next_id: i64) -> Result<(), CopyFault> {
    if store.mark(ServiceFlag::BeingCopied).await?.is_none() {
        if store.crm_usage().await?.is_some() {
            return Err("it is a store already; name a new place".into());
        }
        store
            .set_mark(ServiceFlag::BeingCopied, Timestamp::now())
            .await?;
    }
    Ok(store.take_over_ids(next_id).await?)
}

async fn fill(source: &OpenSource, total: Extent, way: &Way<'_>) -> Result<Copied, CopyFault> {
    take_over::all_but_files(&source.rows, way.store).await?;
    source
        .files()
        .map_err(CopyFault::from)
        .map_ok(|page| stream::iter(page).map(Ok))
        .try_flatten()
        .map_ok(|file| copy_file(file, way))
        .try_buffer_unordered(AT_ONCE)
        .try_fold(Copied::default(), async |mut copied, (file, is_sound)| {
            if !is_sound {
                copied.damaged.push(file.record.path());
            }
            copied.files += 1;
            copied.bytes += file.record.content.size;
            let done = Extent {
                files: copied.files,
                bytes: copied.bytes,
            };
            (way.wait.report)(CopyNews::Copied { done, total });
            Ok(copied)
        })
        .await
}

/// Copies a file. Returns `false` if its bytes are not those that were stored; it is then left out.
async fn copy_file(file: SavedFile, way: &Way<'_>) -> Result<(SavedFile, bool), CopyFault> {
    if way.store.has_id(file.record.key).await? {
        return Ok((file, true));
    }
    let old = &file.record.content;
    let away = |source| MaintenanceError::BucketAway { source };
    let mut is_first = true;
    loop {
        let id = BlobId::random();
        way.store.note_pending(&id, Timestamp::now()).await?;
        match way
            .from
            .copy(&old.blob, (way.to, id.clone()), &old.digest)
            .await
        {
            Ok(Ok(sums)) if sums.size == old.size && sums.are_of(&old.digest) => {
                let content = StoredContent {
                    blob: id,
                    digest: sums.digest(),
                    blocks: sums.blocks,
                    ..old.clone()
                };
                let record = FileRecord {
                    content,
                    ..file.record.clone()
                };
                way.store
                    .take_over_file(SavedFile {
                        record,
                        ..file.clone()
                    })
                    .await?;
                return Ok((file, true));
            }
            Ok(unsound) => {
                way.to.discard(id.clone()).await?;
                way.store.forget_pending(&id).await?;
                match unsound {
                    Err(error)
                        if way
                            .wait
                            .may_repeat(&error, way.from, is_first)
                            .await
                            .map_err(away)? => {}
                    _ => return Ok((file, false)),
                }
            }
            Err(error) if way.wait.may_repeat(&error, way.to, is_first).await? => {}
            Err(error) => return Err(error.into()),
        }
        is_first = false;
    }
}
