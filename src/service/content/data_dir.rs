//! The layout of a data directory, its permissions, and the lock that keeps a second service out of
//! it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use backon::{ConstantBuilder, Retryable as _};

#[cfg(feature = "postgres")]
use super::disk::sync;
use super::private;

/// Files of the store itself, which are only for its owner. The token file is not among them: a
/// token that others could read may be known to them and has to be refused.
const OWN_FILES: [&str; 6] = [
    "filedeck.db",
    "filedeck.db-wal",
    "filedeck.db-shm",
    "filedeck.db-journal",
    "lock",
    "reserve",
];

#[cfg(feature = "postgres")]
const IDENTITY_START: &str = "directory ";

pub(crate) fn database(dir: &Path) -> PathBuf {
    dir.join("filedeck.db")
}

/// Fails if the database or its log is not a regular file, but for instance a link or a pipe.
pub(crate) fn check_database(dir: &Path) -> io::Result<()> {
    for path in [database(dir), log(dir)] {
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            let message = format!(
                "{} is not a regular file; put back the one that was there",
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    }
    Ok(())
}

pub(crate) fn blobs(dir: &Path) -> PathBuf {
    dir.join("blobs")
}

/// The folder to which a start moves blobs that no file names.
pub(crate) fn aside(dir: &Path) -> PathBuf {
    dir.join("aside")
}

/// The write-ahead log of the database, named by SQLite.
pub(crate) fn log(dir: &Path) -> PathBuf {
    dir.join("filedeck.db-wal")
}

/// Returns `true` if the log is not empty: the last process to serve the store was killed, or still
/// serves it.
pub(crate) fn has_log(dir: &Path) -> bool {
    fs::symlink_metadata(log(dir)).is_ok_and(|log| log.len() > 0)
}

pub(crate) fn sample_copy(dir: &Path) -> PathBuf {
    dir.join("sample.db")
}

pub(crate) fn reserve(dir: &Path) -> PathBuf {
    dir.join("reserve")
}

/// Returns the identity of a directory of bytes for a database that is elsewhere. The first call
/// creates it durably.
#[cfg(feature = "postgres")]
pub(crate) fn identity(dir: &Path) -> io::Result<String> {
    if let Some(identity) = known_identity(dir)? {
        return Ok(identity);
    }
    let identity = format!("{IDENTITY_START}{}", uuid::Uuid::new_v4());
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(identity.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(identity_file(dir))
        .map_err(|error| error.error)?;
    sync(dir)?;
    Ok(identity)
}

/// Like `identity`, but returns `None` if there is none yet.
#[cfg(feature = "postgres")]
pub(crate) fn known_identity(dir: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(identity_file(dir)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        identity => identity.map(Some),
    }
}

/// Returns `true` if the place that a database records is a directory, not a bucket.
#[cfg(feature = "postgres")]
pub(crate) fn is_identity(place: &str) -> bool {
    place.starts_with(IDENTITY_START)
}

#[cfg(feature = "postgres")]
fn identity_file(dir: &Path) -> PathBuf {
    dir.join("identity")
}

/// Creates the directory durably, only for its owner. In an existing one, the store's own files are
/// closed to others.
pub(crate) fn create(dir: &Path) -> io::Result<()> {
    let dir = std::path::absolute(dir)?;
    let missing: Vec<_> = dir
        .ancestors()
        .take_while(|ancestor| !ancestor.exists())
        .collect();
    private::folder_builder().create(&dir)?;
    missing
        .iter()
        .filter_map(|made| made.parent())
        .try_for_each(|parent| File::open(parent)?.sync_all())?;
    OWN_FILES
        .iter()
        .try_for_each(|name| private::tighten(&dir.join(name)))?;
    private::tighten(&dir)
}

/// Fails if the directory is not writable, so that the error blames it and not a file in it.
#[cfg(unix)]
pub(crate) fn check_writable(dir: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    Ok(access(dir, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(crate) fn check_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The lock of a data directory. Clones share it; the system releases it however the process ends.
#[derive(Debug, Clone)]
pub struct Lock {
    _file: Arc<File>,
}

impl Lock {
    /// Takes the lock; returns `None` while another process has it. Creates the directory if it is
    /// missing.
    pub fn try_take(dir: &Path) -> io::Result<Option<Self>> {
        let file = open_lock(dir)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self::with(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Like `try_take`, but waits for up to a second: a process that is just starting holds
    /// inherited locks, and the last tasks of a service that was shut down hold its own.
    pub async fn take_soon(dir: &Path) -> io::Result<Option<Self>> {
        let tries = ConstantBuilder::new()
            .with_delay(Duration::from_millis(20))
            .with_max_times(50);
        let taken = (async || Self::try_take(dir).map_err(Some)?.ok_or(None))
            .retry(tries)
            .when(Option::is_none)
            .await;
        match taken {
            Ok(lock) => Ok(Some(lock)),
            Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Waits until the lock is free. Blocks, so it needs a thread of its own.
    pub fn wait(dir: &Path) -> io::Result<Self> {
        let file = open_lock(dir)?;
        file.lock()?;
        Ok(Self::with(file))
    }

    fn with(mut file: File) -> Self {
        // Tells others whom they are waiting for. They can do without if it cannot be written.
        let _ = file
            .set_len(0)
            .and_then(|()| write!(file, "{}", std::process::id()));
        Self {
            _file: Arc::new(file),
        }
    }

    /// Returns the id of the process that has the lock or had it last, if that was recorded.
    pub fn holder(dir: &Path) -> Option<u32> {
        fs::read_to_string(lock_file(dir)).ok()?.parse().ok()
    }

    pub fn holder_in_words(dir: &Path) -> String {
        match Self::holder(dir) {
            Some(process) => format!("another filedeck (process {process})"),
            None => "another filedeck".to_owned(),
        }
    }
}

fn open_lock(dir: &Path) -> io::Result<File> {
    create(dir)?;
    private::file_options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(lock_file(dir))
}

/// Returns `true` if a service is using the directory, or if that cannot be found out.
pub(crate) fn is_in_use(dir: &Path) -> bool {
    match File::open(lock_file(dir)) {
        Ok(lock) => lock.try_lock_shared().is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

fn lock_file(dir: &Path) -> PathBuf {
    dir.join("lock")
}
