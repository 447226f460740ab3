//! Deletions: recent ones, because files can still be deleted permanently by their ids; and
//! permanent ones, as proofs.

use jiff::Timestamp;
use rusqlite::{Connection, Row, Transaction};

use super::database::{Journal, size, time};
use crate::api::ids::{FileId, FolderId};
use crate::api::{DeletionAnswer, Error};
use crate::engine::deletion::{DeletedContents, Deletion};
use crate::engine::item::Target;

impl Journal {
    /// Records a deletion; a permanent one as its proof.
    pub async fn add_deletion(&self, deletion: &Deletion) -> Result<(), Error> {
        let deletion = deletion.clone();
        let insert = move |journal: &Self, change: &Transaction<'_>| match (
            &deletion.target,
            deletion.gone_by,
        ) {
            (Target::File(file), Some(gone_by)) => {
                journal.insert_receipt(change, file, &deletion, gone_by)
            }
            (Target::File(file), None) => journal.insert_deletion(change, file, &deletion),
            (Target::Folder(folder), _) => journal.add_folder(change, folder, &deletion),
        };
        self.change(insert).await
    }

    fn insert_deletion(
        &self,
        change: &Connection,
        file: &FileId,
        deletion: &Deletion,
    ) -> rusqlite::Result<()> {
        let insert = "INSERT OR REPLACE INTO deletion (account, file, path, deleted_at, size, md5) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let row = (
            &self.account,
            file.as_str(),
            &deletion.path,
            deletion.deleted_at.as_millisecond(),
            bytes(deletion.size),
            &deletion.md5,
        );
        change.prepare_cached(insert)?.execute(row).map(drop)
    }

    fn insert_receipt(
        &self,
        change: &Connection,
        file: &FileId,
        deletion: &Deletion,
        gone_by: Timestamp,
    ) -> rusqlite::Result<()> {
        self.delete_deletion(change, file)?;
        let insert = "INSERT INTO receipt \
                        (account, file, path, deleted_at, gone_by, size, md5, status, correlation_id) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let answer = deletion.answer.as_ref();
        let row = (
            &self.account,
            file.as_str(),
            &deletion.path,
            deletion.deleted_at.as_millisecond(),
            gone_by.as_millisecond(),
            bytes(deletion.size),
            &deletion.md5,
            answer.map(|answer| answer.status),
            answer.and_then(|answer| answer.correlation_id.as_ref()),
        );
        change.prepare_cached(insert)?.execute(row).map(drop)
    }

    pub(super) fn delete_deletion(
        &self,
        change: &Connection,
        file: &FileId,
    ) -> rusqlite::Result<()> {
        let delete = "DELETE FROM deletion WHERE account = ?1 AND file = ?2";
        change
            .prepare_cached(delete)?
            .execute((&self.account, file.as_str()))
            .map(drop)
    }

    /// Returns all known deletions, newest first; for files that were deleted with a folder, only
    /// the folder.
    pub async fn deletions(&self) -> Result<Vec<Deletion>, Error> {
        let select = "SELECT file AS id, path, deleted_at, gone_by, NULL AS files, NULL AS missing, \
                          size, md5, status, correlation_id, number FROM receipt WHERE account = ?1 \
                      UNION ALL SELECT file, path, deleted_at, NULL, NULL, NULL, size, md5, NULL, NULL, NULL \
                        FROM deletion WHERE account = ?1 AND folder IS NULL \
                      UNION ALL SELECT folder, path, deleted_at, NULL, (SELECT count(*) FROM deletion \
                          WHERE account = ?1 AND folder = folder_deletion.folder), missing, \
                          NULL, NULL, NULL, NULL, NULL \
                        FROM folder_deletion WHERE account = ?1 AND certain \
                      ORDER BY deleted_at DESC, number DESC";
        let read = |row: &Row<'_>| {
            let id: String = row.get("id")?;
            let contents = match row.get::<_, Option<i64>>("files")? {
                None => None,
                Some(files) => Some(DeletedContents {
                    files: usize::try_from(files).unwrap_or_default(),
                    missing: row.get("missing")?,
                }),
            };
            let answer = match row.get("status")? {
                None => None,
                Some(status) => Some(DeletionAnswer {
                    status,
                    correlation_id: row.get("correlation_id")?,
                }),
            };
            Ok(Deletion {
                target: if contents.is_some() {
                    Target::Folder(FolderId::new(id))
                } else {
                    Target::File(FileId::new(id))
                },
                path: row.get("path")?,
                deleted_at: time(row.get("deleted_at")?),
                gone_by: row.get::<_, Option<i64>>("gone_by")?.map(time),
                size: size(row.get("size")?),
                md5: row.get("md5")?,
                answer,
                contents,
            })
        };
        self.find(select, [self.account.clone()], read).await
    }
}

fn bytes(size: Option<u64>) -> Option<i64> {
    size.and_then(|size| i64::try_from(size).ok())
}
