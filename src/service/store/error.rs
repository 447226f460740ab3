//! Why the store refused or failed.

use std::io;
use std::sync::Arc;

use crate::service::disk::is_disk_full;
use crate::service::names::NameError;

/// SQLite's result code for a full disk.
const SQLITE_FULL: &str = "13";

#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// The change was made, its commit failed.
    #[error("the database could not commit")]
    Commit(#[source] Arc<sqlx::Error>),
    #[error("no file has the id {0}")]
    FileMissing(i64),
    #[error("no folder is at {0}")]
    FolderMissing(String),
    #[error("{0} exists already")]
    NameTaken(String),
    #[error("a file with the same content exists already: {path}")]
    Duplicate { id: i64, path: String },
    #[error("a folder cannot be moved into itself or below itself")]
    IntoItself,
    #[error("the folder is not empty")]
    NotEmpty,
    #[error("the task is over")]
    TaskOver,
    #[error(transparent)]
    Name(#[from] NameError),
}

impl StoreError {
    /// Whether the change may have been made all the same: a full disk is noticed before the commit, other failures
    /// may come after it.
    pub(crate) fn is_unclear(&self) -> bool {
        self.database().is_some_and(|cause| !is_full(cause) && !is_constraint(cause))
    }

    /// Whether the database found no room on the disk.
    pub(crate) fn is_full(&self) -> bool {
        self.database().is_some_and(is_full)
    }

    /// What it means for changes of the same transaction, if the database failed in a way that may have ended that.
    pub(super) fn for_others(&self) -> Option<sqlx::Error> {
        let cause = self.database().filter(|cause| !is_constraint(cause))?;
        let kind = if is_full(cause) { io::ErrorKind::StorageFull } else { io::ErrorKind::Other };
        Some(sqlx::Error::Io(io::Error::new(kind, format!("another change of the same commit failed: {cause}"))))
    }

    fn database(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Database(cause) => Some(cause),
            Self::Commit(cause) => Some(cause),
            _ => None,
        }
    }
}

fn is_full(error: &sqlx::Error) -> bool {
    let full =
        error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == SQLITE_FULL);
    full || is_disk_full(error)
}

/// A rule of the schema refused a statement, which is undone; what came before it in the transaction stays.
fn is_constraint(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| !matches!(error.kind(), sqlx::error::ErrorKind::Other))
}
