//! Imports from an address: start and status. The status address is built here; links in an answer
//! are never followed.

use super::client::Client;
use super::error::Error;
use super::ids::TaskId;
use super::json_call::Call;
use super::model::{DuplicateScope, DuplicateStrategy, File, ImportRequest, Task, TaskAccepted};

/// The calls for imports.
#[derive(Debug, Clone, Copy)]
pub struct ImportsApi<'a> {
    pub(super) client: &'a Client,
}

impl Client {
    /// Returns the calls for imports from an address.
    pub fn imports(&self) -> ImportsApi<'_> {
        ImportsApi { client: self }
    }
}

impl ImportsApi<'_> {
    /// Asks the service to fetch a file. Not retried after a lost response: the import may be
    /// running.
    ///
    /// # Errors
    ///
    /// If the call fails. If in doubt, the import may have started.
    pub async fn start(self, import: &ImportRequest) -> Result<TaskAccepted, Error> {
        let mut import = import.clone();
        if self.client.version().is_dated() {
            import.options.overwrite.get_or_insert(false);
            import
                .options
                .duplicate_validation_scope
                .get_or_insert(DuplicateScope::EntirePortal);
            import
                .options
                .duplicate_validation_strategy
                .get_or_insert(DuplicateStrategy::None);
        }
        self.client
            .json(Call::start(self.client.paths().import(), &import)?)
            .await
    }

    /// Fetches the status of an import.
    ///
    /// # Errors
    ///
    /// [`NotFound`](crate::api::Kind::NotFound) if there is no such task, or any other failure of
    /// the call.
    pub async fn status(self, task: &TaskId) -> Result<Task<File>, Error> {
        self.client
            .json(Call::get(self.client.paths().import_status(task)?).in_background())
            .await
    }
}
