//! Watches that the database file at its path is the one that was opened. Writes to a file that was
//! removed or replaced are lost when the process ends, and SQLite does not notice.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rusqlite::Connection;

use super::sibling_paths::with_suffix;

#[derive(Debug, Clone)]
pub(super) struct Presence(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    file: PathBuf,
    opened: Identity,
    log: OnceLock<Identity>,
    is_lost: AtomicBool,
    is_refused: AtomicBool,
}

impl Presence {
    pub(super) fn of(file: &Path) -> io::Result<Self> {
        let opened = Identity::of(&fs::metadata(file)?);
        Ok(Self(Arc::new(Watched {
            file: file.to_owned(),
            opened,
            log: OnceLock::new(),
            is_lost: AtomicBool::new(false),
            is_refused: AtomicBool::new(false),
        })))
    }

    /// Makes the file count as lost from now on; it stays where it is.
    pub(super) fn refuse(&self) {
        self.0.is_refused.store(true, Ordering::Release);
        self.0.is_lost.store(true, Ordering::Release);
    }

    pub(super) fn is_refused(&self) -> bool {
        self.0.is_refused.load(Ordering::Acquire)
    }

    /// Remembers the current log as that of the open connections; it lives as long as they do.
    pub(super) fn note_log(&self) {
        if let Ok(log) = fs::metadata(with_suffix(&self.0.file, "-wal")) {
            self.0.log.get_or_init(|| Identity::of(&log));
        }
    }

    /// Renames the log of the open connections and its index to go with another database.
    pub(super) fn move_log(&self, database: &Path) -> io::Result<()> {
        let log = with_suffix(&self.0.file, "-wal");
        if fs::metadata(&log)
            .ok()
            .map(|found| Identity::of(&found))
            .as_ref()
            != self.0.log.get()
        {
            return Ok(());
        }
        fs::rename(log, with_suffix(database, "-wal"))?;
        fs::rename(
            with_suffix(&self.0.file, "-shm"),
            with_suffix(database, "-shm"),
        )
    }

    /// Returns `true` if the file is still there. Once missing, it counts as lost, since writes may
    /// have been missed.
    pub(super) fn holds(&self) -> bool {
        let Watched {
            file,
            opened,
            is_lost,
            ..
        } = &*self.0;
        if is_lost.load(Ordering::Acquire) {
            return false;
        }
        let found = fs::metadata(file);
        if let Ok(found) = &found
            && Identity::of(found) == *opened
        {
            return true;
        }
        if !is_lost.swap(true, Ordering::AcqRel) {
            let what = if found.is_ok() {
                "was replaced"
            } else {
                "is gone"
            };
            tracing::error!(
                file = %file.display(),
                "the database file {what}; nothing is stored or answered any more. Stop the service, put the file \
                 back or run 'filedeck store recover', and start it again"
            );
        }
        false
    }

    /// Checks the file before each commit of the connection; if it is lost, the commit becomes a
    /// rollback.
    pub(super) fn guard(&self, connection: &Connection) -> Result<(), rusqlite::Error> {
        let presence = self.clone();
        connection.commit_hook(Some(move || !presence.holds()))
    }

    pub(super) fn file(&self) -> &Path {
        &self.0.file
    }
}

/// The identity of a file. An open connection keeps the inode number from being reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    #[cfg(unix)]
    fn of(found: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            device: found.dev(),
            number: found.ino(),
        }
    }

    /// The system itself keeps others from removing or replacing an open file.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Self {
        Self {
            device: 0,
            number: 0,
        }
    }
}
