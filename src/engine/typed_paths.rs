//! Local paths as they were typed: what exists decides what they mean. Plain data.

use std::path::{Path, PathBuf};

use crate::api::text::visible_local;

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPaths {
    /// The line as one path, spaces and all: its meaning if something of that name exists.
    pub whole: PathBuf,
    /// The words of the line: its meaning otherwise.
    pub words: Vec<TypedPath>,
}

impl TypedPaths {
    /// Returns a path that was chosen, as if it had been typed.
    pub fn chosen(path: &Path) -> Self {
        let shown = visible_local(path.as_os_str());
        Self {
            whole: path.to_owned(),
            words: vec![TypedPath {
                shown,
                path: path.to_owned(),
                pattern: None,
            }],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPath {
    /// The word as it was typed, safe to show.
    pub shown: String,
    pub path: PathBuf,
    /// The pattern to expand if no file has this very name.
    pub pattern: Option<Pattern>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The folder that it starts from.
    pub base: PathBuf,
    /// Relative to that folder; a backslash takes away a character's special meaning.
    pub glob: String,
}
