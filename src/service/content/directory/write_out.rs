//! Begins to write a long file out while it is still coming, so that the sync at its end finds little left to do. What
//! goes wrong meanwhile is reported by that sync.

use std::fs::File;
use std::ops::Range;

/// So much is written out at a time.
pub(super) const STEP_BYTES: u64 = 8 * 1024 * 1024;

/// Has the system begin with this part of the file, and does not wait for it. What cannot be begun waits for the sync.
#[cfg(target_os = "linux")]
pub(super) fn begin(file: &File, part: &Range<u64>) {
    let length = std::num::NonZeroU64::new(part.end.saturating_sub(part.start));
    // This tells Linux that it will not be needed soon; what is not on the disk yet stays in memory.
    let _ = rustix::fs::fadvise(file, part.start, length, rustix::fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn begin(_file: &File, _part: &Range<u64>) {}
