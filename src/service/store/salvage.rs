//! All that is taken over of a database into another one: by a recovery, of what is left; by a copy of the store, of
//! everything, but for the files, which it reads page by page.

use std::collections::HashSet;

use jiff::Timestamp;

use super::records::{FileRecord, Finding, FolderRecord};
use crate::service::content::blobs::BlobId;
use crate::service::crm::Usage;

/// What was found in a database.
#[derive(Debug, Default)]
pub(crate) struct Salvage {
    pub(crate) folders: Vec<FolderRecord>,
    pub(crate) files: Vec<SavedFile>,
    /// Blobs that were to be removed.
    pub(crate) unused: HashSet<BlobId>,
    pub(crate) usage: Option<Usage>,
    /// The next id that was to be given.
    pub(crate) next_id: i64,
    /// Whether another store was being copied into this one.
    pub(crate) is_half_copied: bool,
    /// What SQLite said where reading ended too early.
    pub(crate) faults: Vec<String>,
}

/// Some files of many.
#[derive(Debug)]
pub(crate) struct SavedFiles {
    pub(crate) files: Vec<SavedFile>,
    /// The place of the last of them; none where no more come.
    pub(crate) last: Option<i64>,
}

impl SavedFiles {
    /// Of files with their places, of which so many were asked for.
    pub(super) fn page(files: Vec<(SavedFile, i64)>, limit: u32) -> Self {
        let last = files.last().map(|(_, place)| *place).filter(|_| files.len() >= limit as usize);
        Self { files: files.into_iter().map(|(file, _)| file).collect(), last }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct SavedFile {
    pub(crate) record: FileRecord,
    pub(crate) erase_from: Option<Timestamp>,
    /// What an earlier recovery found of its bytes.
    pub(crate) finding: Option<Finding>,
}
