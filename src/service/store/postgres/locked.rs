//! The database of a store that is copied, backed up or verified. While it is copied, no other
//! filedeck uses it, so all rows are of the same moment; the others only keep copies away, and a
//! backup reads in a snapshot.

use std::sync::Arc;

use deadpool_postgres::{ClientWrapper, ConfigConnectImpl, Connect as _};
use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::address::DatabaseAddress;
use super::tables::PostgresTables;
use super::{migrations, use_lock};
use crate::connection_threads::Unanswered;
use crate::service::content::blobs::{BlobId, BlockSums, blocks_of, places};
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, FolderRecord, ServiceFlag};
use crate::service::store::salvage::{Salvage, SavedFile, SavedFiles};
use crate::service::store::sql::{
    SqlRow, Tables, UsageTable as _, file, file_columns, folder, folder_columns, folder_path,
    own_file_columns,
};

/// The number of rows per request; no response may take long.
const PAGE: i64 = 5000;

const FOLDERS: &str = concat!(
    "SELECT ",
    folder_columns!(),
    " FROM folders f WHERE f.id > $1 ORDER BY f.id LIMIT $2"
);
const FILES: &str = concat!(
    "SELECT ",
    file_columns!(),
    ", f.erase_from FROM files f WHERE f.id > $1 ORDER BY f.id LIMIT $2"
);
const STILL_NAMES: &str = "SELECT EXISTS (SELECT 1 FROM files WHERE id = $1 AND blob = $2)";
const NEXT_ID: &str = "SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM ids";

/// The lock is held until this is dropped or its connection is lost.
#[derive(Debug)]
pub(crate) struct LockedDatabase(Arc<ClientWrapper>);

impl LockedDatabase {
    /// Takes the lock, then migrates an older store. Returns `None` while another process uses the
    /// store.
    pub(crate) async fn take(address: &DatabaseAddress) -> Result<Option<Self>, StoreError> {
        let mut client = connect(address).await?;
        if !use_lock::take(&client).await? {
            return Ok(None);
        }
        if migrations::form(&client).await?.is_some() {
            migrations::renew(&mut client).await?;
        }
        Ok(Some(Self(Arc::new(client))))
    }

    /// Shares the lock with the processes that serve the store. Returns `None` while it is copied.
    pub(crate) async fn share(address: &DatabaseAddress) -> Result<Option<Self>, StoreError> {
        let client = connect(address).await?;
        Ok(use_lock::share(&client)
            .await?
            .then(|| Self(Arc::new(client))))
    }

    /// Returns the place of the bytes; `None` if no store was ever started on this database.
    pub(crate) async fn place(&self) -> Result<Option<String>, StoreError> {
        match migrations::form(&self.0).await? {
            Some(_) => self.read(|tables| <dyn Tables>::bucket(tables)).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn salvage_but_files(&self) -> Result<Salvage, StoreError> {
        self.read(salvage_but_files).await
    }

    pub(crate) async fn files_after(
        &self,
        place: i64,
        limit: u32,
    ) -> Result<SavedFiles, StoreError> {
        self.read(move |tables| {
            let files = tables.all(FILES, &[&place, &i64::from(limit)], |row| {
                let file = saved_file(row)?;
                let id = file.record.key.0;
                Ok((file, id))
            });
            Ok(SavedFiles::page(files?, limit))
        })
        .await
    }

    pub(crate) async fn is_half_copied(&self) -> Result<bool, StoreError> {
        self.read(is_half_copied).await
    }

    /// Returns the block sums of a blob of this size, if there are any.
    pub(crate) async fn block_sums(
        &self,
        blob: &BlobId,
        size: u64,
    ) -> Result<Option<BlockSums>, StoreError> {
        let (blob, places) = (blob.clone(), places(&blocks_of(&(0..size))));
        self.read(move |tables| <dyn Tables>::block_sums(tables, &blob, &places))
            .await
    }

    pub(crate) async fn still_names(
        &self,
        file: FileKey,
        blob: &BlobId,
    ) -> Result<bool, StoreError> {
        let blob = blob.clone();
        self.read(move |tables| tables.value(STILL_NAMES, &[&file.0, &blob.as_str()]))
            .await
    }

    pub(crate) async fn pending_blobs(&self) -> Result<Vec<BlobId>, StoreError> {
        self.read(|tables| <dyn Tables>::pending_blobs(tables))
            .await
    }

    pub(crate) async fn unused_blobs(&self) -> Result<Vec<BlobId>, StoreError> {
        self.read(|tables| <dyn Tables>::unused_blobs(tables, Timestamp::MAX, u32::MAX))
            .await
    }

    /// Starts a transaction whose reads all see the rows as of one moment.
    pub(crate) async fn begin_snapshot(&self) -> Result<(), StoreError> {
        Ok(self
            .0
            .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .await?)
    }

    pub(crate) async fn end_snapshot(&self) -> Result<(), StoreError> {
        Ok(self.0.batch_execute("ROLLBACK").await?)
    }

    /// Fails if the connection was lost, since another process may then have used the store.
    pub(crate) async fn check_held(&self) -> Result<(), StoreError> {
        self.read(|tables| tables.value::<i32>("SELECT 1", &[]).map(drop))
            .await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&PostgresTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (client, runtime) = (self.0.clone(), Handle::current());
        let read = move || {
            read(&PostgresTables {
                client: &client,
                statements: &client.statement_cache,
                runtime: &runtime,
            })
        };
        spawn_blocking(read).await.map_err(|_| Unanswered)?
    }
}

async fn connect(address: &DatabaseAddress) -> Result<ClientWrapper, StoreError> {
    let connect = ConfigConnectImpl {
        tls: address.connector()?,
    };
    let (client, connection) = connect.connect(&address.config()).await?;
    Ok(ClientWrapper::new(client, connection))
}

fn is_half_copied(tables: &PostgresTables<'_>) -> Result<bool, StoreError> {
    Ok(<dyn Tables>::mark(tables, ServiceFlag::BeingCopied)?.is_some())
}

fn salvage_but_files(tables: &PostgresTables<'_>) -> Result<Salvage, StoreError> {
    Ok(Salvage {
        folders: folders(tables)?,
        usage: tables.crm_usage()?,
        next_id: tables.value(NEXT_ID, &[])?,
        is_half_copied: is_half_copied(tables)?,
        ..Salvage::default()
    })
}

fn folders(tables: &PostgresTables<'_>) -> Result<Vec<FolderRecord>, StoreError> {
    let mut found: Vec<FolderRecord> = Vec::new();
    loop {
        let last = found.last().map_or(i64::MIN, |folder| folder.key.0);
        let next = tables.all(FOLDERS, &[&last, &PAGE], |row| folder(row))?;
        if next.is_empty() {
            return Ok(found);
        }
        found.extend(next);
    }
}

/// The column after those of a file is the time of its erasure.
fn saved_file(row: &dyn SqlRow) -> Result<SavedFile, StoreError> {
    Ok(SavedFile {
        record: file(row)?,
        erase_from: row.get(22)?,
        finding: None,
    })
}
