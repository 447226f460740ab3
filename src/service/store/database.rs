//! The database of a service in one of the dialects: transactions for the rules, and what each dialect does about remains.

use std::path::Path;

use jiff::Timestamp;

use super::error::StoreError;
use super::records::{FileRecord, FolderRecord};
use super::search::{CommonFilter, FileFilter, SearchOrder, SearchPage, Window};
use super::sqlite::{ScrubDelay, SqliteDatabase};
use super::tables::Tables;
use crate::service::content::blobs::{BlobId, BlobNames};

/// Cheap to clone; clones share the connections.
#[derive(Debug, Clone)]
pub(crate) enum Store {
    /// A file in the data directory.
    Sqlite(SqliteDatabase),
}

impl Store {
    /// Opens a database file as `SqliteDatabase` does.
    pub(crate) async fn open(file: &Path, blobs: &BlobNames) -> Result<Self, StoreError> {
        SqliteDatabase::open(file, blobs).await.map(Self::Sqlite)
    }

    /// The database in the data directory, for what only a file needs.
    pub(crate) fn embedded(&self) -> Option<&SqliteDatabase> {
        match self {
            Self::Sqlite(database) => Some(database),
        }
    }

    /// Whether the database is still the one that was opened.
    pub(crate) fn is_there(&self) -> bool {
        self.embedded().is_none_or(SqliteDatabase::is_there)
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&dyn Tables) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(database) => database.read(|tables| read(tables)).await,
        }
    }

    /// Makes a change in a transaction. `Ok` means durable; an error takes back what the change did. It may be made several
    /// times, each from the start, where others change the same rows.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        change: impl Fn(&dyn Tables) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        self.write_blobs(|_| Vec::new(), change).await
    }

    /// As `write`, for a change after which rows name the blobs that `named` gives.
    pub(super) async fn write_blobs<T: Send + 'static>(
        &self,
        named: impl FnOnce(&T) -> Vec<BlobId> + Send + 'static,
        change: impl Fn(&dyn Tables) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(database) => database.write_blobs(named, move |tables| change(tables)).await,
        }
    }

    pub(crate) async fn search_files(
        &self,
        filter: &FileFilter,
        sort: &[SearchOrder],
        window: Window,
        now: Timestamp,
    ) -> Result<SearchPage<FileRecord>, StoreError> {
        match self {
            Self::Sqlite(database) => database.search_files(filter, sort, window, now).await,
        }
    }

    pub(crate) async fn search_folders(
        &self,
        filter: &CommonFilter,
        sort: &[SearchOrder],
        window: Window,
    ) -> Result<SearchPage<FolderRecord>, StoreError> {
        match self {
            Self::Sqlite(database) => database.search_folders(filter, sort, window).await,
        }
    }

    /// Sees to it that nothing of erased rows is left where the dialect can reach (`guarantees.md#a-permanent-deletion-leaves-nothing`).
    pub(crate) async fn rewrite(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(database) => database.rewrite().await,
        }
    }

    /// Makes room on the disk, where the dialect keeps something there that can go.
    pub(crate) async fn truncate_log(&self, patience: ScrubDelay) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite(database) => database.truncate_log(patience).await,
        }
    }

    /// Notes that nothing is left after a `rewrite`, since which nothing may have been erased. False while a reader is in
    /// the way: ask again.
    pub(crate) async fn empty_log(&self, patience: ScrubDelay) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite(database) => database.empty_log(patience).await,
        }
    }

    /// Waits for what is under way and closes the connections.
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(database) => database.close().await,
        }
    }
}
