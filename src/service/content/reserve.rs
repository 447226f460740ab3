//! Keeps deletions possible on a full disk: a file reserves space, which is released when a
//! deletion finds none. Until the file can be created again, nothing that adds to the disk is
//! started.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Mutex;

use super::{data_dir, private};
use crate::service::policy;

#[derive(Debug, Clone)]
pub(crate) struct DiskReserve(Arc<Reserve>);

#[derive(Debug)]
struct Reserve {
    path: PathBuf,
    is_held: Mutex<bool>,
    /// The number of deletions that use the space; raised only while `is_held` is locked.
    users: AtomicUsize,
}

impl DiskReserve {
    /// Reserves space in a store's directory if the disk has it.
    pub(crate) async fn of(dir: &Path) -> Self {
        let reserve = Reserve {
            path: data_dir::reserve(dir),
            is_held: Mutex::new(false),
            users: AtomicUsize::new(0),
        };
        let room = Self(Arc::new(reserve));
        if !room.is_held().await {
            tracing::warn!(
                "the disk has no room to spare; only deletions are carried out until it has"
            );
        }
        room
    }

    pub(crate) async fn can_be_written_to(&self) -> bool {
        let path = self.0.path.clone();
        let check = move || {
            path.parent()
                .is_some_and(|dir| data_dir::check_writable(dir).is_ok())
        };
        tokio::task::spawn_blocking(check).await.unwrap_or(false)
    }

    /// Creates an empty file in the store's directory, which the system removes once it is closed.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be written to.
    pub(crate) fn unnamed_file(&self) -> io::Result<fs::File> {
        tempfile::tempfile_in(self.0.path.parent().unwrap_or(&self.0.path))
    }

    /// Returns `true` if the space is reserved. Tries to reserve it first if nobody uses it.
    pub(crate) async fn is_held(&self) -> bool {
        let mut is_held = self.0.is_held.lock().await;
        if !*is_held && self.0.users.load(Ordering::Acquire) == 0 {
            let path = self.0.path.clone();
            *is_held = tokio::task::spawn_blocking(move || make(&path))
                .await
                .is_ok_and(|made| made.is_ok());
        }
        *is_held
    }

    /// Releases the space for a deletion. It is not reserved again before the result is dropped.
    pub(crate) async fn give_up(&self) -> InUse {
        let mut is_held = self.0.is_held.lock().await;
        if *is_held {
            tracing::warn!("the disk is full; deletions use the room that is kept for them");
        }
        *is_held = false;
        self.0.users.fetch_add(1, Ordering::AcqRel);
        if let Err(error) = fs::remove_file(&self.0.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::error!(%error, "the room that is kept for deletions cannot be given up");
        }
        InUse(self.0.clone())
    }
}

#[derive(Debug)]
#[must_use = "the room is made again once this is dropped"]
pub(crate) struct InUse(Arc<Reserve>);

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.users.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Creates the file completely or not at all. An existing complete file will do.
fn make(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| found.len() == policy::RESERVE_BYTES as u64) {
        return Ok(());
    }
    // Zeros would take no space on a file system that compresses.
    let mut bytes = vec![0; policy::RESERVE_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let mut file = private::file_options()
        .create(true)
        .write(true)
        .truncate(true)
        .open(path)?;
    let written = file.write_all(&bytes).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Fails if the space is reserved again while a deletion uses it.
    #[tokio::test]
    async fn the_room_is_made_again_only_after_the_last_deletion_that_uses_it() {
        let dir = tempfile::tempdir().unwrap();
        let room = DiskReserve::of(dir.path()).await;
        let (one, other) = (room.give_up().await, room.give_up().await);
        for in_use in [one, other] {
            assert!(!room.is_held().await && !data_dir::reserve(dir.path()).exists());
            drop(in_use);
        }
        assert!(room.is_held().await && data_dir::reserve(dir.path()).exists());
    }
}
