//! The state that all handlers and jobs share. Cheap to clone.

use std::sync::Arc;

use tokio::sync::{Mutex, Notify, SetOnce};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::access::accepted_credentials::AcceptedCredentials;
use super::answer::error::ApiError;
use super::answer::render::{self, FileObject};
use super::clock::Clock;
use super::connection_limits::ConnectionLimits;
use super::content::blobs::Blobs;
use super::content::data_dir::Lock;
use super::content::reserve::{DiskReserve, InUse};
use super::metrics::Metrics;
use super::store::{FileRecord, ScrubDelay, Store, StoreError};
use crate::drawing::Drawer;

pub(crate) type AppState = Arc<SharedState>;

pub(crate) struct SharedState {
    pub(crate) store: Store,
    pub(crate) blobs: Blobs,
    pub(crate) room: DiskReserve,
    pub(crate) metrics: Metrics,
    pub(crate) clock: Clock,
    pub(crate) credentials: AcceptedCredentials,
    /// The address that links in responses start with.
    pub(crate) base_url: Url,
    pub(crate) max_file_bytes: u64,
    pub(crate) connections: ConnectionLimits,
    /// Decodes images; `None` in programs that use the library.
    pub(crate) drawer: Option<Drawer>,
    /// Keeps other processes away from the data directory as long as anything can write to it.
    pub(crate) _lock: Lock,
    /// Notifies the jobs of new work in the database.
    pub(crate) work: Arc<Notify>,
    /// Canceled when the service begins to stop.
    pub(crate) stopping: CancellationToken,
    /// Set once the names of all blobs have been compared with the rows. Nothing expires or is
    /// removed before.
    pub(crate) names_checked: SetOnce<()>,
    /// Held during a round of the background work, and while all rows are replaced.
    pub(crate) round: Mutex<()>,
}

impl SharedState {
    /// Refuses requests that add to the disk while deletions use the reserved space.
    pub(crate) async fn refuse_if_full(&self) -> Result<(), ApiError> {
        if self.room.is_held().await {
            Ok(())
        } else {
            Err(ApiError::disk_full())
        }
    }

    pub(crate) fn file(&self, record: FileRecord) -> FileObject {
        render::file(record, &self.base_url)
    }

    /// Carries out a deletion; if the disk is full, tries again with the reserved space.
    pub(crate) async fn delete<T, F>(&self, deletion: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        match deletion().await {
            Err(error) if error.is_full() => {
                let _until_it_is_done = self.make_way().await;
                deletion().await
            }
            other => other,
        }
    }

    /// Releases the reserved space and empties the log of the database. Nothing is reserved while
    /// the result is held.
    pub(crate) async fn make_way(&self) -> InUse {
        let in_use = self.room.give_up().await;
        if let Err(error) = self.store.truncate_log(ScrubDelay::LONG).await {
            tracing::warn!(%error, "the log of the database could not be emptied");
        }
        in_use
    }

    /// Creates the state of a store of its own.
    #[cfg(test)]
    pub(crate) async fn for_test(dir: &std::path::Path, clock: Clock) -> AppState {
        let blobs = Blobs::from(super::content::blobs::BlobDirectory::open(dir).unwrap());
        Arc::new(Self {
            _lock: Lock::try_take(dir).unwrap().unwrap(),
            metrics: Metrics::new(),
            store: Store::open(&super::content::data_dir::database(dir), blobs.names())
                .await
                .unwrap(),
            blobs,
            room: DiskReserve::of(dir).await,
            clock,
            credentials: AcceptedCredentials::for_test(dir.to_owned(), "fdk-test-token".into()),
            base_url: "http://127.0.0.1:8787/".parse().unwrap(),
            max_file_bytes: super::policy::MAX_FILE_BYTES,
            connections: ConnectionLimits::default(),
            drawer: None,
            work: Arc::default(),
            stopping: CancellationToken::new(),
            names_checked: SetOnce::new(),
            round: Mutex::new(()),
        })
    }
}
