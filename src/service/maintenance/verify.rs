//! Holds every byte of a store against what the database says of it. Changes nothing, so it may run beside the service.

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

/// What a verification found.
#[derive(Debug, Default)]
pub struct Verification {
    /// Files whose bytes were read, deleted ones that keep theirs included.
    pub files: u64,
    pub bytes: u64,
    /// What SQLite finds wrong with the database.
    pub database: Vec<String>,
    pub damaged: Vec<DamagedFile>,
    /// Blobs whose rows were lost: neither a row nor a deletion knows them.
    pub without_rows: Vec<PathBuf>,
    /// Uploads without a row of which nobody knows whether they were answered: they were there before the system was
    /// started, and the database has no log. Not looked for while a service runs.
    pub doubtful: Vec<PathBuf>,
    /// What is named like a blob, and is a link, a pipe or anything else that is no regular file.
    pub irregular: Vec<PathBuf>,
    /// What a kill left of uploads that were never answered: the next start removes it, or puts it aside for a day. Not
    /// looked for while a service runs.
    pub leftovers: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    pub id: i64,
    pub path: String,
    /// Deleted, but its bytes are kept.
    pub deleted: bool,
    pub damage: Damage,
}

/// What is wrong with the bytes of a file.
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
    /// Whether everything that was stored is there as it was stored.
    pub fn is_sound(&self) -> bool {
        self.findings() == 0
    }

    /// How many things are wrong.
    pub fn findings(&self) -> usize {
        let unknown = self.without_rows.len() + self.doubtful.len() + self.irregular.len();
        self.database.len() + self.damaged.len() + unknown
    }
}

/// Reads the whole store in `dir`.
///
/// # Errors
///
/// Where there is no store, or its folders cannot be read. What is wrong with the store is no error.
pub async fn verify(dir: &Path) -> Result<Verification, MaintenanceError> {
    check_there(dir)?;
    verify_in(dir, &place::in_directory(dir).await?).await
}

/// As `verify`, also for a store whose bytes are in a bucket: each of them comes over the network.
///
/// # Errors
///
/// As those of `verify`, and where the bucket cannot be read, or is not the one of this store.
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
        // The names of objects say nothing.
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

/// What the names of the blobs say against the rows. In a store whose names say nothing yet, its first start decides about
/// the few blobs that a crash may have left.
async fn compare(
    dir: &Path,
    blobs: &BlobDirectory,
    audit: &Audit,
) -> Result<Comparison, Box<dyn std::error::Error + Send + Sync>> {
    let mut compared = Comparison::of(blobs, audit, data_dir::has_log(dir)).await?;
    if data_dir::is_in_use(dir) {
        // They may be uploads that it is taking.
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
        // Files of one block have no sums by block.
        Ok(found) if found.blocks.blocks() < 2 => None,
        Ok(found) => audit.block_sums(&file.blob).await?.filter(|sums| *sums != found.blocks).map(|_| Damage::Sums),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Damage::Missing),
        Err(error) => Some(Damage::Unreadable(cause(&error))),
    })
}
