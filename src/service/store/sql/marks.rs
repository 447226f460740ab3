//! Rows of marks, and the key of signed addresses.

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};

use super::connection::Tables;
use super::values::{SqlValue, values};
use crate::service::store::error::StoreError;
use crate::service::store::records::ServiceFlag;

impl dyn Tables + '_ {
    pub(crate) fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
        self.first(
            "SELECT value FROM marks WHERE name = ?1",
            values![<&str>::from(mark)],
            |row| row.get(0),
        )
    }

    pub(crate) fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        let set = "INSERT INTO marks (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        self.execute(set, values![<&str>::from(mark), at]).map(drop)
    }

    /// Sets a mark unless it is already set.
    pub(crate) fn mark_from(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        // Written even if it is already set, so that a transaction that clears it conflicts with
        // this one.
        let set = "INSERT INTO marks (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = marks.value";
        self.execute(set, values![<&str>::from(mark), at]).map(drop)
    }

    pub(crate) fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM marks WHERE name = ?1",
            values![<&str>::from(mark)],
        )
        .map(drop)
    }

    pub(crate) fn signing_key(&self) -> Result<Option<SecretString>, StoreError> {
        self.first("SELECT key FROM signing_keys", values![], |row| {
            row.get::<String>(0).map(SecretString::from)
        })
    }

    pub(crate) fn replace_signing_key(&self, key: &SecretString) -> Result<(), StoreError> {
        self.execute("DELETE FROM signing_keys", values![])?;
        self.execute(
            "INSERT INTO signing_keys (key) VALUES (?1)",
            values![key.expose_secret()],
        )
        .map(drop)
    }
}
