//! Reads a database that the service may be using: its contents, its soundness, a copy of it.
//! Changes nothing.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, Row, params};

use super::connections::{beside, open, utf8};
use super::failure::is_half_done;
use super::migrations::known_form;
use super::name_index;
use super::tables::SqliteTables;
use super::values::size;
use crate::connection_threads::ConnectionThreads;
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, ServiceFlag};
use crate::service::store::salvage::HALF_COPIED;
use crate::service::store::sql::Tables;

#[derive(Debug)]
pub(crate) struct Audit(ConnectionThreads<Connection>);

/// The expected bytes of a file. Deleted files keep theirs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expected {
    pub(crate) file: FileKey,
    pub(crate) path: String,
    pub(crate) deleted: bool,
    pub(crate) blob: BlobId,
    pub(crate) size: u64,
    pub(crate) digest: ContentDigest,
}

/// The blobs that a database knows, by number to save memory: a store may have millions.
#[derive(Debug, Default)]
pub(crate) struct KnownBlobs {
    named: Vec<u128>,
    unused: Vec<u128>,
}

impl KnownBlobs {
    pub(crate) fn is_empty(&self) -> bool {
        self.named.is_empty() && self.unused.is_empty()
    }

    /// Returns `true` if a row names the blob, or it is listed as unused.
    pub(crate) fn has_number(&self, blob: u128) -> bool {
        [&self.named, &self.unused]
            .iter()
            .any(|blobs| blobs.binary_search(&blob).is_ok())
    }

    pub(crate) fn names(&self, blob: &BlobId) -> bool {
        blob.number()
            .is_some_and(|blob| self.named.binary_search(&blob).is_ok())
    }

    pub(crate) fn is_unused(&self, blob: &BlobId) -> bool {
        blob.number()
            .is_some_and(|blob| self.unused.binary_search(&blob).is_ok())
    }
}

impl Audit {
    pub(crate) async fn open(file: &Path) -> Result<Self, StoreError> {
        Self::open_with(file, OpenFlags::SQLITE_OPEN_READ_ONLY).await
    }

    /// Like `open`, for a new copy that nobody else uses: closing it removes the log, which a
    /// read-only connection leaves.
    pub(crate) async fn open_copy(file: &Path) -> Result<Self, StoreError> {
        Self::open_with(file, OpenFlags::SQLITE_OPEN_READ_WRITE).await
    }

    async fn open_with(file: &Path, access: OpenFlags) -> Result<Self, StoreError> {
        let file = file.to_owned();
        beside(move || {
            Ok(Self(ConnectionThreads::start(
                "audit",
                [open(&file, access)?],
            )?))
        })
        .await
    }

    /// Like `open`, for the holder of the directory's lock: rolls back an interrupted first
    /// transaction, which a read-only connection cannot do and WAL mode makes unnecessary. Returns
    /// `None` if the database is empty.
    pub(crate) async fn open_locked(file: &Path) -> Result<Option<Self>, StoreError> {
        if !file.exists() {
            return Ok(None);
        }
        let mut audit = Self::open(file).await?;
        if audit.form().await.is_err_and(|error| is_half_done(&error)) {
            audit = Self::open_with(file, OpenFlags::SQLITE_OPEN_READ_WRITE).await?;
        }
        Ok(audit.form().await?.map(|_| audit))
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&SqliteTables<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0
            .run(|connection| read(&SqliteTables(connection)))
            .await?
    }

    pub(crate) async fn faults(&self) -> Result<Vec<String>, StoreError> {
        self.read(|tables| {
            let mut faults: Vec<String> =
                tables.all("PRAGMA integrity_check", [], |row| row.get(0))?;
            faults.retain(|fault| fault != "ok");
            faults.extend(tables.all("PRAGMA foreign_key_check", [], |row| {
                let (from, to): (String, String) = (row.get("table")?, row.get("parent")?);
                Ok(format!(
                    "a row of {from} names one of {to} that is not there"
                ))
            })?);
            if is_half_copied(tables) {
                faults.push(HALF_COPIED.to_owned());
            }
            Ok(faults)
        })
        .await
    }

    pub(crate) async fn is_half_copied(&self) -> Result<bool, StoreError> {
        self.read(|tables| Ok(is_half_copied(tables))).await
    }

    /// Returns the schema version; `None` if the database is empty. Refuses one that this filedeck
    /// does not know.
    pub(crate) async fn form(&self) -> Result<Option<i32>, StoreError> {
        self.read(|tables| known_form(tables.0)).await
    }

    /// Returns the address of the bucket that holds the bytes; `None` if they are in the directory.
    pub(crate) async fn bucket(&self) -> Result<Option<String>, StoreError> {
        self.read(|tables| <dyn Tables>::bucket(tables)).await
    }

    /// Returns the blobs that rows name and those that are to be removed, as of one moment.
    pub(crate) async fn known_blobs(&self) -> Result<KnownBlobs, StoreError> {
        self.read(|tables| {
            let moment = tables.0.unchecked_transaction()?;
            let numbers = |blobs: &str| {
                let mut blobs = moment.prepare_cached(blobs)?;
                let number =
                    |row: &Row<'_>| Ok(u128::from_str_radix(row.get_ref(0)?.as_str()?, 16).ok());
                let mut numbers = Vec::new();
                for number in blobs.query_map([], number)? {
                    numbers.extend(number?);
                }
                numbers.sort_unstable();
                Ok::<_, StoreError>(numbers)
            };
            let (named, unused) = (
                numbers("SELECT blob FROM files")?,
                numbers("SELECT blob FROM unused_blobs")?,
            );
            Ok(KnownBlobs { named, unused })
        })
        .await
    }

    pub(crate) async fn expected(&self) -> Result<Vec<Expected>, StoreError> {
        self.read(|tables| {
            let files = "SELECT f.*, COALESCE(d.path, '') AS folder_path
                 FROM files f LEFT JOIN folders d ON d.id = f.folder_id ORDER BY f.id";
            tables.all(files, [], expected)
        })
        .await
    }

    /// Returns the block sums of a blob, if there are any.
    pub(crate) async fn block_sums(&self, blob: &BlobId) -> Result<Option<BlockSums>, StoreError> {
        let blob = blob.clone();
        self.read(move |tables| {
            let sums = "SELECT sums FROM block_sums WHERE blob = ?1";
            Ok(tables
                .first(sums, [blob.as_str()], |row| row.get(0))?
                .map(BlockSums::from_stored))
        })
        .await
    }

    pub(crate) async fn still_names(
        &self,
        file: FileKey,
        blob: &BlobId,
    ) -> Result<bool, StoreError> {
        let blob = blob.clone();
        self.read(move |tables| {
            let named = "SELECT 1 FROM files WHERE id = ?1 AND blob = ?2";
            Ok(tables
                .first(named, params![file.0, blob.as_str()], |_| Ok(()))?
                .is_some())
        })
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

    /// Writes the database as of one moment to a new file.
    pub(crate) async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let file = file.to_owned();
        self.read(move |tables| {
            tables.execute("VACUUM INTO ?1", [utf8(&file)?])?;
            // The copy has no erased rows, but its name index may have their names until the next
            // rewrite.
            if <dyn Tables>::mark(tables, ServiceFlag::Unscrubbed)?.is_some() {
                name_index::empty_copy(&file)?;
            }
            // The bytes are copied to the directory of the copy, and uploads in progress belong to
            // the original. Whoever has a copy must not be able to sign addresses of the original.
            let leave = "DELETE FROM buckets; DELETE FROM pending_blobs; DELETE FROM signing_keys";
            open(&file, OpenFlags::SQLITE_OPEN_READ_WRITE)?.execute_batch(leave)?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn close(self) {
        self.0.close().await;
    }
}

fn expected(row: &Row<'_>) -> rusqlite::Result<Expected> {
    let (folder, name) = (
        row.get_ref("folder_path")?.as_str()?,
        row.get_ref("full_name")?.as_str()?,
    );
    Ok(Expected {
        file: FileKey(row.get("id")?),
        path: format!("{folder}/{name}"),
        deleted: row.get::<_, Option<i64>>("deleted_at")?.is_some(),
        blob: BlobId::from_stored(row.get("blob")?),
        size: size(row, "size")?,
        digest: ContentDigest::from_stored(row.get("digest")?),
    })
}

/// Returns `false` if the marks cannot be read, too.
pub(super) fn is_half_copied(tables: &SqliteTables<'_>) -> bool {
    <dyn Tables>::mark(tables, ServiceFlag::BeingCopied)
        .ok()
        .flatten()
        .is_some()
}
