//! Copies a store to a new directory, even while the service runs: the database as of one moment, then the bytes that
//! it names. `serve` opens the copy like any other store.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::MaintenanceError;
use super::place;
use crate::service::content::blobs::{BlobDirectory, BlobId, Blobs};
use crate::service::content::bucket_settings::BucketSettings;
use crate::service::content::{data_dir, private};
use crate::service::reconcile::Comparison;
use crate::service::start_error::StartError;
use crate::service::store::{Audit, Expected};

/// The maximum number of times that the database is copied again because bytes named by an earlier copy are gone. Each
/// round copies only new bytes, so a second one is hardly ever needed and a third one almost never.
const ROUNDS: usize = 10;

#[derive(Debug, Default)]
pub struct Copied {
    pub files: u64,
    pub bytes: u64,
    /// Paths of files whose bytes are missing or not those that were stored.
    pub damaged: Vec<String>,
    /// Blobs of the store whose rows were lost. They are not in the copy.
    pub without_rows: Vec<PathBuf>,
}

/// Copies the store in `dir` to `dest`, which must not exist or be empty. The database gets its name last, so an
/// interrupted backup is not a store. Tokens are not copied.
pub async fn backup(dir: &Path, dest: &Path) -> Result<Copied, MaintenanceError> {
    check_there(dir)?;
    backup_of(dir, &place::in_directory(dir).await?, dest).await
}

/// Like `backup`, but also for a store whose bytes are in a bucket: the copy has them in its directory.
pub async fn backup_with_bucket(
    dir: &Path,
    settings: &BucketSettings,
    dest: &Path,
) -> Result<Copied, MaintenanceError> {
    check_there(dir)?;
    backup_of(dir, &place::anywhere(dir, settings).await?, dest).await
}

pub(super) fn check_there(dir: &Path) -> Result<(), MaintenanceError> {
    if !data_dir::database(dir).exists() {
        return Err(MaintenanceError::NoStore(dir.to_owned()));
    }
    data_dir::check_database(dir).map_err(MaintenanceError::store(dir))
}

async fn backup_of(dir: &Path, from: &Blobs, dest: &Path) -> Result<Copied, MaintenanceError> {
    let source = Audit::open(&data_dir::database(dir)).await.map_err(MaintenanceError::store(dir))?;
    if source.is_half_copied().await.map_err(MaintenanceError::store(dir))? {
        return Err(MaintenanceError::store(dir)(StartError::HalfCopied));
    }
    make_empty(dest)?;
    let directory = BlobDirectory::open(dest).map_err(MaintenanceError::copy(dest))?;
    let to = Blobs::from(directory.clone());
    let mut held = HashMap::new();
    for _ in 0..ROUNDS {
        let part = dest.join("filedeck.db.part");
        // The file is created empty, for its owner only, and then filled by the copy.
        let made = private::file_options().create(true).write(true).truncate(true).open(&part);
        made.map_err(MaintenanceError::copy(dest))?;
        source.copy_to(&part).await.map_err(MaintenanceError::copy(dest))?;
        let copy = Audit::open(&part).await.map_err(MaintenanceError::copy(dest))?;
        let expected = copy.expected().await.map_err(MaintenanceError::copy(dest))?;
        copy.close().await;
        let copied = copy_blobs((from, &to, &directory), &expected, &source, &mut held).await;
        if let Some(mut copied) = copied.map_err(MaintenanceError::copy(dest))? {
            if let Some(directory) = from.directory() {
                let compared = Comparison::of(directory, &source, true).await;
                copied.without_rows = compared.map_err(MaintenanceError::store(dir))?.without_rows;
            }
            source.close().await;
            for file in &expected {
                held.remove(&file.blob);
            }
            // Copied in an earlier round, but no longer named.
            to.remove(held.into_keys().collect()).await.map_err(MaintenanceError::copy(dest))?;
            finish(dest, &part)?;
            return Ok(copied);
        }
    }
    Err(MaintenanceError::NeverStill(dest.to_owned()))
}

fn make_empty(dest: &Path) -> Result<(), MaintenanceError> {
    let unusable = |source| MaintenanceError::Path { path: dest.to_owned(), source };
    data_dir::create(dest).map_err(unusable)?;
    match fs::read_dir(dest).map_err(unusable)?.next() {
        Some(_) => Err(MaintenanceError::NotEmpty(dest.to_owned())),
        None => Ok(()),
    }
}

/// Copies the bytes that have not been copied yet, and records if they are as they were stored. Returns `None` if some
/// were removed meanwhile, which makes the copy of the database too old.
async fn copy_blobs(
    (from, to, directory): (&Blobs, &Blobs, &BlobDirectory),
    expected: &[Expected],
    source: &Audit,
    held: &mut HashMap<BlobId, bool>,
) -> Result<Option<Copied>, Box<dyn Error + Send + Sync>> {
    let mut copied = Copied::default();
    let mut is_complete = true;
    for file in expected {
        let is_sound = match held.get(&file.blob) {
            Some(is_sound) => *is_sound,
            None => match from.copy(&file.blob, (to, file.blob.clone()), &file.digest).await? {
                Ok(sums) => {
                    directory.make_final(&file.blob).await?;
                    let is_sound = sums.size == file.size && sums.are_of(&file.digest);
                    held.insert(file.blob.clone(), is_sound);
                    is_sound
                }
                Err(error)
                    if error.kind() == ErrorKind::NotFound && !source.still_names(file.file, &file.blob).await? =>
                {
                    is_complete = false;
                    continue;
                }
                Err(_) => false,
            },
        };
        if !is_sound {
            copied.damaged.push(file.path.clone());
        }
        copied.files += 1;
        copied.bytes += file.size;
    }
    Ok(is_complete.then_some(copied))
}

fn finish(dest: &Path, part: &Path) -> Result<(), MaintenanceError> {
    let sync = || {
        fs::File::open(part)?.sync_all()?;
        fs::rename(part, data_dir::database(dest))?;
        fs::File::open(dest)?.sync_all()
    };
    sync().map_err(MaintenanceError::copy(dest))
}
