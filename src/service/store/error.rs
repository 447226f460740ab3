//! Why the store refused or failed.

use crate::service::error::{ApiError, is_disk_full};
use crate::service::names::NameError;
use crate::service::policy;

/// SQLite's result code for a full disk.
const SQLITE_FULL: &str = "13";

#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
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
        matches!(self, Self::Database(cause) if !is_full(cause))
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match &error {
            StoreError::FileMissing(_) => Self::not_found(message),
            StoreError::FolderMissing(_) => {
                Self::new(policy::MISSING_FOLDER, message).with_category("OBJECT_NOT_FOUND")
            }
            StoreError::NameTaken(_) => Self::exists(policy::NAME_TAKEN, message),
            StoreError::Duplicate { .. } => Self::exists(policy::DUPLICATE_REJECTED, message),
            StoreError::IntoItself | StoreError::NotEmpty | StoreError::TaskOver | StoreError::Name(_) => {
                Self::validation(message)
            }
            StoreError::Database(cause) if is_full(cause) => Self::disk_full(),
            StoreError::Database(cause) => Self::internal("use the database", cause),
        }
    }
}

fn is_full(error: &sqlx::Error) -> bool {
    let full =
        error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == SQLITE_FULL);
    full || is_disk_full(error)
}
