//! How much may still be written to a disk.

use std::path::Path;

/// Bytes that may be written into a folder; none where the system does not say.
#[cfg(unix)]
pub fn disk_room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
pub fn disk_room(_folder: &Path) -> Option<u64> {
    None
}
