//! The reasons why maintenance of a store fails.

use std::path::{Path, PathBuf};

/// A failure to read a store or to write its copy.
pub(super) type CopyFault = Box<dyn std::error::Error + Send + Sync>;

/// Every message names the path, the database or the bucket.
#[derive(Debug, thiserror::Error)]
pub enum MaintenanceError {
    #[error("there is no store in {0}")]
    NoStore(PathBuf),
    #[error("{0} is there already and not empty; name a new directory")]
    NotEmpty(PathBuf),
    #[error("a filedeck is using the store in {0}; stop it first")]
    InUse(PathBuf),
    #[error("there is no store in the database {0}")]
    NoStoreInDatabase(String),
    #[error("a filedeck is using the store in the database {0}; stop all that do first")]
    DatabaseInUse(String),
    #[error(
        "'filedeck store copy' is copying the store in the database {0}; try again when it has ended"
    )]
    DatabaseBeingCopied(String),
    #[error("the store in the database {database} cannot be read")]
    Database {
        database: String,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "the bytes of the store in the database {database} are in another directory than {path}; name that one"
    )]
    OtherDirectory { database: String, path: PathBuf },
    #[error(
        "the connection that kept others off the database {database} was lost; if a filedeck has used it since, copy it to a \
         new place, otherwise give the same command again"
    )]
    LockLost {
        database: String,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "the bytes of the store in {path} are in the bucket {bucket}, and this works only for a store whose bytes are in \
         its directory"
    )]
    InBucket { path: PathBuf, bucket: String },
    #[error("the bucket {bucket} cannot be read")]
    Bucket {
        bucket: String,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "the bucket with the bytes of the store has not answered for ten minutes; give the same command again when it does"
    )]
    BucketAway { source: std::io::Error },
    #[error("{path} cannot be used")]
    Path {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the store in {path} cannot be read")]
    Store {
        path: PathBuf,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("the copy in {path} cannot be written")]
    Copy {
        path: PathBuf,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "files were replaced or removed faster than they could be copied to {0}; try again when less is going on"
    )]
    NeverStill(PathBuf),
}

impl MaintenanceError {
    pub(super) fn store<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        path: &Path,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::Store {
            path: path.to_owned(),
            source: source.into(),
        }
    }

    #[cfg(feature = "postgres")]
    pub(super) fn database<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        database: &str,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::Database {
            database: database.to_owned(),
            source: source.into(),
        }
    }

    /// Returns the error of a copy, which is the source's own if the source failed.
    pub(super) fn copy<E: Into<CopyFault>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |error| match error.into().downcast() {
            Ok(of_the_source) => *of_the_source,
            Err(source) => Self::Copy {
                path: path.to_owned(),
                source,
            },
        }
    }
}
