//! Files that were deleted: for the last days, because they can be deleted for good by their ids; and proofs of those that
//! were, for ever.

use jiff::{SignedDuration, Timestamp};

use super::database::{Journal, time};
use crate::api::Error;
use crate::api::ids::FileId;
use crate::engine::deletion::Deletion;

/// Permanent deletion ends within seven days (`service-seed.md` §3.2).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

impl Journal {
    /// Keeps the id of a file that was deleted.
    pub async fn add_deletion(&self, file: &FileId, path: &str) -> Result<(), Error> {
        let insert = "INSERT OR REPLACE INTO deletion (account, file, path, deleted_at) VALUES ($1, $2, $3, $4)";
        let insert = sqlx::query(insert).bind(&self.account).bind(file.as_str()).bind(path);
        let insert = insert.bind(Timestamp::now().as_millisecond()).execute(&self.pool).await;
        insert.map(drop).map_err(|error| self.failed(&error))
    }

    /// Keeps the proof of a permanent deletion.
    pub async fn add_receipt(&self, file: &FileId, path: &str) -> Result<(), Error> {
        self.insert_receipt(file, path).await.map_err(|error| self.failed(&error))
    }

    async fn insert_receipt(&self, file: &FileId, path: &str) -> Result<(), sqlx::Error> {
        let at = Timestamp::now();
        let gone_by = at.saturating_add(GONE_WITHIN).unwrap_or(at);
        let mut change = self.pool.begin().await?;
        let forget = "DELETE FROM deletion WHERE account = $1 AND file = $2";
        sqlx::query(forget).bind(&self.account).bind(file.as_str()).execute(&mut *change).await?;
        let insert = "INSERT INTO receipt (account, file, path, deleted_at, gone_by) VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(file.as_str())
            .bind(path)
            .bind(at.as_millisecond())
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
