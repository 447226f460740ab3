//! Copies a store to a new directory, even while the service runs: the rows as of one moment, then
//! the bytes that they name. `serve` opens the copy like any other store.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::bucket_wait::BucketWait;
use super::copy_news::{CopyNews, Extent};
use super::error::{CopyFault, MaintenanceError};
use super::shared_rows::SharedRows;
use super::store_source::StoreSource;
use crate::service::content::blobs::{BlobDirectory, BlobId, Blobs};
use crate::service::content::{data_dir, private};
use crate::service::reconcile::Comparison;
use crate::service::start_error::StartError;
use crate::service::store::{Audit, Expected};

/// The maximum number of times that the rows are copied again because bytes named by an earlier
/// copy are gone. Each round copies only new bytes, so a second one is hardly ever needed and a
/// third one almost never.
const ROUNDS: usize = 10;

/// The number of files that are copied at the same time.
const AT_ONCE: usize = 8;

#[derive(Debug, Default)]
pub struct Copied {
    pub files: u64,
    pub bytes: u64,
    /// Paths of files whose bytes are missing or not those that were stored.
    pub damaged: Vec<String>,
    /// Blobs of the store whose rows were lost. They are not in the copy.
    pub without_rows: Vec<PathBuf>,
}

/// Copies the store to `dest`, which must not exist or be empty. The database gets its name last,
/// so an interrupted backup is not a store. Tokens are not copied, and of a database on a server no
/// tasks. Waits for a bucket that does not answer.
///
/// # Errors
///
/// Fails if the store cannot be read, if the copy cannot be written, if a bucket does not answer
/// for ten minutes, and if files are replaced or removed faster than they can be copied.
pub async fn backup(
    source: &StoreSource,
    dest: &Path,
    report: &(dyn Fn(CopyNews) + Sync),
) -> Result<Copied, MaintenanceError> {
    let (rows, from) = source.share().await?;
    if rows
        .is_half_copied()
        .await
        .map_err(|error| source.unreadable(error))?
    {
        return Err(source.unreadable(StartError::HalfCopied));
    }
    make_empty(dest)?;
    let directory = BlobDirectory::open(dest).map_err(MaintenanceError::copy(dest))?;
    let mut bytes = ByteCopy {
        source,
        rows: &rows,
        from: &from,
        to: Blobs::from(directory.clone()),
        directory,
        wait: BucketWait::new(report),
        held: HashMap::new(),
    };
    for _ in 0..ROUNDS {
        let part = dest.join("filedeck.db.part");
        let expected = copy_rows(source, &rows, &part)
            .await
            .map_err(MaintenanceError::copy(dest))?;
        let copied = bytes
            .copy_all(expected)
            .await
            .map_err(MaintenanceError::copy(dest))?;
        if let Some(mut copied) = copied {
            if let (Some(directory), SharedRows::Directory(audit)) = (from.directory(), &rows) {
                let compared = Comparison::of(directory, audit, true).await;
                copied.without_rows = compared
                    .map_err(|error| source.unreadable(error))?
                    .without_rows;
            }
            rows.close().await;
            finish(dest, &part)?;
            return Ok(copied);
        }
    }
    Err(MaintenanceError::NeverStill(dest.to_owned()))
}

/// Writes the rows as of one moment to `part`, and returns the files.
async fn copy_rows(
    source: &StoreSource,
    rows: &SharedRows,
    part: &Path,
) -> Result<Vec<Expected>, CopyFault> {
    // The file is created empty, for its owner only, and then filled by the copy.
    private::file_options()
        .create(true)
        .write(true)
        .truncate(true)
        .open(part)?;
    rows.copy_to(part, |error| source.unreadable(error)).await?;
    let copy = Audit::open_copy(part).await?;
    let expected = copy.expected().await?;
    copy.close().await;
    Ok(expected)
}

fn make_empty(dest: &Path) -> Result<(), MaintenanceError> {
    let unusable = |source| MaintenanceError::Path {
        path: dest.to_owned(),
        source,
    };
    data_dir::create(dest).map_err(unusable)?;
    match fs::read_dir(dest).map_err(unusable)?.next() {
        Some(_) => Err(MaintenanceError::NotEmpty(dest.to_owned())),
        None => Ok(()),
    }
}

/// The bytes on their way to the copy.
struct ByteCopy<'a> {
    source: &'a StoreSource,
    rows: &'a SharedRows,
    from: &'a Blobs,
    to: Blobs,
    directory: BlobDirectory,
    wait: BucketWait<'a>,
    /// The blobs that have been copied, and `true` for each that is as it was stored.
    held: HashMap<BlobId, bool>,
}

#[derive(Clone, Copy)]
enum CopiedBytes {
    Sound,
    Damaged,
    /// They are gone, and so is their row.
    Removed,
}

impl ByteCopy<'_> {
    /// Copies the bytes that have not been copied yet, and records if they are as they were stored.
    /// Returns `None` if some were removed meanwhile, which makes the copy of the rows too old. In
    /// the end, removes those that were copied in an earlier round and are no longer named.
    async fn copy_all(&mut self, expected: Vec<Expected>) -> Result<Option<Copied>, CopyFault> {
        let total = Extent {
            files: expected.len().try_into().unwrap_or(u64::MAX),
            bytes: expected.iter().map(|file| file.size).sum(),
        };
        let mut copied = Copied::default();
        let mut held = HashMap::new();
        let mut is_complete = true;
        let this = &*self;
        let mut arriving = stream::iter(expected)
            .map(|file| this.copy(file))
            .buffered(AT_ONCE);
        while let Some((file, bytes)) = arriving.try_next().await? {
            match bytes {
                CopiedBytes::Sound => {}
                CopiedBytes::Damaged => copied.damaged.push(file.path),
                CopiedBytes::Removed => {
                    is_complete = false;
                    continue;
                }
            }
            held.insert(file.blob, matches!(bytes, CopiedBytes::Sound));
            copied.files += 1;
            copied.bytes += file.size;
            let done = Extent {
                files: copied.files,
                bytes: copied.bytes,
            };
            (self.wait.report)(CopyNews::Copied { done, total });
        }
        drop(arriving);
        if !is_complete {
            self.held.extend(held);
            return Ok(None);
        }
        let former = std::mem::replace(&mut self.held, held).into_keys();
        let unnamed = former
            .filter(|blob| !self.held.contains_key(blob))
            .collect();
        self.to.remove(unnamed).await?;
        Ok(Some(copied))
    }

    async fn copy(&self, file: Expected) -> Result<(Expected, CopiedBytes), CopyFault> {
        if let Some(is_sound) = self.held.get(&file.blob) {
            return Ok((
                file,
                if *is_sound {
                    CopiedBytes::Sound
                } else {
                    CopiedBytes::Damaged
                },
            ));
        }
        let away = |source| MaintenanceError::BucketAway { source };
        let mut is_first = true;
        loop {
            match self
                .from
                .copy(&file.blob, (&self.to, file.blob.clone()), &file.digest)
                .await?
            {
                Ok(sums) => {
                    self.directory.make_final(&file.blob).await?;
                    let is_sound = sums.size == file.size && sums.are_of(&file.digest);
                    return Ok((
                        file,
                        if is_sound {
                            CopiedBytes::Sound
                        } else {
                            CopiedBytes::Damaged
                        },
                    ));
                }
                Err(error)
                    if error.kind() == ErrorKind::NotFound && !self.still_names(&file).await? =>
                {
                    return Ok((file, CopiedBytes::Removed));
                }
                Err(error)
                    if self
                        .wait
                        .may_repeat(&error, self.from, is_first)
                        .await
                        .map_err(away)? =>
                {
                    self.to.discard(file.blob.clone()).await?;
                    is_first = false;
                }
                Err(_) => return Ok((file, CopiedBytes::Damaged)),
            }
        }
    }

    async fn still_names(&self, file: &Expected) -> Result<bool, MaintenanceError> {
        self.rows
            .still_names(file)
            .await
            .map_err(|error| self.source.unreadable(error))
    }
}

fn finish(dest: &Path, part: &Path) -> Result<(), MaintenanceError> {
    let sync = || {
        fs::File::open(part)?.sync_all()?;
        fs::rename(part, data_dir::database(dest))?;
        fs::File::open(dest)?.sync_all()
    };
    sync().map_err(MaintenanceError::copy(dest))
}
