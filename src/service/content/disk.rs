//! Small disk operations that several modules use, and checks for errors that mean a full disk or
//! storage out of reach.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Returns `true` if a full disk is among the causes.
pub(crate) fn is_disk_full(error: &(dyn Error + 'static)) -> bool {
    is_caused_by(
        error,
        &[io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded],
    )
}

/// Returns `true` if storage that is out of reach or misbehaves is among the causes.
pub(crate) fn is_out_of_reach(error: &(dyn Error + 'static)) -> bool {
    is_caused_by(error, &[io::ErrorKind::HostUnreachable])
}

fn is_caused_by(error: &(dyn Error + 'static), kinds: &[io::ErrorKind]) -> bool {
    std::iter::successors(Some(error), |&error| error.source()).any(|error| {
        error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| kinds.contains(&error.kind()))
    })
}

/// Removes files in this order. Files that do not exist count as removed.
pub(crate) fn remove_files(paths: &[PathBuf]) -> io::Result<()> {
    paths
        .iter()
        .try_for_each(|path| match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
}

/// Makes changes to the entries of a folder durable.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("could not be stored")]
    struct NotStored(#[source] io::Error);

    #[test]
    fn a_full_disk_is_seen_through_the_errors_around_it() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert!(is_disk_full(&NotStored(full)));
        assert!(!is_disk_full(&io::Error::from(io::ErrorKind::NotFound)));
    }
}
