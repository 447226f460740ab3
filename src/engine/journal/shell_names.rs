//! The names that a shell completes paths with, in their file beside the journal.

use jiff::Timestamp;

use super::database::Journal;
use crate::engine::completion_names::CompletionNames;

impl Journal {
    /// Keeps all names in a folder, which is given by its path.
    pub fn keep_names(&self, folder: String, names: Vec<String>) {
        let Some(kept) = self.completion_names() else { return };
        if let Err(error) = kept.keep(&self.account, vec![(folder, names)], Timestamp::now()) {
            tracing::debug!(%error, "names of a folder are not kept");
        }
    }

    /// The account was changed: what was read of it may be wrong, or have the names of what was deleted permanently.
    pub fn forget_names(&self) {
        if let Some(Err(error)) = self.completion_names().map(|names| names.forget()) {
            tracing::warn!(%error, "names of folders stay for a minute");
        }
    }

    /// None where nothing outlives the process.
    fn completion_names(&self) -> Option<CompletionNames> {
        self.path.parent().filter(|dir| dir.is_absolute()).map(CompletionNames::new)
    }
}
