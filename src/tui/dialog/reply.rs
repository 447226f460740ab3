//! What a dialog answers to a key, and what it was opened for. Plain data.

use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, FileUpdate, ImportRequest, UploadOptions};
use crate::engine::message::{Place, Target};

/// A dialog's answer to a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It stays open.
    Open,
    /// It closes, nothing happens.
    Closed,
    /// It closes, and this is to be done.
    Accepted(Intent),
    /// It stays open and wants the names in this local folder, written as typed.
    Complete(String),
    /// It stays open, and this goes to the clipboard.
    Copy(String),
}

/// What a dialog was opened for.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    Quit,
    /// Targets with their paths.
    Delete {
        targets: Vec<(Target, String)>,
        permanent: bool,
    },
    ChangeFiles {
        changes: Vec<(FileId, FileUpdate)>,
        label: String,
    },
    /// The same, but files that are private now become public: ask first.
    Publish {
        changes: Vec<(FileId, FileUpdate)>,
        label: String,
        private: Vec<String>,
    },
    /// Local paths as typed.
    Upload {
        paths: Vec<String>,
        into: Place,
        name: Option<String>,
        options: UploadOptions,
    },
    Import(ImportRequest),
    CreateFolder {
        parent: Place,
        name: String,
    },
    RenameFolder {
        folder: FolderId,
        from: String,
        name: String,
    },
    GoTo(String),
    /// Into a local folder as typed.
    Save {
        files: Vec<File>,
        folder: String,
    },
    /// A signed address; `name` is safe to show.
    Sign {
        file: FileId,
        name: String,
        seconds: u64,
    },
}
