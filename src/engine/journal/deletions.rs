//! Deletions: recent ones, because files can still be deleted permanently by their ids; and
//! permanent ones, as proofs.

use jiff::Timestamp;
use rusqlite::{Connection, Row, Transaction};

use super::database::{Journal, time};
use crate::api::Error;
use crate::api::ids::{FileId, FolderId};
use crate::engine::deletion::{DeletedContents, Deletion};
use crate::engine::item::Target;

/// A row: id, path, times, and for a folder how many files were deleted with it and why there may
/// be more.
type DeletionRow = (
    String,
    String,
    i64,
    Option<i64>,
    Option<i64>,
    Option<String>,
);

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
        let insert = "INSERT OR REPLACE INTO deletion (account, file, path, deleted_at) VALUES (?1, ?2, ?3, ?4)";
        let row = (
            &self.account,
            file.as_str(),
            &deletion.path,
            deletion.deleted_at.as_millisecond(),
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
        let insert = "INSERT INTO receipt (account, file, path, deleted_at, gone_by) VALUES (?1, ?2, ?3, ?4, ?5)";
        let times = (
            deletion.deleted_at.as_millisecond(),
            gone_by.as_millisecond(),
        );
        let row = (
            &self.account,
            file.as_str(),
            &deletion.path,
            times.0,
            times.1,
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
        let select = "SELECT file, path, deleted_at, gone_by, NULL, NULL, number FROM receipt WHERE account = ?1 \
                      UNION ALL SELECT file, path, deleted_at, NULL, NULL, NULL, NULL FROM deletion \
                        WHERE account = ?1 AND folder IS NULL \
                      UNION ALL SELECT folder, path, deleted_at, NULL, (SELECT count(*) FROM deletion \
                          WHERE account = ?1 AND folder = folder_deletion.folder), missing, NULL \
                        FROM folder_deletion WHERE account = ?1 AND certain \
                      ORDER BY deleted_at DESC, number DESC";
        let read = |row: &Row<'_>| {
            let (id, path, deleted_at, gone_by, files, missing) = DeletionRow::try_from(row)?;
            let files = files.map(|files| usize::try_from(files).unwrap_or_default());
            Ok(Deletion {
                target: if files.is_some() {
                    Target::Folder(FolderId::new(id))
                } else {
                    Target::File(FileId::new(id))
                },
                path,
                deleted_at: time(deleted_at),
                gone_by: gone_by.map(time),
                contents: files.map(|files| DeletedContents { files, missing }),
            })
        };
        self.find(select, [self.account.clone()], read).await
    }
}
