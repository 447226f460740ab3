//! Syncs of a folder that are asked for at the same time are one: who asks waits for one that began after that. Waits for
//! the disk.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a sync came to, for all who share it.
type Round = OnceLock<Result<(), Arc<io::Error>>>;

pub(super) struct FolderSync {
    folder: PathBuf,
    /// The sync that has not begun.
    next: Mutex<Arc<Round>>,
    /// Held by the one that is under way.
    turn: Mutex<()>,
}

impl FolderSync {
    pub(super) fn of(folder: PathBuf) -> Self {
        Self { folder, next: Mutex::default(), turn: Mutex::default() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes durable what came into the folder before this was called.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.share(|| File::open(&self.folder)?.sync_all())
    }

    fn share(&self, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let round = self.next.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let synced = round.get_or_init(|| {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            // Who comes from here on is too late for this one.
            *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
            sync().map_err(Arc::new)
        });
        synced.clone().map_err(|error| io::Error::new(error.kind(), error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    // Seen to fail when the next one is made after the sync instead of before it.
    #[test]
    fn who_asks_while_a_sync_is_under_way_has_another_one_and_those_who_wait_share_it() {
        let sync = FolderSync::of(PathBuf::new());
        let (began, has_begun) = mpsc::channel();
        let (go_on, may_go_on) = mpsc::channel();
        let later = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let under_way = move || {
                began.send(()).unwrap();
                may_go_on.recv().map_err(io::Error::other)
            };
            let first = scope.spawn(|| sync.share(under_way));
            has_begun.recv().unwrap();
            let next = sync.next.lock().unwrap().clone();
            let others: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        sync.share(|| {
                            later.fetch_add(1, Ordering::Relaxed);
                            Ok(())
                        })
                    })
                })
                .collect();
            // This one's, the lock's, and one of each who waits.
            while Arc::strong_count(&next) < 2 + others.len() {
                std::thread::yield_now();
            }
            go_on.send(()).unwrap();
            assert!(first.join().unwrap().is_ok() && others.into_iter().all(|other| other.join().unwrap().is_ok()));
        });
        assert_eq!(later.into_inner(), 1);
    }

    #[test]
    fn a_sync_that_fails_fails_for_all_and_not_for_ever() {
        let dir = tempfile::tempdir().unwrap();
        let sync = FolderSync::of(dir.path().join("folder"));
        assert_eq!(sync.sync().unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::create_dir(sync.folder()).unwrap();
        sync.sync().unwrap();
    }
}
