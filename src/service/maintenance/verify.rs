//! Compares every byte of a store with its database. Changes nothing, so it may run beside the
//! service.

use std::io;
use std::path::{Path, PathBuf};

use futures::{StreamExt as _, stream};

use super::error::MaintenanceError;
use super::shared_rows::SharedRows;
use super::store_source::StoreSource;
use crate::service::content::blobs::{BlobDirectory, BlobId, Blobs};
use crate::service::content::data_dir;
use crate::service::reconcile::Comparison;
#[cfg(feature = "postgres")]
use crate::service::store::HALF_COPIED;
use crate::service::store::{Audit, Expected, StoreError};

/// The number of files that are read at the same time.
const AT_ONCE: usize = 8;

#[derive(Debug, Default)]
pub struct Verification {
    /// The number of files whose bytes were read, including deleted ones that keep theirs.
    pub files: u64,
    pub bytes: u64,
    /// The faults of the database: those that SQLite finds, or half a copy.
    pub database: Vec<String>,
    pub damaged: Vec<DamagedFile>,
    /// Blobs whose rows were lost: neither a row nor a deletion knows them.
    pub without_rows: Vec<PathBuf>,
    /// Uploads without a row that may have been confirmed: they are older than the system start,
    /// and the database has no log. Not searched for while a service runs.
    pub doubtful: Vec<PathBuf>,
    /// Links, pipes and anything else that is named like a blob but is not a regular file.
    pub irregular: Vec<PathBuf>,
    /// The number of unconfirmed uploads left by a killed process; the next start removes them or
    /// moves them aside for a day. Not searched for while a service runs.
    pub leftovers: usize,
    /// The keys of objects in the bucket that the database does not know. They are no findings:
    /// earlier versions let several stores share a bucket.
    pub unknown_objects: Vec<String>,
    /// The reason why the bytes that no row names are not known, if they could not be listed.
    pub unlisted: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    pub id: i64,
    pub path: String,
    /// Set if the file was deleted but keeps its bytes.
    pub deleted: bool,
    pub damage: Damage,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("its bytes are missing")]
    Missing,
    #[error("it has {found} bytes instead of {expected}")]
    Size { expected: u64, found: u64 },
    #[error("its bytes are not those that were stored (their checksum differs)")]
    Content,
    #[error(
        "its bytes are whole, but their checksums by block are not, so it cannot be read; 'filedeck store recover' makes them anew"
    )]
    Sums,
    #[error("its bytes cannot be read: {0}")]
    Unreadable(String),
}

impl Verification {
    /// Returns `true` if all data is there as it was stored.
    pub fn is_sound(&self) -> bool {
        self.findings() == 0
    }

    pub fn findings(&self) -> usize {
        let unknown = self.without_rows.len() + self.doubtful.len() + self.irregular.len();
        self.database.len() + self.damaged.len() + unknown
    }
}

/// Reads the whole store. Bytes in a bucket are all transferred over the network.
///
/// # Errors
///
/// Fails if there is no store, if its folders or its database on a server cannot be read, and if
/// its bucket cannot be read or is not that of this store. Faults of the store are not errors.
pub async fn verify(source: &StoreSource) -> Result<Verification, MaintenanceError> {
    #[cfg(feature = "postgres")]
    if source.database.is_some() {
        let (rows, blobs) = source.share().await?;
        return verify_server(&rows, &blobs)
            .await
            .map_err(|error| source.unreadable(error));
    }
    verify_in(&source.dir, &source.blobs_of_directory().await?).await
}

#[cfg(feature = "postgres")]
async fn verify_server(rows: &SharedRows, blobs: &Blobs) -> Result<Verification, StoreError> {
    let mut found = Verification::default();
    if rows.is_half_copied().await? {
        found.database.push(HALF_COPIED.to_owned());
    }
    check_all(rows, blobs, &mut found).await?;
    Ok(found)
}

async fn verify_in(dir: &Path, blobs: &Blobs) -> Result<Verification, MaintenanceError> {
    let mut found = Verification::default();
    let read = async {
        let audit = Audit::open(&data_dir::database(dir)).await?;
        found.database = audit.faults().await?;
        Ok::<_, StoreError>(audit)
    };
    let audit = match read.await {
        Ok(audit) => audit,
        // A database that is too damaged to be read is a finding, not a failure.
        Err(error) => {
            found.database.push(cause(&error));
            return Ok(found);
        }
    };
    let compared = match blobs.directory() {
        Some(directory) => compare(dir, directory, &audit).await,
        None => Ok(Comparison::default()),
    };
    match compared {
        Ok(compared) => {
            found.leftovers = compared.parts.len() + compared.unanswered.len();
            (found.without_rows, found.irregular) = (compared.without_rows, compared.irregular);
            found.doubtful = compared.doubtful;
        }
        Err(error) => found.database.push(cause(&*error)),
    }
    let rows = SharedRows::Directory(audit);
    let checked = match blobs.directory() {
        Some(_) => check_files(&rows, blobs, &mut found).await.map(drop),
        None => check_all(&rows, blobs, &mut found).await,
    };
    if let Err(error) = checked {
        found.database.push(cause(&error));
    }
    rows.close().await;
    Ok(found)
}

/// Checks all files, and searches for blobs that nothing in the database names. Its order keeps
/// that right beside a service that stores and removes blobs: blobs first, then the tables in the
/// order in which a blob passes through them. A listed blob that has left the last one is removed
/// by the time it is listed again.
async fn check_all(
    rows: &SharedRows,
    blobs: &Blobs,
    found: &mut Verification,
) -> Result<(), StoreError> {
    let listed = blobs.list().await;
    let pending = rows.pending_blobs().await?;
    let named = check_files(rows, blobs, found).await?;
    let unused = rows.unused_blobs().await?;
    let unknown = async {
        let mut unknown = listed?;
        for blob in pending
            .iter()
            .chain(&unused)
            .filter_map(BlobId::number)
            .chain(named)
        {
            unknown.remove(&blob);
        }
        if !unknown.is_empty() {
            let still_there = blobs.list().await?;
            unknown.retain(|blob| still_there.contains(blob));
        }
        Ok::<_, io::Error>(unknown)
    };
    match unknown.await {
        Ok(unknown) => {
            let mut unknown: Vec<_> = unknown
                .into_iter()
                .map(|blob| blobs.location(&BlobId::from_number(blob)))
                .collect();
            unknown.sort_unstable();
            if blobs.directory().is_some() {
                found.without_rows = unknown.into_iter().map(PathBuf::from).collect();
            } else {
                found.unknown_objects = unknown;
            }
        }
        Err(error) => found.unlisted = Some(cause(&error)),
    }
    Ok(())
}

/// Compares the bytes of all files with their rows. Returns their blobs by number.
async fn check_files(
    rows: &SharedRows,
    blobs: &Blobs,
    found: &mut Verification,
) -> Result<Vec<u128>, StoreError> {
    let (mut named, mut next) = (Vec::new(), Some(i64::MIN));
    while let Some(place) = next {
        let (page, last) = rows.expected_after(place).await?;
        named.extend(page.iter().filter_map(|file| file.blob.number()));
        let mut checked = stream::iter(page)
            .map(|file| check(file, rows, blobs))
            .buffered(AT_ONCE);
        while let Some((file, checked)) = checked.next().await {
            found.files += 1;
            found.bytes += file.size;
            let damage = match checked {
                Ok(damage) => damage,
                Err(error) => {
                    let unreadable = format!(
                        "the checksums of {} cannot be read: {}",
                        file.path,
                        cause(&error)
                    );
                    found.database.push(unreadable);
                    None
                }
            };
            // The file may have been replaced or erased since its row was read.
            if let Some(damage) = damage
                && rows.still_names(&file).await?
            {
                found.damaged.push(DamagedFile {
                    id: file.file.0,
                    path: file.path,
                    deleted: file.deleted,
                    damage,
                });
            }
        }
        next = last;
    }
    Ok(named)
}

/// Compares the names of the blobs with the rows. In a store whose names do not show yet which
/// blobs have rows, its first start decides about the few blobs that a crash may have left.
async fn compare(
    dir: &Path,
    blobs: &BlobDirectory,
    audit: &Audit,
) -> Result<Comparison, Box<dyn std::error::Error + Send + Sync>> {
    let mut compared = Comparison::of(blobs, audit, data_dir::has_log(dir)).await?;
    if data_dir::is_in_use(dir) {
        // They may be uploads in progress.
        (compared.unanswered, compared.doubtful, compared.parts) = Default::default();
    }
    Ok(compared)
}

fn cause(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .last()
        .map(ToString::to_string)
        .unwrap_or_default()
}

async fn check(
    file: Expected,
    rows: &SharedRows,
    blobs: &Blobs,
) -> (Expected, Result<Option<Damage>, StoreError>) {
    let damage = match blobs.sums(&file.blob, &file.digest).await {
        Ok(found) if found.size != file.size => Some(Damage::Size {
            expected: file.size,
            found: found.size,
        }),
        Ok(found) if !found.are_of(&file.digest) => Some(Damage::Content),
        // Files of one block have no block sums.
        Ok(found) if found.blocks.blocks() < 2 => None,
        Ok(found) => match rows.block_sums(&file).await {
            Ok(sums) => sums
                .filter(|sums| *sums != found.blocks)
                .map(|_| Damage::Sums),
            Err(error) => return (file, Err(error)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Damage::Missing),
        Err(error) => Some(Damage::Unreadable(cause(&error))),
    };
    (file, Ok(damage))
}
