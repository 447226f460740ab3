//! The space left on a disk.

use std::path::Path;

/// Returns the bytes that may be written into a folder; `None` if the system does not say.
#[cfg(unix)]
pub fn disk_room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
pub fn disk_room(_folder: &Path) -> Option<u64> {
    None
}
