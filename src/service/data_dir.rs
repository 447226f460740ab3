//! What lies where in a data directory, and the lock that keeps a second service out of it.

use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn database(dir: &Path) -> PathBuf {
    dir.join("filedeck.db")
}

pub(super) fn blobs(dir: &Path) -> PathBuf {
    dir.join("blobs")
}

/// Makes the directory durably, for its owner only; one that is there stays as it is.
pub(super) fn create(dir: &Path) -> io::Result<()> {
    let dir = std::path::absolute(dir)?;
    let missing: Vec<_> = dir.ancestors().take_while(|ancestor| !ancestor.exists()).collect();
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&dir)?;
    missing.iter().filter_map(|made| made.parent()).try_for_each(|parent| File::open(parent)?.sync_all())
}

/// Takes the directory's lock, which goes with the file; none while another process has it.
pub(super) fn lock(dir: &Path) -> io::Result<Option<File>> {
    let lock = File::options().create(true).write(true).truncate(false).open(lock_file(dir))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether a service has the directory now. One that cannot be asked counts as in use.
pub(super) fn is_in_use(dir: &Path) -> bool {
    match File::open(lock_file(dir)) {
        Ok(lock) => lock.try_lock_shared().is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

fn lock_file(dir: &Path) -> PathBuf {
    dir.join("lock")
}
