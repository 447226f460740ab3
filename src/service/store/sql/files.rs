//! Rows of files.

use jiff::Timestamp;

use super::connection::{SqlRow, Tables};
use super::values::{SqlValue, values};
use crate::api::model::{Access, FileKind};
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};
use crate::service::domain::names::{FileName, fold};
use crate::service::store::content::StoredContent;
use crate::service::store::error::StoreError;
use crate::service::store::records::{FileKey, FileRecord, FolderKey};

/// The path of a file's folder, empty for the root. A join would also look up the folders of the
/// rows before a page.
macro_rules! folder_path {
    () => {
        "COALESCE((SELECT d.path FROM folders d WHERE d.id = folder_id), '')"
    };
}
pub(in crate::service::store) use folder_path;

/// The columns of `files` that `file` reads after the path of the folder.
macro_rules! own_file_columns {
    () => {
        "id, folder_id, stem, extension, full_name, blob, size, md5, digest, kind, media_type, encoding, width, height, \
         access, usable, source_group, created_at, updated_at, expires_at, deleted_at"
    };
}
pub(in crate::service::store) use own_file_columns;

macro_rules! file_columns {
    () => {
        concat!(folder_path!(), ", ", own_file_columns!())
    };
}
#[cfg(feature = "postgres")]
pub(in crate::service::store) use file_columns;

/// A `SELECT` of the columns that `file` reads, from `files f`; the arguments are the rest of the
/// query.
macro_rules! select_files {
    ($($rest:expr),+) => {
        concat!("SELECT ", file_columns!(), " FROM files f ", $($rest),+)
    };
}

/// The condition that a row of `files f` is neither deleted nor expired; a file that never expires
/// counts as expiring at the latest possible time. The caller appends the parameter for the current
/// time.
macro_rules! where_live {
    () => {
        "WHERE f.deleted_at IS NULL AND COALESCE(f.expires_at, 9223372036854775807) > "
    };
}
pub(in crate::service::store) use where_live;

const LIVE: &str = select_files!(where_live!(), "?1 AND f.id = ?2");
const NAMED: &str = select_files!(
    "WHERE COALESCE(f.folder_id, 0) = ?1 AND f.full_name = ?2 AND f.deleted_at IS NULL"
);
/// The MD5 narrows the search and the digest decides; the `+` keeps SQLite from using an index on
/// the folder instead. For old rows with a digest of a kind that is no longer computed, MD5 and
/// size have to do.
const SAME_CONTENT: &str = select_files!(
    where_live!(),
    "?1 AND f.md5 = ?2 AND f.size = ?3 AND (f.digest = ?4 OR f.digest NOT LIKE 'blake3:%')
     AND f.access NOT LIKE 'HIDDEN%' AND (?5 OR +COALESCE(f.folder_id, 0) = ?6) ORDER BY f.id LIMIT 1"
);
const INSERT: &str = concat!(
    "INSERT INTO files (id, folder_id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
       media_type, encoding, width, height, access, usable, source_group, created_at, updated_at, expires_at,
       deleted_at, erase_from)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)
     ON CONFLICT DO NOTHING RETURNING ",
    file_columns!()
);
const EXPIRE: &str = "UPDATE files SET deleted_at = COALESCE(deleted_at, ?1), erase_from = ?1
     WHERE expires_at IS NOT NULL AND expires_at <= ?1 AND erase_from IS NULL";
const NEXT_EXPIRY: &str =
    "SELECT MIN(expires_at) FROM files WHERE expires_at IS NOT NULL AND erase_from IS NULL";
const TO_ERASE: &str =
    "SELECT id FROM files WHERE erase_from IS NOT NULL ORDER BY erase_from LIMIT ?1";
// An index holds only the rows that are to be erased.
const OLDEST_ERASURE: &str = "SELECT MIN(erase_from) FROM files WHERE erase_from IS NOT NULL";
const ERASE: &str =
    "DELETE FROM files WHERE id = ?1 AND erase_from IS NOT NULL RETURNING blob, erase_from";

impl dyn Tables + '_ {
    pub(crate) fn live_file(
        &self,
        key: FileKey,
        now: Timestamp,
    ) -> Result<Option<FileRecord>, StoreError> {
        self.first(LIVE, values![now, key], file)
    }

    /// Returns the file of this name in the folder; it may have expired.
    pub(crate) fn file_named(
        &self,
        folder: Option<FolderKey>,
        full_name: &str,
    ) -> Result<Option<FileRecord>, StoreError> {
        self.first(
            NAMED,
            values![folder.map_or(0, |folder| folder.0), full_name],
            file,
        )
    }

    /// Returns the first live file with this content in a folder (0 is the root), or anywhere if
    /// `folder` is `None`. Hidden files are left out.
    pub(crate) fn file_with(
        &self,
        content: &StoredContent,
        folder: Option<i64>,
        now: Timestamp,
    ) -> Result<Option<FileRecord>, StoreError> {
        let digest = content.digest.as_str();
        let parameters = values![
            now,
            &content.md5,
            content.size,
            digest,
            folder.is_none(),
            folder
        ];
        self.first(SAME_CONTENT, parameters, file)
    }

    /// Calls `see` for each name in the folder that begins with the stem and a '-'.
    pub(crate) fn see_numbered_names(
        &self,
        folder: Option<FolderKey>,
        stem: &str,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), StoreError> {
        // '.' is the character after '-', so the range holds exactly the names that start with the
        // stem and a '-'.
        let names = "SELECT full_name FROM files
             WHERE COALESCE(folder_id, 0) = ?1 AND full_name >= ?2 AND full_name < ?3 AND deleted_at IS NULL";
        let (folder, from, to) = (
            folder.map_or(0, |folder| folder.0),
            format!("{stem}-"),
            format!("{stem}."),
        );
        self.each(names, values![folder, &from, &to], &mut |row| {
            see(row.text(0)?);
            Ok(())
        })
    }

    /// Inserts a row and returns it as stored; `None` if its id or name is taken. `folder_path` is
    /// ignored.
    pub(crate) fn insert_file(
        &self,
        row: &FileRecord,
        erase_from: Option<Timestamp>,
    ) -> Result<Option<FileRecord>, StoreError> {
        let (content, folded) = (&row.content, fold(&row.stem));
        let parameters = values![
            row.key,
            row.folder,
            &row.stem,
            &folded,
            &row.extension,
            &row.full_name,
            content.blob.as_str(),
            content.size,
            &content.md5,
            content.digest.as_str(),
            content.kind.as_str(),
            &content.media_type,
            content.encoding.as_deref(),
            content.width,
            content.height,
            row.access.as_str(),
            row.usable,
            &row.source_group,
            row.created_at,
            row.updated_at,
            row.expires_at,
            row.deleted_at,
            erase_from,
        ];
        self.first(INSERT, parameters, file)
    }

    pub(crate) fn rename_file(&self, key: FileKey, name: &FileName) -> Result<(), StoreError> {
        let rename = "UPDATE files SET stem = ?1, stem_folded = ?2, full_name = ?3 WHERE id = ?4";
        self.execute(
            rename,
            values![name.stem(), &fold(name.stem()), &name.full(), key],
        )
        .map(drop)
    }

    pub(crate) fn update_file(&self, row: &FileRecord) -> Result<(), StoreError> {
        let update =
            "UPDATE files SET folder_id = ?1, stem = ?2, stem_folded = ?3, full_name = ?4, access = ?5, usable = ?6,
               expires_at = ?7, updated_at = ?8 WHERE id = ?9";
        let folded = fold(&row.stem);
        let parameters = values![
            row.folder,
            &row.stem,
            &folded,
            &row.full_name,
            row.access.as_str(),
            row.usable,
            row.expires_at,
            row.updated_at,
            row.key,
        ];
        self.execute(update, parameters).map(drop)
    }

    pub(crate) fn update_content(&self, row: &FileRecord) -> Result<(), StoreError> {
        let update =
            "UPDATE files SET blob = ?1, size = ?2, md5 = ?3, digest = ?4, kind = ?5, media_type = ?6, encoding = ?7,
               width = ?8, height = ?9, access = ?10, expires_at = ?11, updated_at = ?12 WHERE id = ?13";
        let content = &row.content;
        let parameters = values![
            content.blob.as_str(),
            content.size,
            &content.md5,
            content.digest.as_str(),
            content.kind.as_str(),
            &content.media_type,
            content.encoding.as_deref(),
            content.width,
            content.height,
            row.access.as_str(),
            row.expires_at,
            row.updated_at,
            row.key,
        ];
        self.execute(update, parameters)?;
        // The finding was about the old bytes.
        self.execute(
            "DELETE FROM recovered_files WHERE file = ?1",
            values![row.key],
        )
        .map(drop)
    }

    pub(crate) fn mark_file_deleted(&self, key: FileKey, now: Timestamp) -> Result<(), StoreError> {
        self.execute(
            "UPDATE files SET deleted_at = ?1 WHERE id = ?2",
            values![now, key],
        )
        .map(drop)
    }

    /// Marks a file as deleted and to be erased, unless it already is. Returns `false` if the file
    /// does not exist.
    pub(crate) fn mark_file_for_erasure(
        &self,
        key: FileKey,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mark = "UPDATE files SET deleted_at = COALESCE(deleted_at, ?1), erase_from = COALESCE(erase_from, ?1)
             WHERE id = ?2";
        Ok(self.execute(mark, values![now, key])? > 0)
    }

    pub(crate) fn expire_files(&self, now: Timestamp) -> Result<usize, StoreError> {
        self.execute(EXPIRE, values![now])
    }

    pub(crate) fn next_expiry(&self) -> Result<Option<Timestamp>, StoreError> {
        self.value(NEXT_EXPIRY, values![])
    }

    pub(crate) fn files_to_erase(&self, limit: u32) -> Result<Vec<FileKey>, StoreError> {
        self.all(TO_ERASE, values![limit], |row| row.get(0))
    }

    pub(crate) fn oldest_erasure(&self) -> Result<Option<Timestamp>, StoreError> {
        self.value(OLDEST_ERASURE, values![])
    }

    /// Removes the row of a file that is to be erased. Returns its blob and the time from which it
    /// was to be erased.
    pub(crate) fn erase_file(
        &self,
        key: FileKey,
    ) -> Result<Option<(BlobId, Timestamp)>, StoreError> {
        self.first(ERASE, values![key], |row| {
            Ok((BlobId::from_stored(row.get(0)?), row.get(1)?))
        })
    }
}

pub(in crate::service::store) fn file(row: &dyn SqlRow) -> Result<FileRecord, StoreError> {
    Ok(FileRecord {
        folder_path: row.get(0)?,
        key: row.get(1)?,
        folder: row.get(2)?,
        stem: row.get(3)?,
        extension: row.get(4)?,
        full_name: row.get(5)?,
        content: StoredContent {
            blob: BlobId::from_stored(row.get(6)?),
            size: row.get(7)?,
            md5: row.get(8)?,
            digest: ContentDigest::from_stored(row.get(9)?),
            kind: FileKind::from(row.text(10)?),
            media_type: row.get(11)?,
            encoding: row.get(12)?,
            width: row.get(13)?,
            height: row.get(14)?,
            blocks: BlockSums::default(),
        },
        access: Access::from(row.text(15)?),
        usable: row.get(16)?,
        source_group: row.get(17)?,
        created_at: row.get(18)?,
        updated_at: row.get(19)?,
        expires_at: row.get(20)?,
        deleted_at: row.get(21)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::query_plans::{self, plan, store};

    #[tokio::test]
    async fn a_content_leads_to_its_first_file() {
        let (_dir, store) = store().await;
        let plan = plan(&store, SAME_CONTENT).await;
        assert!(
            plan.starts_with("SEARCH f USING INDEX files_by_md5 (md5=?)")
                && !plan.contains("B-TREE"),
            "{plan}"
        );
    }

    #[tokio::test]
    async fn what_is_due_is_found_without_a_look_at_all_files() {
        let (_dir, store) = store().await;
        for (statement, index) in [
            (EXPIRE, "files_by_expiry (expires_at>? AND expires_at<?)"),
            (NEXT_EXPIRY, "files_by_expiry"),
            (TO_ERASE, "files_by_erasure"),
            (OLDEST_ERASURE, "files_by_erasure"),
            (ERASE, "sqlite_autoindex_files_1 (id=?)"),
        ] {
            let plan = plan(&store, statement).await;
            assert!(
                plan.contains(index) && !plan.contains("B-TREE"),
                "{statement}: {plan}"
            );
        }
    }

    #[tokio::test]
    async fn a_row_that_cannot_be_read_fails_for_its_own_asker_alone() {
        let (_dir, store) = store().await;
        let rows = "INSERT INTO files (id, stem, stem_folded, extension, full_name, blob, size, md5, digest, kind,
               media_type, access, usable, source_group, created_at, updated_at)
             SELECT value, value || '', value, '', value, value || '', iif(value = 2, -1, 1), '', '', 'OTHER', 'text/plain',
               'PRIVATE', 1, 'CONTENT', 0, 0 FROM json_each('[1, 2, 3]')";
        query_plans::carry_out(&store, rows).await;
        let ask = |key| store.file(FileKey(key), Timestamp::UNIX_EPOCH);
        let (first, damaged, third) = tokio::join!(ask(1), ask(2), ask(3));
        assert!(first.is_ok() && third.is_ok());
        assert!(matches!(damaged, Err(StoreError::Database(..))));
        assert!(matches!(ask(4).await, Err(StoreError::FileMissing(4))));
    }
}
