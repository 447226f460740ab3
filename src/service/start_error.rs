//! Why a service did not start.

use std::path::{Path, PathBuf};

/// Every message names the path.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("another filedeck uses the data directory {0}; stop it, or name another directory")]
    InUse(PathBuf),
    #[error("the data directory {path} cannot be used")]
    DataDir { path: PathBuf, source: std::io::Error },
    #[error("the data directory {path} cannot be written to; make it writable for this user, or name another one")]
    NotWritable { path: PathBuf, source: std::io::Error },
    #[error(
        "the store in {path} has {blobs} files but lost its database: filedeck.db is missing or empty. Put it back, or \
         run: filedeck store recover --data-dir '{path}'"
    )]
    NoDatabase { path: PathBuf, blobs: usize },
    #[error(
        "the database of the store in {path} knows nothing of {unknown} files that lie there, more than a crash can \
         leave ({most}): it is an older one, or that of another store. Both are as they were. Put the right filedeck.db \
         back, or run: filedeck store recover --data-dir '{path}'"
    )]
    OtherDatabase { path: PathBuf, unknown: usize, most: usize },
    #[error("the token cannot be read or made")]
    Token(#[source] std::io::Error),
    #[error("the store in {path} cannot be opened")]
    Store { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the store in {path} could not be filled: {reason}")]
    Fill { path: PathBuf, reason: String },
    #[error("the listener has no address")]
    Listener(#[source] std::io::Error),
}

impl StartError {
    pub(super) fn store<E: Into<Box<dyn std::error::Error + Send + Sync>>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::Store { path: path.to_owned(), source: source.into() }
    }
}
