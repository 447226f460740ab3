//! Files that were deleted: for the last days, because they can be deleted for good by their ids; and proofs of those that
//! were, for ever.

use jiff::Timestamp;

use super::database::{Journal, time};
use crate::api::Error;
use crate::api::ids::FileId;
use crate::engine::deletion::Deletion;

impl Journal {
    /// Keeps that a file was deleted; of a permanent deletion, the proof.
    pub async fn add_deletion(&self, deletion: &Deletion) -> Result<(), Error> {
        let insert = async {
            match deletion.gone_by {
                Some(gone_by) => self.insert_receipt(deletion, gone_by).await,
                None => self.insert_deletion(deletion).await,
            }
        };
        insert.await.map_err(|error| self.failed(&error))
    }

    async fn insert_deletion(&self, deletion: &Deletion) -> Result<(), sqlx::Error> {
        let insert = "INSERT OR REPLACE INTO deletion (account, file, path, deleted_at) VALUES ($1, $2, $3, $4)";
        let insert = sqlx::query(insert).bind(&self.account).bind(deletion.file.as_str()).bind(&deletion.path);
        insert.bind(deletion.deleted_at.as_millisecond()).execute(&self.pool).await.map(drop)
    }

    async fn insert_receipt(&self, deletion: &Deletion, gone_by: Timestamp) -> Result<(), sqlx::Error> {
        let file = deletion.file.as_str();
        let mut change = self.pool.begin().await?;
        let forget = "DELETE FROM deletion WHERE account = $1 AND file = $2";
        sqlx::query(forget).bind(&self.account).bind(file).execute(&mut *change).await?;
        let insert = "INSERT INTO receipt (account, file, path, deleted_at, gone_by) VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(file)
            .bind(&deletion.path)
            .bind(deletion.deleted_at.as_millisecond())
            .bind(gone_by.as_millisecond());
        insert.execute(&mut *change).await?;
        change.commit().await
    }

    /// All that is known to be deleted, newest first.
    pub async fn deletions(&self) -> Result<Vec<Deletion>, Error> {
        let select = "SELECT file, path, deleted_at, gone_by, number FROM receipt WHERE account = $1 \
                      UNION ALL SELECT file, path, deleted_at, NULL, NULL FROM deletion WHERE account = $1 \
                      ORDER BY deleted_at DESC, number DESC";
        let rows: Vec<(String, String, i64, Option<i64>)> = sqlx::query_as(select)
            .bind(&self.account)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(&error))?;
        let deletion = |(file, path, deleted_at, gone_by): (String, _, _, Option<i64>)| Deletion {
            file: FileId::new(file),
            path,
            deleted_at: time(deleted_at),
            gone_by: gone_by.map(time),
        };
        Ok(rows.into_iter().map(deletion).collect())
    }
}
