//! The kinds of jobs: the words for each, the pool that it uses, and what happens to it at a
//! restart.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The kind of a job, without what it works on; in the order in which counts are shown.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    Upload,
    Copy,
    Replace,
    Download,
    CreateLocalFolder,
    DeleteLocal,
    Import,
    UpdateFolder,
    RenameFolder,
    CreateFolder,
    Change,
    Rename,
    Move,
    Delete,
    Purge,
}

/// The resource that a job keeps busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pool {
    Edit,
    Upload,
    Download,
    /// Mostly waits between two polls.
    Watch,
}

struct KindFacts {
    short: &'static str,
    noun: &'static str,
    imperative: &'static str,
    past: &'static str,
    pool: Pool,
    changes: bool,
}

impl JobKind {
    pub const ALL: &[Self] = Self::VARIANTS;

    fn facts(self) -> KindFacts {
        let facts = |short, noun, [imperative, past]: [&'static str; 2], pool| KindFacts {
            short,
            noun,
            imperative,
            past,
            pool,
            changes: true,
        };
        match self {
            Self::Upload => facts("up", "Upload", ["Upload", "Uploaded"], Pool::Upload),
            Self::Copy => facts("copy", "Copy", ["Copy", "Copied"], Pool::Upload),
            Self::Replace => facts(
                "repl",
                "Replacement",
                ["Replace with", "Replaced with"],
                Pool::Upload,
            ),
            Self::Download => KindFacts {
                changes: false,
                ..facts(
                    "down",
                    "Download",
                    ["Download", "Downloaded"],
                    Pool::Download,
                )
            },
            Self::CreateLocalFolder => KindFacts {
                changes: false,
                ..facts(
                    "mkdir",
                    "New local folder",
                    ["Create", "Created"],
                    Pool::Edit,
                )
            },
            Self::DeleteLocal => KindFacts {
                changes: false,
                ..facts(
                    "delete",
                    "Local deletion",
                    ["Delete", "Deleted"],
                    Pool::Edit,
                )
            },
            Self::Import => facts("import", "Import", ["Import", "Imported"], Pool::Watch),
            Self::CreateFolder => facts("mkdir", "New folder", ["Create", "Created"], Pool::Edit),
            Self::UpdateFolder => facts("move", "Folder move", ["Move", "Moved"], Pool::Watch),
            Self::RenameFolder => facts(
                "rename",
                "Folder rename",
                ["Rename", "Renamed"],
                Pool::Watch,
            ),
            Self::Change => facts("change", "Change", ["Change", "Changed"], Pool::Edit),
            Self::Rename => facts("rename", "Rename", ["Rename", "Renamed"], Pool::Edit),
            Self::Move => facts("move", "Move", ["Move", "Moved"], Pool::Edit),
            Self::Delete => facts("delete", "Deletion", ["Delete", "Deleted"], Pool::Edit),
            Self::Purge => facts(
                "purge",
                "Permanent deletion",
                ["Delete permanently", "Permanently deleted"],
                Pool::Edit,
            ),
        }
    }

    /// Returns the word for the first column of a task, of at most six characters.
    pub fn short(self) -> &'static str {
        self.facts().short
    }

    /// Returns the noun for "… failed".
    pub fn noun(self) -> &'static str {
        self.facts().noun
    }

    /// Returns the verb for the name of a task, before what it works on: `Upload`.
    pub fn imperative(self) -> &'static str {
        self.facts().imperative
    }

    /// Returns the verb for its result: `Uploaded`.
    pub fn past(self) -> &'static str {
        self.facts().past
    }

    pub fn pool(self) -> Pool {
        self.facts().pool
    }

    /// Returns `true` if it may store a new file, which may be there although the answer was lost.
    pub fn is_upload(self) -> bool {
        matches!(self, Self::Upload | Self::Copy)
    }

    /// Returns `true` if a read-only account refuses it.
    pub fn is_change(self) -> bool {
        self.facts().changes
    }

    /// Returns `true` if it moves bytes from or to this machine.
    pub fn is_transfer(self) -> bool {
        matches!(self.pool(), Pool::Upload | Pool::Download)
    }

    /// Returns `true` if the service does the work on its own, so that stopping here does not stop
    /// it there.
    pub fn is_remote(self) -> bool {
        self.pool() == Pool::Watch
    }

    /// Returns `true` if something is lost by it.
    pub fn is_deletion(self) -> bool {
        matches!(self, Self::Delete | Self::Purge | Self::DeleteLocal)
    }

    /// Returns `true` if it continues by itself after a restart. Jobs that change or delete
    /// something ask first.
    pub fn resumes_by_itself(self) -> bool {
        self.is_transfer() || matches!(self, Self::CreateLocalFolder | Self::Import)
    }

    /// Returns a note on what was done before a cancellation; begins with a space.
    pub fn after_cancelling(self) -> &'static str {
        match self {
            Self::Purge => " Permanent deletions stay.",
            Self::Delete => " Deleted files stay deleted: the API cannot restore them.",
            Self::Upload => " Uploaded files stay; those under way may have been stored, too.",
            Self::Copy => " Copied files stay; those under way may have been stored, too.",
            Self::Download => " Downloaded files stay.",
            _ => " Finished changes stay.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_fit_their_column() {
        for kind in JobKind::ALL {
            assert!(kind.short().len() <= 6, "{kind:?}");
        }
    }

    #[test]
    fn only_what_moves_bytes_goes_on_after_a_restart() {
        let going_on: Vec<_> = JobKind::ALL
            .iter()
            .copied()
            .filter(|kind| kind.resumes_by_itself())
            .collect();
        assert_eq!(
            going_on,
            [
                JobKind::Upload,
                JobKind::Copy,
                JobKind::Replace,
                JobKind::Download,
                JobKind::CreateLocalFolder,
                JobKind::Import
            ]
        );
    }
}
