//! Small facts of the service itself that must survive a restart.

use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::Store;
use super::error::StoreError;
use super::values::{millis, time};

/// What a mark is about; the name is its key in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum ServiceFlag {
    /// The last time that was not doubted.
    TrustedTime,
    /// When the sample library was complete.
    SampleLibrary,
    /// Since when the names of the blobs say which of them have rows.
    NamesTell,
    /// Since when pages of the database may hold copies of rows that were erased.
    Unscrubbed,
}

impl Store {
    pub(crate) async fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
        let value: Option<i64> = sqlx::query_scalar("SELECT value FROM marks WHERE name = $1")
            .bind(<&str>::from(mark))
            .fetch_optional(&self.readers)
            .await?;
        Ok(value.map(time).transpose()?)
    }

    pub(crate) async fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2")
            .bind(<&str>::from(mark))
            .bind(millis(at))
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    pub(crate) async fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM marks WHERE name = $1").bind(<&str>::from(mark)).execute(&self.writer).await?;
        Ok(())
    }
}

/// Inside a transaction: sets a mark, or leaves it where it is set already.
pub(super) async fn mark_from(
    connection: &mut SqliteConnection,
    mark: ServiceFlag,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(<&str>::from(mark))
        .bind(millis(at))
        .execute(connection)
        .await?;
    Ok(())
}
