//! Tells which files are older than the system start; only those can have been through a power
//! loss.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Returns `true` if the system has started since the file was written, or if that is unknown.
pub(crate) fn is_from_before(file: &Path) -> bool {
    let written = fs::symlink_metadata(file)
        .and_then(|found| found.modified())
        .ok();
    written
        .zip(started())
        .is_none_or(|(written, started)| written <= started)
}

/// Returns `None` if the system does not tell; only Linux does.
fn started() -> Option<SystemTime> {
    let text = fs::read_to_string("/proc/uptime").ok()?;
    let seconds = text.split(' ').next()?.parse().ok()?;
    SystemTime::now().checked_sub(Duration::try_from_secs_f64(seconds).ok()?)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_from_after_the_start_and_an_old_one_from_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let file = fs::File::create(&path).unwrap();
        assert!(!is_from_before(&path));
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert!(is_from_before(&path));
    }
}
