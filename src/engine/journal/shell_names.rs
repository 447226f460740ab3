//! The names with which a shell completes paths, in their file beside the journal.

use std::io;
use std::path::Path;
use std::sync::PoisonError;

use jiff::Timestamp;

use super::database::Journal;
use crate::engine::completion_names::CompletionNames;

impl Journal {
    /// Returns the number of changes to the account in this run, to be noted before its names are
    /// read.
    pub fn changes(&self) -> u64 {
        *self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps all names in the folder at a path, unless the account was changed while they were
    /// read.
    pub fn keep_names(&self, folder: String, names: Vec<String>, changes_before: u64) {
        let Some(kept) = self.completion_names() else {
            return;
        };
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        if *changes != changes_before {
            return;
        }
        if let Err(error) = kept.keep(&self.account, vec![(folder, names)], Timestamp::now()) {
            tracing::debug!(%error, "names of a folder are not kept");
        }
    }

    /// Forgets the names after a change to the account: they may be wrong, or include names of
    /// files that were deleted permanently. Returns the size of their file in bytes.
    pub fn forget_names(&self) -> io::Result<u64> {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        *changes += 1;
        self.completion_names()
            .map_or(Ok(0), |names| names.forget())
    }

    /// Returns the directory of the journal, and the account's name there; `None` if nothing
    /// outlives the process.
    pub(crate) fn place(&self) -> Option<(&Path, &str)> {
        let dir = self.path.parent().filter(|dir| dir.is_absolute())?;
        Some((dir, &self.account))
    }

    /// Returns the account's name in the journal.
    pub(crate) fn account(&self) -> &str {
        &self.account
    }

    fn completion_names(&self) -> Option<CompletionNames> {
        self.place().map(|(dir, _)| CompletionNames::new(dir))
    }
}
