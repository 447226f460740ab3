//! What lies where in a data directory, who may read it, and the lock that keeps a second service out of it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use backon::{BlockingRetryable, ConstantBuilder};

use super::private;

/// Files of the store itself, which are for its owner alone. The token is not among them: one that others could read
/// may be known to them, so that it is refused.
const OWN_FILES: [&str; 7] =
    ["filedeck.db", "filedeck.db-wal", "filedeck.db-shm", "filedeck.db-journal", "lock", "holder.lock", "reserve"];

pub(crate) fn database(dir: &Path) -> PathBuf {
    dir.join("filedeck.db")
}

pub(crate) fn blobs(dir: &Path) -> PathBuf {
    dir.join("blobs")
}

/// Where a start puts blobs that no file names.
pub(crate) fn aside(dir: &Path) -> PathBuf {
    dir.join("aside")
}

/// Holds room on the disk for deletions.
pub(crate) fn reserve(dir: &Path) -> PathBuf {
    dir.join("reserve")
}

/// Makes the directory durably, for its owner only. In one that is there already, what is the store's own is closed to
/// others.
pub(crate) fn create(dir: &Path) -> io::Result<()> {
    let dir = std::path::absolute(dir)?;
    let missing: Vec<_> = dir.ancestors().take_while(|ancestor| !ancestor.exists()).collect();
    private::folder_builder().create(&dir)?;
    missing.iter().filter_map(|made| made.parent()).try_for_each(|parent| File::open(parent)?.sync_all())?;
    OWN_FILES.iter().try_for_each(|name| private::tighten(&dir.join(name)))?;
    private::tighten(&dir)
}

/// Fails where nothing can be written, so that the directory is blamed and no file in it.
#[cfg(unix)]
pub(crate) fn check_writable(dir: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    Ok(access(dir, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(not(unix))]
pub(crate) fn check_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Keeps other processes off a data directory for as long as it is there.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Takes the directory's lock; none while another process has it for longer than a process
/// that is just being started keeps what it has inherited.
pub(crate) fn lock(dir: &Path) -> io::Result<Option<Lock>> {
    let lock = private::file_options().create(true).write(true).truncate(false).open(lock_file(dir))?;
    let tries = ConstantBuilder::new().with_delay(Duration::from_millis(20)).with_max_times(10);
    let is_taken = |error: &TryLockError| matches!(error, TryLockError::WouldBlock);
    match (|| lock.try_lock()).retry(tries).when(is_taken).call() {
        Ok(()) => Ok(Some(Lock { _file: lock })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether a service has the directory now. One that cannot be asked counts as in use.
pub(crate) fn is_in_use(dir: &Path) -> bool {
    match File::open(lock_file(dir)) {
        Ok(lock) => lock.try_lock_shared().is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

fn lock_file(dir: &Path) -> PathBuf {
    dir.join("lock")
}
