//! Proofs of permanent deletions.

use jiff::{SignedDuration, Timestamp};

use super::database::{Journal, time};
use crate::api::Error;
use crate::api::ids::FileId;

/// Permanent deletion ends within seven days (`service-seed.md` §3.2).
const GONE_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Proof that a permanent deletion was asked for and accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub file: FileId,
    pub path: String,
    pub deleted_at: Timestamp,
    /// By then content and metadata are gone.
    pub gone_by: Timestamp,
}

impl Journal {
    /// Keeps the proof of a permanent deletion.
    pub async fn add_receipt(&self, file: &FileId, path: &str) -> Result<(), Error> {
        let at = Timestamp::now();
        let gone_by = at.saturating_add(GONE_WITHIN).unwrap_or(at);
        let insert = "INSERT INTO receipt (account, file, path, deleted_at, gone_by) VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert)
            .bind(&self.account)
            .bind(file.as_str())
            .bind(path)
            .bind(at.as_millisecond())
            .bind(gone_by.as_millisecond());
        insert.execute(&self.pool).await.map(drop).map_err(|error| self.failed(&error))
    }

    /// Proofs of permanent deletions, newest first.
    pub async fn receipts(&self) -> Result<Vec<Receipt>, Error> {
        let select = "SELECT file, path, deleted_at, gone_by FROM receipt WHERE account = $1 ORDER BY number DESC";
        let rows: Vec<(String, String, i64, i64)> = sqlx::query_as(select)
            .bind(&self.account)
            .fetch_all(&self.pool)
            .await
            .map_err(|error| self.failed(&error))?;
        let receipt = |(file, path, deleted_at, gone_by): (String, _, _, _)| Receipt {
            file: FileId::new(file),
            path,
            deleted_at: time(deleted_at),
            gone_by: time(gone_by),
        };
        Ok(rows.into_iter().map(receipt).collect())
    }
}
