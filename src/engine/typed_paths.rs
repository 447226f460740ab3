//! Local paths as they were typed: what may be meant by them is decided by what is there. Plain data.

use std::path::PathBuf;

/// A line that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPaths {
    /// The line as one path, spaces and all: what is meant if something of that name is there.
    pub whole: PathBuf,
    /// Else what is meant are its words.
    pub words: Vec<TypedPath>,
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
