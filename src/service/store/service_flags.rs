//! Small facts of the service itself that must survive a restart.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::error::StoreError;
use super::sqlite::database::Store;
use super::sqlite::statements::{execute, first};
use super::sqlite::values::{millis, time};

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
        self.read(move |connection| mark_of(connection, mark)).await
    }

    pub(crate) async fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        self.write(move |transaction| {
            let set = "INSERT INTO marks (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
            execute(transaction, set, params![<&str>::from(mark), millis(at)])?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        let clear = "DELETE FROM marks WHERE name = ?1";
        self.write(move |transaction| Ok(execute(transaction, clear, [<&str>::from(mark)]).map(drop)?)).await
    }
}

pub(super) fn mark_of(connection: &Connection, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
    let value = "SELECT value FROM marks WHERE name = ?1";
    Ok(first(connection, value, [<&str>::from(mark)], |row| time(row, 0))?)
}

/// Inside a transaction: sets a mark, or leaves it where it is set already.
pub(super) fn mark_from(connection: &Connection, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
    let set = "INSERT INTO marks (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
    execute(connection, set, params![<&str>::from(mark), millis(at)])?;
    Ok(())
}
