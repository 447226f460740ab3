//! Starts to write a long file out while it is still arriving, so that the final sync finds little
//! left to do. That sync reports failures of the writes.

use std::fs::File;
use std::ops::Range;

pub(super) const STEP_BYTES: u64 = 8 * 1024 * 1024;

/// Asks the system to start writing this part of the file, without waiting. Anything not started is
/// left to the sync.
#[cfg(target_os = "linux")]
pub(super) fn begin(file: &File, part: &Range<u64>) {
    let length = std::num::NonZeroU64::new(part.end.saturating_sub(part.start));
    // Tells Linux that the part will not be needed soon; pages that are not on the disk yet stay in
    // memory.
    let _ = rustix::fs::fadvise(file, part.start, length, rustix::fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn begin(_file: &File, _part: &Range<u64>) {}
