//! The database of a service in one of the dialects: transactions for the rules, and the removal of
//! remains.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use tracing::{Instrument as _, Span};

use super::error::StoreError;
use super::failure_counts::{DatabaseFailures, FailureCounts};
#[cfg(feature = "postgres")]
use super::postgres::PostgresDatabase;
use super::records::{FileRecord, FolderRecord};
use super::request_counts::{CountsInMemory, RequestCounts};
use super::search::{CommonFilter, FileFilter, SearchOrder, SearchPage, Window};
use super::sql::Tables;
use super::sqlite::{EmbeddedDatabase, ScrubDelay};
use crate::service::content::blobs::{BlobId, BlobNames};

/// Cheap to clone; clones share the connections.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    database: Database,
    failures: Arc<FailureCounts>,
    /// Unused where several processes count in the same database.
    requests: CountsInMemory,
}

#[derive(Debug, Clone)]
enum Database {
    Embedded(EmbeddedDatabase),
    #[cfg(feature = "postgres")]
    Postgres(PostgresDatabase),
}

impl From<EmbeddedDatabase> for Store {
    fn from(database: EmbeddedDatabase) -> Self {
        Self {
            database: Database::Embedded(database),
            failures: Arc::default(),
            requests: CountsInMemory::default(),
        }
    }
}

#[cfg(feature = "postgres")]
impl From<PostgresDatabase> for Store {
    fn from(database: PostgresDatabase) -> Self {
        Self {
            database: Database::Postgres(database),
            failures: Arc::default(),
            requests: CountsInMemory::default(),
        }
    }
}

impl Store {
    pub(crate) async fn open(
        file: &Path,
        blob_names: Option<BlobNames>,
    ) -> Result<Self, StoreError> {
        EmbeddedDatabase::open(file, blob_names)
            .await
            .map(Self::from)
    }

    /// Returns the database in the data directory, for operations that only a file needs.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unnecessary_wraps, reason = "there is no other one")
    )]
    pub(crate) fn embedded(&self) -> Option<&EmbeddedDatabase> {
        match &self.database {
            Database::Embedded(database) => Some(database),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => None,
        }
    }

    /// Returns `true` if blobs that no row names yet are listed in a table of their own.
    pub(super) fn notes_pending(&self) -> bool {
        match &self.database {
            Database::Embedded(database) => database.notes_pending(),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => true,
        }
    }

    /// Returns `true` if other processes may use the same rows.
    pub(crate) fn is_shared(&self) -> bool {
        self.embedded().is_none()
    }

    /// Returns the identity of a database on a server, which a copy of it does not share; `None`
    /// for one in a directory.
    #[cfg(feature = "s3")]
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "as with a database on a server")
    )]
    pub(crate) async fn server_identity(&self) -> Result<Option<String>, StoreError> {
        match &self.database {
            Database::Embedded(_) => Ok(None),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.identity().await.map(Some),
        }
    }

    pub(crate) fn failures(&self) -> DatabaseFailures {
        self.failures.now()
    }

    /// Returns `true` if the database is still the one that was opened.
    pub(crate) fn is_there(&self) -> bool {
        self.embedded().is_none_or(EmbeddedDatabase::is_there)
    }

    fn span(&self, operation: &'static str) -> Span {
        let system = if self.is_shared() {
            "postgresql"
        } else {
            "sqlite"
        };
        tracing::debug_span!(
            "database",
            otel.name = %format_args!("database {operation}"),
            otel.kind = "client",
            db.system.name = system,
            db.operation.name = operation,
        )
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&dyn Tables) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let reading = async {
            match &self.database {
                Database::Embedded(database) => database.read(move |tables| read(tables)).await,
                #[cfg(feature = "postgres")]
                Database::Postgres(database) => database.read(move |tables| read(tables)).await,
            }
        };
        let done = reading.instrument(self.span("read")).await;
        self.failures.note_read(&done);
        done
    }

    /// Makes a change in a transaction. `Ok` means durable, an error rolls it back; a conflict runs
    /// `change` again.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        change: impl Fn(&dyn Tables) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        self.write_blobs(|_| Vec::new(), change).await
    }

    /// Like `write`, for a change after which rows name the blobs that `named` returns.
    pub(super) async fn write_blobs<T: Send + 'static>(
        &self,
        named: impl Fn(&T) -> Vec<BlobId> + Send + Sync + 'static,
        change: impl Fn(&dyn Tables) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        let notes_pending = self.notes_pending();
        let change = move |tables: &dyn Tables| {
            let made = change(tables)?;
            let blobs = named(&made);
            if notes_pending {
                settle_pending_blobs(tables, &blobs)?;
            }
            Ok((made, blobs))
        };
        let named = |(_, blobs): &(T, Vec<BlobId>)| blobs.clone();
        let changing = async {
            match &self.database {
                Database::Embedded(database) => {
                    database
                        .write_blobs(named, move |tables| change(tables))
                        .await
                }
                #[cfg(feature = "postgres")]
                Database::Postgres(database) => {
                    database
                        .write_blobs(named, move |tables| change(tables))
                        .await
                }
            }
        };
        let made = changing.instrument(self.span("write")).await;
        self.failures.note_change(&made);
        made.map(|(made, _)| made)
    }

    /// Counts a request of a token, in total and on this day; `count` may be called several times.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "as with a database on a server")
    )]
    pub(crate) async fn count_requests<T: Send + 'static>(
        &self,
        token: &str,
        day: Option<Date>,
        count: impl Fn(&mut RequestCounts) -> T + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        match &self.database {
            Database::Embedded(_) => Ok(self.requests.change(token, day, count)),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                let counted = database
                    .count_requests(token, day, count)
                    .instrument(self.span("count"))
                    .await;
                self.failures.note_change(&counted);
                counted
            }
        }
    }

    /// Forgets the counts in memory; counts that several processes share stay.
    pub(crate) fn forget_requests(&self) {
        self.requests.forget();
    }

    pub(crate) async fn search_files(
        &self,
        filter: &FileFilter,
        sort: &[SearchOrder],
        window: Window,
        now: Timestamp,
    ) -> Result<SearchPage<FileRecord>, StoreError> {
        let searching = async {
            match &self.database {
                Database::Embedded(database) => {
                    database.search_files(filter, sort, window, now).await
                }
                #[cfg(feature = "postgres")]
                Database::Postgres(database) => {
                    database.search_files(filter, sort, window, now).await
                }
            }
        };
        let found = searching.instrument(self.span("search")).await;
        self.failures.note_read(&found);
        found
    }

    pub(crate) async fn search_folders(
        &self,
        filter: &CommonFilter,
        sort: &[SearchOrder],
        window: Window,
    ) -> Result<SearchPage<FolderRecord>, StoreError> {
        let searching = async {
            match &self.database {
                Database::Embedded(database) => database.search_folders(filter, sort, window).await,
                #[cfg(feature = "postgres")]
                Database::Postgres(database) => database.search_folders(filter, sort, window).await,
            }
        };
        let found = searching.instrument(self.span("search")).await;
        self.failures.note_read(&found);
        found
    }

    /// Removes what is left of erased rows, as far as the dialect can
    /// (`guarantees.md#a-permanent-deletion-leaves-nothing`).
    pub(crate) async fn rewrite(&self) -> Result<(), StoreError> {
        match &self.database {
            Database::Embedded(database) => database.rewrite().await,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.vacuum().await,
        }
    }

    /// Makes room on the disk where the dialect keeps a log there. Returns `false` if it has to be
    /// tried again.
    pub(crate) async fn truncate_log(&self, patience: ScrubDelay) -> Result<bool, StoreError> {
        match &self.database {
            Database::Embedded(database) => database.truncate_log(patience).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => Ok(true),
        }
    }

    /// Records that nothing is left after a `rewrite`; nothing may have been erased since. Returns
    /// `false` while a reader is in the way: try again.
    pub(crate) async fn empty_log(&self, patience: ScrubDelay) -> Result<bool, StoreError> {
        match &self.database {
            Database::Embedded(database) => database.empty_log(patience).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => Ok(true),
        }
    }

    pub(crate) async fn close(&self) {
        match &self.database {
            Database::Embedded(database) => database.close().await,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.close(),
        }
    }
}

/// Takes blobs off the list of pending ones because rows name them now. Fails if one of them was
/// given up meanwhile.
fn settle_pending_blobs(tables: &dyn Tables, blobs: &[BlobId]) -> Result<(), StoreError> {
    let settle = |blob: &BlobId| {
        tables
            .delete_pending_blob(blob)?
            .then_some(())
            .ok_or(StoreError::UploadGivenUp)
    };
    blobs.iter().try_for_each(settle)
}
