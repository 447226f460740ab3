//! The open database: one connection writes, several read.

use std::path::Path;

use rusqlite::Connection;

use super::connections::{beside, connect};
use super::group::GroupCommit;
use super::migrations;
use super::name_indexer::NameIndexer;
use super::presence::Presence;
use super::tables::SqliteTables;
use crate::connection_threads::ConnectionThreads;
use crate::service::content::blobs::{BlobId, BlobNames};
use crate::service::content::private;
use crate::service::store::error::StoreError;

const READERS: usize = 4;

#[derive(Debug, Clone)]
pub(crate) struct EmbeddedDatabase {
    group: GroupCommit,
    readers: ConnectionThreads<Connection>,
    /// Set if blobs that no row names yet are listed in a table of their own.
    notes_pending: bool,
    pub(super) names: NameIndexer,
    pub(super) presence: Presence,
}

impl EmbeddedDatabase {
    /// Opens the database file, creates it if it is missing, and migrates it. Blobs get their final
    /// names with the commit of the rows that name them. Without `blob_names`, pending blobs are
    /// listed in a table.
    pub(crate) async fn open(
        file: &Path,
        blob_names: Option<BlobNames>,
    ) -> Result<Self, StoreError> {
        // Created here, the file is only for its owner, and so is the log that SQLite puts beside
        // it.
        private::file_options()
            .create(true)
            .append(true)
            .open(file)?;
        let presence = Presence::of(file)?;
        let guarded = presence.clone();
        let (writer, readers) = beside(move || {
            let mut writer = connect(guarded.file())?;
            guarded.guard(&writer)?;
            migrations::renew(&mut writer)?;
            let readers = (0..READERS)
                .map(|_| connect(guarded.file()))
                .collect::<Result<Vec<_>, _>>()?;
            guarded.note_log();
            Ok((writer, readers))
        })
        .await?;
        let notes_pending = blob_names.is_none();
        let group = GroupCommit::start(writer, blob_names)?;
        let names = NameIndexer::start(group.clone(), presence.clone());
        Ok(Self {
            group,
            readers: ConnectionThreads::start("reader", readers)?,
            notes_pending,
            names,
            presence,
        })
    }

    /// Indexes the names that an earlier run left over, after all other work.
    pub(crate) fn fill_name_index(&self) {
        self.names.fill();
    }

    pub(in crate::service::store) fn notes_pending(&self) -> bool {
        self.notes_pending
    }

    pub(crate) fn is_there(&self) -> bool {
        self.presence.holds()
    }

    /// Makes all reads and writes fail, as if the file were lost; the file stays as it is.
    pub(crate) fn refuse(&self) {
        self.presence.refuse();
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.presence.is_refused()
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        self.group.close().await;
    }

    pub(in crate::service::store) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&SqliteTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers
            .run(|connection| read(&SqliteTables(connection)))
            .await?
    }

    pub(in crate::service::store) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&SqliteTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_blobs(|_| Vec::new(), change).await
    }

    pub(in crate::service::store) async fn write_blobs<T: Send + 'static>(
        &self,
        named: impl FnOnce(&T) -> Vec<BlobId> + Send + 'static,
        change: impl FnOnce(&SqliteTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let made = self.group.commit(named, change).await;
        self.names.note_change();
        made
    }

    /// Uses the connection that writes, outside any transaction.
    pub(in crate::service::store) async fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.group.alone(work).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans;

    #[tokio::test]
    async fn every_connection_syncs_its_commits_and_wipes_what_it_deletes() {
        let (_dir, store) = query_plans::store().await;
        let check = |tables: &SqliteTables<'_>| {
            assert_eq!(tables.value::<String>("PRAGMA journal_mode", [])?, "wal");
            for (pragma, expected) in [
                ("PRAGMA synchronous", 2),
                ("PRAGMA secure_delete", 1),
                ("PRAGMA foreign_keys", 1),
                ("PRAGMA temp_store", 2),
                ("PRAGMA busy_timeout", 5000),
            ] {
                assert_eq!(tables.value::<i64>(pragma, [])?, expected, "{pragma}");
            }
            Ok(())
        };
        store.embedded().unwrap().read(check).await.unwrap();
        store
            .embedded()
            .unwrap()
            .alone(move |connection| check(&SqliteTables(connection)))
            .await
            .unwrap();
    }
}
