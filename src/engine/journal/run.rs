//! Tells which writers of the journal still run: each process holds a lock, which is released
//! however it ends.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::regular_file::{self, Links};

/// This process among those that write to a journal. Dropping it ends the run.
#[derive(Debug)]
pub(super) struct RunLock {
    pub(super) id: String,
    /// `None` if no other process can see the journal.
    lock: Option<(PathBuf, File)>,
}

impl RunLock {
    pub(super) fn begin(journal: &Path) -> io::Result<Self> {
        let id = uuid::Uuid::now_v7().to_string();
        let lock = lock_path(journal, &id);
        // Locked before it gets the name that others look for.
        let begun = lock.with_extension("begun");
        let held = regular_file::open_own(&begun)?;
        held.try_lock()?;
        fs::rename(begun, &lock)?;
        Ok(Self {
            id,
            lock: Some((lock, held)),
        })
    }

    /// Returns `true` if other processes can see the journal, and what is beside it.
    pub(super) fn is_shared(&self) -> bool {
        self.lock.is_some()
    }

    /// Begins a run of a journal that no other process can see.
    pub(super) fn alone() -> Self {
        Self {
            id: uuid::Uuid::now_v7().to_string(),
            lock: None,
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        if let Some((lock, _held)) = &self.lock {
            // A file that stays is taken for a run that was cut short, and removed by the next one.
            let _ = fs::remove_file(lock);
        }
    }
}

pub(super) fn has_ended(journal: &Path, id: &str) -> bool {
    !is_held(&lock_path(journal, id))
}

/// Removes the lock files of runs that were killed.
pub(super) fn sweep(journal: &Path) {
    let start = file_name(journal) + ".";
    let Some(Ok(entries)) = journal.parent().map(fs::read_dir) else {
        return;
    };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let is_lock = name.to_string_lossy().starts_with(&start)
            && path.extension().is_some_and(|end| end == "lock");
        if is_lock && !is_held(&path) {
            let _ = fs::remove_file(path);
        }
    }
}

fn is_held(lock: &Path) -> bool {
    regular_file::open(lock, Links::Refused)
        .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

fn lock_path(journal: &Path, id: &str) -> PathBuf {
    journal.with_file_name(format!("{}.{id}.lock", file_name(journal)))
}

fn file_name(journal: &Path) -> String {
    journal
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
