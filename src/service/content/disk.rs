//! Small steps on the disk that several modules take, and which failures mean a full disk.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Whether a full disk is somewhere among the causes.
pub(crate) fn is_disk_full(error: &(dyn Error + 'static)) -> bool {
    let is_full = |io: &io::Error| matches!(io.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    std::iter::successors(Some(error), |&error| error.source())
        .any(|error| error.downcast_ref::<io::Error>().is_some_and(is_full))
}

/// Removes files in their order. What is gone already counts as removed.
pub(crate) fn remove_files(paths: &[PathBuf]) -> io::Result<()> {
    paths.iter().try_for_each(|path| match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    })
}

/// Makes the names in a folder durable.
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
