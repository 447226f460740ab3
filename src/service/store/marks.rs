//! Small facts of the service itself that must survive a restart.

use jiff::Timestamp;
use secrecy::SecretString;

use super::database::Store;
use super::error::StoreError;
use super::records::ServiceFlag;

impl Store {
    pub(crate) async fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
        self.read(move |tables| tables.mark(mark)).await
    }

    /// Returns the key of signed addresses; stores this one if the store has none yet.
    pub(crate) async fn signing_key_or(
        &self,
        fresh: SecretString,
    ) -> Result<SecretString, StoreError> {
        if let Some(key) = self.read(|tables| tables.signing_key()).await? {
            return Ok(key);
        }
        self.write(move |tables| match tables.signing_key()? {
            Some(key) => Ok(key),
            None => tables.replace_signing_key(&fresh).map(|()| fresh.clone()),
        })
        .await
    }

    /// Invalidates all addresses that were signed so far.
    pub(crate) async fn replace_signing_key(&self, key: SecretString) -> Result<(), StoreError> {
        self.write(move |tables| tables.replace_signing_key(&key))
            .await
    }

    pub(crate) async fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        self.write(move |tables| tables.clear_mark(mark)).await
    }

    pub(crate) async fn set_mark(
        &self,
        mark: ServiceFlag,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |tables| tables.set_mark(mark, at)).await
    }
}
