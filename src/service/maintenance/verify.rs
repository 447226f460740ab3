//! Compares every byte of a store with its database. Changes nothing, so it may run beside the service.

use std::io;
use std::path::{Path, PathBuf};

use super::backup::check_there;
use super::error::MaintenanceError;
use super::place;
use crate::service::content::blobs::{BlobDirectory, Blobs};
use crate::service::content::bucket_settings::BucketSettings;
use crate::service::content::data_dir;
use crate::service::policy;
use crate::service::reconcile::Comparison;
use crate::service::store::{Audit, Expected, StoreError};

#[derive(Debug, Default)]
pub struct Verification {
    /// The number of files whose bytes were read, including deleted ones that keep theirs.
    pub files: u64,
    pub bytes: u64,
    /// The faults that SQLite finds in the database.
    pub database: Vec<String>,
    pub damaged: Vec<DamagedFile>,
    /// Blobs whose rows were lost: neither a row nor a deletion knows them.
    pub without_rows: Vec<PathBuf>,
    /// Uploads without a row that may have been confirmed: they are older than the system start, and the database has
    /// no log. Not searched for while a service runs.
    pub doubtful: Vec<PathBuf>,
    /// Links, pipes and anything else that is named like a blob but is not a regular file.
    pub irregular: Vec<PathBuf>,
    /// The number of unconfirmed uploads left by a killed process; the next start removes them or moves them aside for
    /// a day. Not searched for while a service runs.
    pub leftovers: usize,
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

/// Reads the whole store in `dir`.
///
/// # Errors
///
/// Fails if there is no store, or its folders cannot be read. Faults of the store are not errors.
pub async fn verify(dir: &Path) -> Result<Verification, MaintenanceError> {
    check_there(dir)?;
    verify_in(dir, &place::in_directory(dir).await?).await
}

/// Like `verify`, but also for a store whose bytes are in a bucket: all of them are transferred over the network.
///
/// # Errors
///
/// Fails like `verify`, and if the bucket cannot be read or is not that of this store.
pub async fn verify_with_bucket(dir: &Path, settings: &BucketSettings) -> Result<Verification, MaintenanceError> {
    check_there(dir)?;
    verify_in(dir, &place::anywhere(dir, settings).await?).await
}

async fn verify_in(dir: &Path, blobs: &Blobs) -> Result<Verification, MaintenanceError> {
    let mut found = Verification::default();
    let read = async {
        let audit = Audit::open(&data_dir::database(dir)).await?;
        found.database = audit.faults().await?;
        let expected = audit.expected().await?;
        Ok::<_, StoreError>((audit, expected))
    };
    let (audit, expected) = match read.await {
        Ok(read) => read,
        // A database that is too damaged to be read is a finding, not a failure.
        Err(error) => {
            found.database.push(cause(&error));
            return Ok(found);
        }
    };
    let compared = match blobs.directory() {
        Some(directory) => compare(dir, directory, &audit).await,
        // The names of objects contain no information.
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
    for file in expected {
        let damage = match check(blobs, &audit, &file).await {
            Ok(damage) => damage,
            Err(error) => {
                found.database.push(format!("the checksums of {} cannot be read: {}", file.path, cause(&error)));
                None
            }
        };
        // The file may have been replaced or erased since its row was read.
        if let Some(damage) = damage
            && audit.still_names(file.file, &file.blob).await.map_err(MaintenanceError::store(dir))?
        {
            found.damaged.push(DamagedFile { id: file.file.0, path: file.path, deleted: file.deleted, damage });
        }
        found.files += 1;
        found.bytes += file.size;
    }
    audit.close().await;
    Ok(found)
}

/// Compares the names of the blobs with the rows. In a store whose names do not show yet which blobs have rows, its
/// first start decides about the few blobs that a crash may have left.
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
    if !audit.do_names_tell().await? && compared.without_rows.len() <= policy::UNKNOWN_BLOBS_OF_A_CRASH {
        compared.parts.append(&mut compared.without_rows);
    }
    Ok(compared)
}

fn cause(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).last().map(ToString::to_string).unwrap_or_default()
}

async fn check(blobs: &Blobs, audit: &Audit, file: &Expected) -> Result<Option<Damage>, StoreError> {
    Ok(match blobs.sums(&file.blob, &file.digest).await {
        Ok(found) if found.size != file.size => Some(Damage::Size { expected: file.size, found: found.size }),
        Ok(found) if !found.are_of(&file.digest) => Some(Damage::Content),
        // Files of one block have no block sums.
        Ok(found) if found.blocks.blocks() < 2 => None,
        Ok(found) => audit.block_sums(&file.blob).await?.filter(|sums| *sums != found.blocks).map(|_| Damage::Sums),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Damage::Missing),
        Err(error) => Some(Damage::Unreadable(cause(&error))),
    })
}
