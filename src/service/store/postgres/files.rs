//! Rows of files.

use jiff::Timestamp;
use tokio_postgres::Row;

use super::tables::PostgresTables;
use super::values::{integer, millis, number, optional_time, stored_time, time};
use crate::api::model::{Access, FileKind};
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};
use crate::service::domain::names::{FileName, fold};
use crate::service::store::content::StoredContent;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, FileRecord, FolderKey};
use crate::service::store::tables::FileTable;

/// What `file` reads of `files f`. The path of the folder is empty for the root.
macro_rules! file_columns {
    () => {
        "COALESCE((SELECT d.path FROM folders d WHERE d.id = f.folder_id), ''), f.id, f.folder_id, f.stem, f.extension, \
         f.full_name, f.blob, f.size, f.md5, f.digest, f.kind, f.media_type, f.encoding, f.width, f.height, f.access, \
         f.usable, f.source_group, f.created_at, f.updated_at, f.expires_at, f.deleted_at"
    };
}
pub(super) use file_columns;

/// `SELECT` of what `file` reads, from `files f`; the argument is the rest of the query.
macro_rules! select_files {
    ($($rest:expr),+) => {
        concat!("SELECT ", file_columns!(), " FROM files f ", $($rest),+)
    };
}

/// Of `files f` those that are neither deleted nor expired. What follows begins with the argument for the time now.
macro_rules! where_live {
    () => {
        "WHERE f.deleted_at IS NULL AND COALESCE(f.expires_at, 9223372036854775807) > "
    };
}
pub(super) use where_live;

const LIVE: &str = select_files!(where_live!(), "$1 AND f.id = $2");
const NAMED: &str = select_files!("WHERE COALESCE(f.folder_id, 0) = $1 AND f.full_name = $2 AND f.deleted_at IS NULL");
/// The MD5 leads to few, the digest decides. Where the row has a digest of before, which nobody makes of new bytes, MD5
/// and size have to do.
const SAME_CONTENT: &str = select_files!(
    where_live!(),
    "$1 AND f.md5 = $2 AND f.size = $3 AND (f.digest = $4 OR f.digest NOT LIKE 'blake3:%')
     AND ($5 OR COALESCE(f.folder_id, 0) = $6) ORDER BY f.id LIMIT 1"
);
const INSERT: &str = concat!(
    "INSERT INTO files AS f (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
       media_type, encoding, width, height, access, usable, source_group, created_at, updated_at, expires_at,
       deleted_at, erase_from)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
     ON CONFLICT DO NOTHING RETURNING ",
    file_columns!()
);
const EXPIRE: &str = "UPDATE files SET deleted_at = COALESCE(deleted_at, $1), erase_from = $1
     WHERE expires_at IS NOT NULL AND expires_at <= $1 AND erase_from IS NULL";

impl FileTable for PostgresTables<'_> {
    fn live_file(&self, key: FileKey, now: Timestamp) -> Result<Option<FileRecord>, StoreError> {
        self.first(LIVE, &[&millis(now), &key.0], file)
    }

    fn file_named(&self, folder: Option<FolderKey>, full_name: &str) -> Result<Option<FileRecord>, StoreError> {
        self.first(NAMED, &[&folder.map_or(0, |folder| folder.0), &full_name], file)
    }

    fn file_with(
        &self,
        content: &StoredContent,
        folder: Option<i64>,
        now: Timestamp,
    ) -> Result<Option<FileRecord>, StoreError> {
        let (size, digest) = (integer(content.size), content.digest.as_str());
        self.first(SAME_CONTENT, &[&millis(now), &content.md5, &size, &digest, &folder.is_none(), &folder], file)
    }

    fn see_numbered_names(
        &self,
        folder: Option<FolderKey>,
        stem: &str,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), StoreError> {
        // '.' is the character after '-', so the range holds exactly the names that start with the stem and a '-'.
        let names = "SELECT full_name FROM files
             WHERE COALESCE(folder_id, 0) = $1 AND full_name >= $2 AND full_name < $3 AND deleted_at IS NULL";
        let folder = folder.map_or(0, |folder| folder.0);
        self.all(names, &[&folder, &format!("{stem}-"), &format!("{stem}.")], |row| {
            see(row.try_get(0)?);
            Ok(())
        })
        .map(drop)
    }

    fn insert_file(&self, row: &FileRecord, erase_from: Option<Timestamp>) -> Result<Option<FileRecord>, StoreError> {
        let content = &row.content;
        self.first(
            INSERT,
            &[
                &row.key.0,
                &row.folder.map(|folder| folder.0),
                &row.stem,
                &fold(&row.stem),
                &row.extension,
                &row.full_name,
                &content.blob.as_str(),
                &integer(content.size),
                &content.md5,
                &content.digest.as_str(),
                &content.kind.as_str(),
                &content.media_type,
                &content.encoding,
                &content.width.map(i64::from),
                &content.height.map(i64::from),
                &row.access.as_str(),
                &row.usable,
                &row.source_group,
                &millis(row.created_at),
                &millis(row.updated_at),
                &row.expires_at.map(millis),
                &row.deleted_at.map(millis),
                &erase_from.map(millis),
            ],
            file,
        )
    }

    fn rename_file(&self, key: FileKey, name: &FileName) -> Result<(), StoreError> {
        let rename = "UPDATE files SET stem = $1, stem_folded = $2, full_name = $3 WHERE id = $4";
        self.execute(rename, &[&name.stem(), &fold(name.stem()), &name.full(), &key.0]).map(drop)
    }

    fn update_file(&self, row: &FileRecord) -> Result<(), StoreError> {
        let update =
            "UPDATE files SET folder_id = $1, stem = $2, stem_folded = $3, full_name = $4, access = $5, usable = $6,
               expires_at = $7, updated_at = $8 WHERE id = $9";
        self.execute(
            update,
            &[
                &row.folder.map(|folder| folder.0),
                &row.stem,
                &fold(&row.stem),
                &row.full_name,
                &row.access.as_str(),
                &row.usable,
                &row.expires_at.map(millis),
                &millis(row.updated_at),
                &row.key.0,
            ],
        )
        .map(drop)
    }

    fn update_content(&self, row: &FileRecord) -> Result<(), StoreError> {
        let update =
            "UPDATE files SET blob = $1, size = $2, md5 = $3, digest = $4, kind = $5, media_type = $6, encoding = $7,
               width = $8, height = $9, access = $10, expires_at = $11, updated_at = $12 WHERE id = $13";
        let content = &row.content;
        self.execute(
            update,
            &[
                &content.blob.as_str(),
                &integer(content.size),
                &content.md5,
                &content.digest.as_str(),
                &content.kind.as_str(),
                &content.media_type,
                &content.encoding,
                &content.width.map(i64::from),
                &content.height.map(i64::from),
                &row.access.as_str(),
                &row.expires_at.map(millis),
                &millis(row.updated_at),
                &row.key.0,
            ],
        )?;
        // What was found is about the bytes of before.
        self.execute("DELETE FROM recovered_files WHERE file = $1", &[&row.key.0]).map(drop)
    }

    fn mark_file_deleted(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        self.execute("UPDATE files SET deleted_at = $1 WHERE id = $2", &[&millis(now), &key.0]).map(drop)
    }

    fn mark_file_for_erasure(&self, key: FileKey, now: Timestamp) -> Result<bool, StoreError> {
        let mark = "UPDATE files SET deleted_at = COALESCE(deleted_at, $1), erase_from = COALESCE(erase_from, $1)
             WHERE id = $2";
        Ok(self.execute(mark, &[&millis(now), &key.0])? > 0)
    }

    fn expire_files(&self, now: Timestamp) -> Result<usize, StoreError> {
        self.execute(EXPIRE, &[&millis(now)])
    }

    fn next_expiry(&self) -> Result<Option<Timestamp>, StoreError> {
        let next = "SELECT MIN(expires_at) FROM files WHERE expires_at IS NOT NULL AND erase_from IS NULL";
        self.value::<Option<i64>>(next, &[])?.map(stored_time).transpose()
    }

    fn files_to_erase(&self, limit: u32) -> Result<Vec<FileKey>, StoreError> {
        let files = "SELECT id FROM files WHERE erase_from IS NOT NULL ORDER BY erase_from LIMIT $1";
        self.all(files, &[&i64::from(limit)], |row| Ok(FileKey(row.try_get(0)?)))
    }

    fn oldest_erasure(&self) -> Result<Option<Timestamp>, StoreError> {
        let oldest = "SELECT MIN(erase_from) FROM files WHERE erase_from IS NOT NULL";
        self.value::<Option<i64>>(oldest, &[])?.map(stored_time).transpose()
    }

    fn erase_file(&self, key: FileKey) -> Result<Option<(BlobId, Timestamp)>, StoreError> {
        let erase = "DELETE FROM files WHERE id = $1 AND erase_from IS NOT NULL RETURNING blob, erase_from";
        self.first(erase, &[&key.0], |row| Ok((BlobId::from_stored(row.try_get(0)?), time(row, 1)?)))
    }
}

pub(super) fn file(row: &Row) -> Result<FileRecord, StoreError> {
    let pixels = |column| row.try_get::<_, Option<i64>>(column)?.map(number).transpose();
    Ok(FileRecord {
        folder_path: row.try_get(0)?,
        key: FileKey(row.try_get(1)?),
        folder: row.try_get::<_, Option<i64>>(2)?.map(FolderKey),
        stem: row.try_get(3)?,
        extension: row.try_get(4)?,
        full_name: row.try_get(5)?,
        content: StoredContent {
            blob: BlobId::from_stored(row.try_get(6)?),
            size: number(row.try_get(7)?)?,
            md5: row.try_get(8)?,
            digest: ContentDigest::from_stored(row.try_get(9)?),
            kind: FileKind::from(row.try_get::<_, &str>(10)?),
            media_type: row.try_get(11)?,
            encoding: row.try_get(12)?,
            width: pixels(13)?,
            height: pixels(14)?,
            blocks: BlockSums::default(),
        },
        access: Access::from(row.try_get::<_, &str>(15)?),
        usable: row.try_get(16)?,
        source_group: row.try_get(17)?,
        created_at: time(row, 18)?,
        updated_at: time(row, 19)?,
        expires_at: optional_time(row, 20)?,
        deleted_at: optional_time(row, 21)?,
    })
}
