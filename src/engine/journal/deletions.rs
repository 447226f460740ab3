//! What was deleted: for the last days, because files can be deleted permanently by their ids; and proofs of those that
//! were, for ever.

use jiff::Timestamp;

use super::database::{Journal, time};
use crate::api::Error;
use crate::api::ids::{FileId, FolderId};
use crate::engine::deletion::{DeletedContents, Deletion};
use crate::engine::item::Target;

/// A row: id, path, times, and of a folder how many files went with it and why there may be more.
type DeletionRow = (String, String, i64, Option<i64>, Option<i64>, Option<String>);

impl Journal {
    /// Keeps that something was deleted; of a permanent deletion, the proof.
    pub async fn add_deletion(&self, deletion: &Deletion) -> Result<(), Error> {
        let insert = async {
            match (&deletion.target, deletion.gone_by) {
                (Target::File(file), Some(gone_by)) => self.insert_receipt(file, deletion, gone_by).await,
                (Target::File(file), None) => self.insert_deletion(file, deletion).await,
                (Target::Folder(folder), _) => self.add_folder(folder, deletion).await,
            }
        };
        insert.await.map_err(|error| self.failed(&error))
    }

    async fn insert_deletion(&self, file: &FileId, deletion: &Deletion) -> Result<(), sqlx::Error> {
        let insert = "INSERT OR REPLACE INTO deletion (account, file, path, deleted_at) VALUES ($1, $2, $3, $4)";
        let insert = sqlx::query(insert).bind(&self.account).bind(file.as_str()).bind(&deletion.path);
        insert.bind(deletion.deleted_at.as_millisecond()).execute(&self.pool).await.map(drop)
    }

    async fn insert_receipt(&self, file: &FileId, deletion: &Deletion, gone_by: Timestamp) -> Result<(), sqlx::Error> {
        let mut change = self.pool.begin().await?;
        let forget = "DELETE FROM deletion WHERE account = $1 AND file = $2";
        sqlx::query(forget).bind(&self.account).bind(file.as_str()).execute(&mut *change).await?;
        let insert = "INSERT INTO receipt (account, file, path, deleted_at, gone_by) VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(file.as_str())
            .bind(&deletion.path)
            .bind(deletion.deleted_at.as_millisecond())
            .bind(gone_by.as_millisecond());
        insert.execute(&mut *change).await?;
        change.commit().await
    }

    /// All that is known to be deleted, newest first; of files that went with a folder, that one alone.
    pub async fn deletions(&self) -> Result<Vec<Deletion>, Error> {
        let select = "SELECT file, path, deleted_at, gone_by, NULL, NULL, number FROM receipt WHERE account = $1 \
                      UNION ALL SELECT file, path, deleted_at, NULL, NULL, NULL, NULL FROM deletion \
                        WHERE account = $1 AND folder IS NULL \
                      UNION ALL SELECT folder, path, deleted_at, NULL, (SELECT count(*) FROM deletion \
                          WHERE account = $1 AND folder = folder_deletion.folder), missing, NULL \
                        FROM folder_deletion WHERE account = $1 AND certain \
                      ORDER BY deleted_at DESC, number DESC";
        let rows: Vec<DeletionRow> = sqlx::query_as(select)
            .bind(&self.account)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(&error))?;
        let deletion = |(id, path, deleted_at, gone_by, files, missing): DeletionRow| {
            let files = files.map(|files| usize::try_from(files).unwrap_or_default());
            Deletion {
                target: if files.is_some() { Target::Folder(FolderId::new(id)) } else { Target::File(FileId::new(id)) },
                path,
                deleted_at: time(deleted_at),
                gone_by: gone_by.map(time),
                contents: files.map(|files| DeletedContents { files, missing }),
            }
        };
        Ok(rows.into_iter().map(deletion).collect())
    }
}
