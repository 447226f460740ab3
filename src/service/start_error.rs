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
    #[error("the store in {path} has {blobs} files and no database; put filedeck.db back, or {}", recover(.path))]
    NoDatabase { path: PathBuf, blobs: usize },
    #[error(
        "the database in {path} does not know {unknown} files that lie there, more than a crash can leave ({most}): it is \
         an older one, or another store's. Nothing was changed; put the right filedeck.db back, or {}", recover(.path)
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

/// Why a service that has started answers nothing anymore.
#[derive(Debug, thiserror::Error)]
#[error(
    "the rows of {count} files are missing in {path} (one of them is {first}). Nothing was changed, and nothing is \
     answered anymore: stop the service and put the right filedeck.db back, with its log, or {}. A copy of a store that is in use is \
     made with 'filedeck store backup'", recover(.path)
)]
pub(super) struct LostRows {
    pub(super) path: PathBuf,
    pub(super) count: usize,
    pub(super) first: String,
}

fn recover(path: &Path) -> String {
    format!("run: filedeck store recover --data-dir '{}'", path.display())
}

impl StartError {
    pub(super) fn store<E: Into<Box<dyn std::error::Error + Send + Sync>>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::Store { path: path.to_owned(), source: source.into() }
    }
}
