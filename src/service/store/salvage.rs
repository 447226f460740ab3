//! The rows that are taken over from one database into another: by a recovery, all that can still
//! be read; by a copy of the store, everything except the files, which are read page by page.

use std::collections::HashSet;

use jiff::Timestamp;

use super::records::{FileRecord, Finding, FolderRecord};
use crate::service::content::blobs::BlobId;
use crate::service::crm::Usage;

/// The fault of a database that is the target of an interrupted copy.
pub(crate) const HALF_COPIED: &str =
    "it is half a copy: what had not arrived when 'store copy' was cut short is not there";

#[derive(Debug, Default)]
pub(crate) struct Salvage {
    pub(crate) folders: Vec<FolderRecord>,
    pub(crate) files: Vec<SavedFile>,
    pub(crate) unused: HashSet<BlobId>,
    pub(crate) usage: Option<Usage>,
    pub(crate) next_id: i64,
    /// Set if another store was being copied into this one.
    pub(crate) is_half_copied: bool,
    /// The errors of SQLite where reading ended too early.
    pub(crate) faults: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct SavedFiles {
    pub(crate) files: Vec<SavedFile>,
    /// The position of the last file; `None` if no more files follow.
    pub(crate) last: Option<i64>,
}

impl SavedFiles {
    pub(super) fn page(files: Vec<(SavedFile, i64)>, limit: u32) -> Self {
        let last = files
            .last()
            .map(|(_, place)| *place)
            .filter(|_| files.len() >= limit as usize);
        Self {
            files: files.into_iter().map(|(file, _)| file).collect(),
            last,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct SavedFile {
    pub(crate) record: FileRecord,
    pub(crate) erase_from: Option<Timestamp>,
    pub(crate) finding: Option<Finding>,
}
