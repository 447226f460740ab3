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

/// Why a service that has started answers nothing anymore.
#[derive(Debug, thiserror::Error)]
#[error(
    "the rows of {} files are missing in {}: their bytes are there ({} is one of them), and neither a row nor a deletion \
     knows them. Nothing was changed, and nothing is answered anymore. Stop the service and put the right filedeck.db \
     back, with its log, or run: filedeck store recover --data-dir '{}'.{}",
    .blobs.len(), .dir.display(), first_name(.blobs), .dir.display(), advice(*.had_log)
)]
pub(super) struct LostRows {
    pub(super) dir: PathBuf,
    /// At least one.
    pub(super) blobs: Vec<PathBuf>,
    /// Whether the database had a log at the start.
    pub(super) had_log: bool,
}

fn first_name(blobs: &[PathBuf]) -> String {
    blobs.first().and_then(|blob| blob.file_name()).unwrap_or_default().display().to_string()
}

fn advice(had_log: bool) -> &'static str {
    if had_log {
        return "";
    }
    " If this is a copy that was made by hand while a service ran, it lacks what was in the log of the database: make \
     copies with 'filedeck store backup'"
}

impl StartError {
    pub(super) fn store<E: Into<Box<dyn std::error::Error + Send + Sync>>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::Store { path: path.to_owned(), source: source.into() }
    }
}
