//! Small facts of the service itself that must survive a restart.

use jiff::Timestamp;

use super::database::Store;
use super::error::StoreError;
use super::records::ServiceFlag;

impl Store {
    pub(crate) async fn mark(&self, mark: ServiceFlag) -> Result<Option<Timestamp>, StoreError> {
        self.read(move |tables| tables.mark(mark)).await
    }

    pub(crate) async fn clear_mark(&self, mark: ServiceFlag) -> Result<(), StoreError> {
        self.write(move |tables| tables.clear_mark(mark)).await
    }

    pub(crate) async fn set_mark(&self, mark: ServiceFlag, at: Timestamp) -> Result<(), StoreError> {
        self.write(move |tables| tables.set_mark(mark, at)).await
    }
}
