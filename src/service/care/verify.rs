//! Holds every byte of a store against what the database says of it. Changes nothing, so it may run beside the service.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use super::error::CareError;
use crate::service::content::blobs::Blobs;
use crate::service::content::data_dir;
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
    /// Bytes that no file names: the next start of the service removes those that are known to be unused, and puts the
    /// others aside. Not looked for while it runs, when they may belong to uploads that are under way.
    pub unnamed_blobs: usize,
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
        self.database.is_empty() && self.damaged.is_empty()
    }
}

/// Reads the whole store in `dir`.
pub async fn verify(dir: &Path) -> Result<Verification, CareError> {
    let file = data_dir::database(dir);
    if !file.is_file() {
        return Err(CareError::NoStore(dir.to_owned()));
    }
    let mut found = Verification::default();
    let blobs = Blobs::at(dir).map_err(CareError::store(dir))?;
    let (mut audit, expected) = match read_database(&file, &mut found).await {
        Ok(read) => read,
        // A database that is too damaged to be read is a finding, not a failure.
        Err(error) => {
            found.database.push(cause(&error));
            return Ok(found);
        }
    };
    if !data_dir::is_in_use(dir) {
        let named: HashSet<_> = expected.iter().map(|file| &file.blob).collect();
        let survey = blobs.survey().await.map_err(CareError::store(dir))?;
        found.unnamed_blobs = survey.unknown(|blob| named.contains(blob)) + survey.unfinished();
    }
    for file in expected {
        let damage = match check(&blobs, &mut audit, &file).await {
            Ok(damage) => damage,
            Err(error) => {
                found.database.push(format!("the checksums of {} cannot be read: {}", file.path, cause(&error)));
                None
            }
        };
        // The file may have been replaced or erased since its row was read.
        if let Some(damage) = damage
            && audit.still_names(file.file, &file.blob).await.map_err(CareError::store(dir))?
        {
            found.damaged.push(DamagedFile { id: file.file.0, path: file.path, deleted: file.deleted, damage });
        }
        found.files += 1;
        found.bytes += file.size;
    }
    audit.close().await.map_err(CareError::store(dir))?;
    Ok(found)
}

async fn read_database(file: &Path, found: &mut Verification) -> Result<(Audit, Vec<Expected>), StoreError> {
    let mut audit = Audit::open(file).await?;
    found.database = audit.faults().await?;
    let expected = audit.expected().await?;
    Ok((audit, expected))
}

fn cause(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).last().map(ToString::to_string).unwrap_or_default()
}

async fn check(blobs: &Blobs, audit: &mut Audit, file: &Expected) -> Result<Option<Damage>, StoreError> {
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
