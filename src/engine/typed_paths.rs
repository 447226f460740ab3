//! Local paths as they were typed: what may be meant by them is decided by what is there. Plain data.

use std::path::{Path, PathBuf};

use crate::api::text::visible_local;

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPaths {
    /// The line as one path, spaces and all: what is meant if something of that name is there.
    pub whole: PathBuf,
    /// Else what is meant are its words.
    pub words: Vec<TypedPath>,
}

impl TypedPaths {
    /// A path that was chosen, as if it had been typed.
    pub fn chosen(path: &Path) -> Self {
        let shown = visible_local(path.as_os_str());
        Self { whole: path.to_owned(), words: vec![TypedPath { shown, path: path.to_owned(), pattern: None }] }
    }
}

/// One word of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPath {
    /// As it was typed, safe to show.
    pub shown: String,
    pub path: PathBuf,
    /// What it expands to if no file has this very name.
    pub pattern: Option<Pattern>,
}

/// A pattern for names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The folder that it starts from.
    pub base: PathBuf,
    /// Below that folder; a backslash takes a character's meaning away.
    pub glob: String,
}
