//! The news of a copy that goes on: its progress, and its waits.

/// A message of a copy that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyNews {
    /// The files that have been copied, including those of an earlier run, and all files of the
    /// store.
    Copied { done: Extent, total: Extent },
    /// A bucket does not answer, and the copy waits for it.
    Waiting { reason: String },
}

/// An amount of files and of their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    pub files: u64,
    pub bytes: u64,
}
