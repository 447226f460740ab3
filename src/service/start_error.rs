//! The reasons why a service does not start.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

#[cfg(feature = "s3")]
use super::content::bucket::BucketFault;
use super::store::StoreError;

/// The reason why a service did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Another process is using the directory.
    #[error("another filedeck uses the data directory {0}; stop it, or name another directory")]
    InUse(PathBuf),
    /// The directory cannot be used.
    #[error("the data directory {path} cannot be used")]
    DataDir {
        /// The directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// This user cannot write to the directory.
    #[error(
        "the data directory {path} cannot be written to; make it writable for this user, or name another one"
    )]
    NotWritable {
        /// The directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The directory has files but no database.
    #[error("the store in {path} has {blobs} files and no database; put filedeck.db back, or {}", recover(.path))]
    NoDatabase {
        /// The directory.
        path: PathBuf,
        /// The number of files in it.
        blobs: usize,
    },
    /// The directory has a database, and another one was given.
    #[error(
        "the store in {0} has a database of its own, which --database does not use; name another directory, or leave \
         the option out"
    )]
    OwnDatabase(PathBuf),
    /// The database on a server cannot be used.
    #[error("the database {address} cannot be used")]
    Database {
        /// The host and name of the database.
        address: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The bytes of the database are in another place.
    #[error("the bytes of the store in {address} are in another place: {noted}, and not {given}")]
    OtherPlace {
        /// The host and name of the database.
        address: String,
        /// The place of the bytes.
        noted: String,
        /// The place that was given.
        given: String,
    },
    /// The bytes are in another bucket than the given one, or in a bucket while none was given.
    #[error(
        "the bytes of the store in {path} are in the bucket {bucket}; name it: filedeck serve --objects {bucket}"
    )]
    OtherBucket {
        /// The directory.
        path: PathBuf,
        /// The address of the bucket.
        bucket: String,
    },
    /// The bucket cannot be used.
    #[error("the bucket {address} cannot be used")]
    Bucket {
        /// The address of the bucket.
        address: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The bucket names another store as its owner, so this one is a copy of that.
    #[error(
        "the bucket {bucket} belongs to another store, of which this one is a copy. If the copy takes its place, stop the other \
         one and run: filedeck store adopt {place}. Otherwise give the copy a bucket of its own with 'filedeck store copy'"
    )]
    OtherStore {
        /// The address of the bucket.
        bucket: String,
        /// The option that names this store.
        place: String,
    },
    /// A bucket was given, but the bytes are in the directory.
    #[error(
        "the bytes of the store in {path} are in that directory; start it without a bucket, or name a new directory for \
         the store whose bytes are to be in the bucket"
    )]
    BytesInDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// The token cannot be read or created.
    #[error("the tokens cannot be used")]
    Token(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database cannot be opened.
    #[error("the store in {path} cannot be opened")]
    Store {
        /// The directory.
        path: PathBuf,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another store was being copied into this one.
    #[error(
        "the store is a copy that was cut short; give the same 'filedeck store copy' again, which continues it"
    )]
    HalfCopied,
    /// The sample library could not be stored.
    #[error("the store in {path} could not be filled: {reason}")]
    Fill {
        /// The directory.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// A fault is not in the right form.
    #[error("the fault '{fault}' is in the wrong form: {reason}")]
    Fault {
        /// The fault.
        fault: String,
        /// The cause.
        reason: String,
    },
    /// The access log cannot be opened.
    #[error("the access log {path} cannot be written; name another file")]
    AccessLog {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The address for metrics is in use or does not belong to this machine.
    #[error("cannot listen on {address} for metrics; name another address")]
    MetricsListener {
        /// The address for metrics.
        address: SocketAddr,
        /// The cause.
        source: std::io::Error,
    },
    /// The test API cannot reset a database on a server.
    #[error(
        "the calls for tests need the database of the directory, which a reset puts back; start without --database"
    )]
    NoReset,
    /// There is no address to listen on.
    #[error("there is no address to listen on")]
    Listener(#[source] std::io::Error),
}

/// The reason why a running service refuses all requests.
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
    format!(
        "run: filedeck store recover --data-dir '{}'",
        path.display()
    )
}

impl StartError {
    /// Returns `true` if the database or the bucket did not answer, which may be for a moment only.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Database { source, .. } => source
                .downcast_ref::<StoreError>()
                .is_some_and(StoreError::gave_no_answer),
            #[cfg(feature = "s3")]
            Self::Bucket { source, .. } => {
                matches!(
                    source.downcast_ref::<BucketFault>(),
                    Some(BucketFault::Failed { .. })
                )
            }
            _ => false,
        }
    }

    pub(super) fn store<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        path: &Path,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::Store {
            path: path.to_owned(),
            source: source.into(),
        }
    }
}
