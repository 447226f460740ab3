//! The database of a store that is being copied: no other filedeck uses it, so all rows are of the same moment.

use std::sync::Arc;

use deadpool_postgres::{ClientWrapper, ConfigConnectImpl, Connect as _};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::address::DatabaseAddress;
use super::tables::PostgresTables;
use super::{migrations, use_lock};
use crate::connection_threads::Unanswered;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FolderRecord, ServiceFlag};
use crate::service::store::salvage::{Salvage, SavedFile, SavedFiles};
use crate::service::store::sql::{
    SqlRow, Tables, UsageTable as _, file, file_columns, folder, folder_columns, folder_path, own_file_columns,
};

/// The number of rows per request; no response may take long.
const PAGE: i64 = 5000;

const FOLDERS: &str = concat!("SELECT ", folder_columns!(), " FROM folders f WHERE f.id > $1 ORDER BY f.id LIMIT $2");
const FILES: &str =
    concat!("SELECT ", file_columns!(), ", f.erase_from FROM files f WHERE f.id > $1 ORDER BY f.id LIMIT $2");
const NEXT_ID: &str = "SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM ids";

/// The lock is held until this is dropped or its connection is lost.
#[derive(Debug)]
pub(crate) struct LockedDatabase(Arc<ClientWrapper>);

impl LockedDatabase {
    /// Takes the lock, then migrates an older store. Returns `None` while another process uses the store.
    pub(crate) async fn take(address: &DatabaseAddress) -> Result<Option<Self>, StoreError> {
        let connect = ConfigConnectImpl { tls: address.connector()? };
        let (client, connection) = connect.connect(&address.config()).await?;
        let mut client = ClientWrapper::new(client, connection);
        if !use_lock::take(&client).await? {
            return Ok(None);
        }
        if migrations::form(&client).await?.is_some() {
            migrations::renew(&mut client).await?;
        }
        Ok(Some(Self(Arc::new(client))))
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

    pub(crate) async fn files_after(&self, place: i64, limit: u32) -> Result<SavedFiles, StoreError> {
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

    /// Fails if the connection was lost, since another process may then have used the store.
    pub(crate) async fn check_held(&self) -> Result<(), StoreError> {
        self.read(|tables| tables.value::<i32>("SELECT 1", &[]).map(drop)).await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&PostgresTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (client, runtime) = (self.0.clone(), Handle::current());
        let read =
            move || read(&PostgresTables { client: &client, statements: &client.statement_cache, runtime: &runtime });
        spawn_blocking(read).await.map_err(|_| Unanswered)?
    }
}

fn salvage_but_files(tables: &PostgresTables<'_>) -> Result<Salvage, StoreError> {
    Ok(Salvage {
        folders: folders(tables)?,
        usage: tables.crm_usage()?,
        next_id: tables.value(NEXT_ID, &[])?,
        is_half_copied: <dyn Tables>::mark(tables, ServiceFlag::BeingCopied)?.is_some(),
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
    Ok(SavedFile { record: file(row)?, erase_from: row.get(22)?, finding: None })
}
