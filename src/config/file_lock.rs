//! Lets one process at a time change a file, with a lock on an empty file next to it, which is
//! never removed.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use backon::{BlockingRetryable, ConstantBuilder};

use super::paths::create_private_dir;
use crate::regular_file;

/// Five seconds in total. A change takes milliseconds; anything slower hangs, or the file system
/// does.
const TRIES: usize = 250;
const PAUSE: Duration = Duration::from_millis(20);

/// Waits for the lock on changes to a file, with a time limit. The lock is held until the result is
/// dropped.
pub(super) fn alone(path: &Path) -> io::Result<File> {
    alone_within(path, TRIES)
}

fn alone_within(path: &Path, tries: usize) -> io::Result<File> {
    let gate = gate(path)?;
    let again = ConstantBuilder::new()
        .with_delay(PAUSE)
        .with_max_times(tries);
    let taken = (|| gate.try_lock())
        .retry(again)
        .when(|refused| matches!(refused, TryLockError::WouldBlock))
        .call();
    taken.map_err(|refused| match refused {
        TryLockError::WouldBlock => io::Error::other("another filedeck is changing it"),
        TryLockError::Error(error) => error,
    })?;
    Ok(gate)
}

/// Like `alone`, but returns `None` at once if another process holds the lock.
pub(super) fn try_alone(path: &Path) -> io::Result<Option<File>> {
    let gate = gate(path)?;
    match gate.try_lock() {
        Ok(()) => Ok(Some(gate)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn gate(path: &Path) -> io::Result<File> {
    create_private_dir(path.parent().unwrap_or(Path::new(".")))?;
    regular_file::open_own(&path.with_added_extension("gate"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Used to wait forever for a lock that was requested only once.
    #[test]
    fn who_does_not_let_go_is_not_waited_for_for_ever() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("kept.toml");
        let other = alone(&path).unwrap();
        let refused = alone_within(&path, 1).unwrap_err();
        assert!(
            refused.to_string().contains("another filedeck"),
            "{refused}"
        );
        drop(other);
        alone(&path).unwrap();
    }
}
