//! Reads a database as it lies there, beside the service that may be using it: what it should hold, whether it is
//! sound, a copy of it. Changes nothing.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{ConnectOptions as _, Connection as _, Row as _, SqliteConnection};

use super::database::{BUSY_TIMEOUT, form, newest_form};
use super::error::{StoreError, is_half_done};
use super::name_index;
use super::records::FileKey;
use super::service_flags::ServiceFlag;
use super::values::number;
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};

/// The forms of the database that brought them.
const BLOCK_SUMS_SINCE: i64 = 8;
const NAMES_SINCE: i64 = 11;
pub(super) const BLOB_NAMES_SINCE: i64 = 12;

/// Many ids in one value, in the order in which rows lie: the way from the connection's thread costs more than they do.
const NAMED: &str = "SELECT MAX(row) AS last, group_concat(blob, ' ') AS blobs
    FROM (SELECT rowid AS row, blob FROM files WHERE rowid > $1 ORDER BY rowid LIMIT $2)";
const NAMED_AT_ONCE: u32 = 10_000;

/// One connection that only reads.
#[derive(Debug)]
pub(crate) struct Audit(pub(super) SqliteConnection);

/// What a file's bytes should be. Deleted files keep theirs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expected {
    pub(crate) file: FileKey,
    pub(crate) path: String,
    pub(crate) deleted: bool,
    pub(crate) blob: BlobId,
    pub(crate) size: u64,
    pub(crate) digest: ContentDigest,
}

/// Blobs that a database knows, by their numbers: a store may have millions.
#[derive(Debug, Default)]
pub(crate) struct KnownBlobs {
    named: Vec<u128>,
    unused: Vec<u128>,
}

impl KnownBlobs {
    /// Whether a row names the blob, or a deletion is to remove it.
    pub(crate) fn has_number(&self, blob: u128) -> bool {
        [&self.named, &self.unused].iter().any(|blobs| blobs.binary_search(&blob).is_ok())
    }

    pub(crate) fn names(&self, blob: &BlobId) -> bool {
        blob.number().is_some_and(|blob| self.named.binary_search(&blob).is_ok())
    }

    pub(crate) fn is_unused(&self, blob: &BlobId) -> bool {
        blob.number().is_some_and(|blob| self.unused.binary_search(&blob).is_ok())
    }
}

fn numbers(blobs: &str) -> impl Iterator<Item = u128> {
    blobs.split(' ').filter_map(|blob| u128::from_str_radix(blob, 16).ok())
}

impl Audit {
    pub(crate) async fn open(file: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new().filename(file).read_only(true).busy_timeout(BUSY_TIMEOUT);
        Ok(Self(options.connect().await?))
    }

    /// As `open`, for who has the directory's lock: a first transaction that was cut short is taken back, which a
    /// connection that only reads cannot do. With a log nothing has to be taken back. None where nothing was ever put in.
    pub(crate) async fn open_locked(file: &Path) -> Result<Option<Self>, StoreError> {
        if !file.exists() {
            return Ok(None);
        }
        let mut audit = Self::open(file).await?;
        if matches!(audit.form().await, Err(StoreError::Database(error)) if is_half_done(&error)) {
            let options = SqliteConnectOptions::new().filename(file).busy_timeout(BUSY_TIMEOUT);
            audit = Self(options.connect().await?);
        }
        Ok(audit.form().await?.map(|_| audit))
    }

    /// What SQLite itself finds wrong; empty when nothing is.
    pub(crate) async fn faults(&mut self) -> Result<Vec<String>, StoreError> {
        let mut faults: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut self.0).await?;
        faults.retain(|fault| fault != "ok");
        for row in sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut self.0).await? {
            let (from, to): (String, String) = (row.try_get("table")?, row.try_get("parent")?);
            faults.push(format!("a row of {from} names one of {to} that is not there"));
        }
        Ok(faults)
    }

    /// The form of the database; none where nothing was ever put into it. A form from the future is refused.
    pub(crate) async fn form(&mut self) -> Result<Option<i64>, StoreError> {
        match form(&mut self.0).await? {
            Some(found) if found > newest_form() => Err(StoreError::Newer { found, known: newest_form() }),
            found => Ok(found),
        }
    }

    /// Whether the next start has to bring the database to a newer form.
    pub(crate) async fn is_older(&mut self) -> Result<bool, StoreError> {
        Ok(self.form().await?.is_some_and(|form| form < newest_form()))
    }

    /// Whether the names of the store's blobs say which of them have rows. In databases of earlier forms they do not.
    pub(crate) async fn do_names_tell(&mut self) -> Result<bool, StoreError> {
        if self.form().await? < Some(BLOB_NAMES_SINCE) {
            return Ok(false);
        }
        self.has_mark(ServiceFlag::NamesTell).await
    }

    /// The blobs that rows name and those that are to be removed, at one moment.
    pub(crate) async fn known_blobs(&mut self) -> Result<KnownBlobs, StoreError> {
        let mut known = KnownBlobs::default();
        let mut reading = self.0.begin().await?;
        let mut after = i64::MIN;
        loop {
            let row = sqlx::query(NAMED).bind(after).bind(NAMED_AT_ONCE).fetch_one(&mut *reading).await?;
            let Some(last) = row.try_get("last")? else { break };
            known.named.extend(numbers(row.try_get("blobs")?));
            after = last;
        }
        let unused: Option<String> =
            sqlx::query_scalar("SELECT group_concat(blob, ' ') FROM unused_blobs").fetch_one(&mut *reading).await?;
        known.unused.extend(numbers(&unused.unwrap_or_default()));
        known.named.sort_unstable();
        known.unused.sort_unstable();
        Ok(known)
    }

    /// The bytes of every file, in the order of the ids.
    pub(crate) async fn expected(&mut self) -> Result<Vec<Expected>, StoreError> {
        let rows = sqlx::query(
            "SELECT f.*, COALESCE(d.path, '') AS folder_path
             FROM files f LEFT JOIN folders d ON d.id = f.folder_id ORDER BY f.id",
        )
        .fetch_all(&mut self.0)
        .await?;
        Ok(rows.iter().map(expected).collect::<Result<_, _>>()?)
    }

    /// The sums of a blob by block; none where there are none. An older form of the database has none at all.
    pub(crate) async fn block_sums(&mut self, blob: &BlobId) -> Result<Option<BlockSums>, StoreError> {
        if self.form().await? < Some(BLOCK_SUMS_SINCE) {
            return Ok(None);
        }
        let sums: Option<Vec<u8>> = sqlx::query_scalar("SELECT sums FROM block_sums WHERE blob = $1")
            .bind(blob.as_str())
            .fetch_optional(&mut self.0)
            .await?;
        Ok(sums.map(BlockSums::from_stored))
    }

    /// Whether the file has these bytes still.
    pub(crate) async fn still_names(&mut self, file: FileKey, blob: &BlobId) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT 1 FROM files WHERE id = $1 AND blob = $2")
            .bind(file.0)
            .bind(blob.as_str())
            .fetch_optional(&mut self.0)
            .await?;
        Ok(row.is_some())
    }

    /// Writes the database as it is at one moment to a new file.
    pub(crate) async fn copy_to(&mut self, file: &Path) -> Result<(), StoreError> {
        let name = file.to_str().ok_or_else(|| sqlx::Error::Configuration("the path is not UTF-8".into()))?;
        sqlx::query("VACUUM INTO $1").bind(name).execute(&mut self.0).await?;
        // No row has what was erased, but its names are in their index until the next rewrite.
        if self.form().await? >= Some(NAMES_SINCE) && self.has_mark(ServiceFlag::Unscrubbed).await? {
            name_index::empty_copy(file).await?;
        }
        Ok(())
    }

    async fn has_mark(&mut self, mark: ServiceFlag) -> Result<bool, StoreError> {
        let query = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM marks WHERE name = $1)");
        Ok(query.bind(<&str>::from(mark)).fetch_one(&mut self.0).await?)
    }

    pub(crate) async fn close(self) -> Result<(), StoreError> {
        Ok(self.0.close().await?)
    }
}

fn expected(row: &SqliteRow) -> Result<Expected, sqlx::Error> {
    let (folder, name): (&str, &str) = (row.try_get("folder_path")?, row.try_get("full_name")?);
    Ok(Expected {
        file: FileKey(row.try_get("id")?),
        path: format!("{folder}/{name}"),
        deleted: row.try_get::<Option<i64>, _>("deleted_at")?.is_some(),
        blob: BlobId::from_stored(row.try_get("blob")?),
        size: number(row.try_get("size")?)?,
        digest: digest(row)?,
    })
}

/// That of a file, which an older form of the database has under another name.
pub(super) fn digest(row: &SqliteRow) -> Result<ContentDigest, sqlx::Error> {
    row.try_get("digest").or_else(|_| row.try_get("sha256")).map(ContentDigest::from_stored)
}
