//! The accounts that jobs copy from, opened when a job first needs one.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::Semaphore;

use super::source::RemoteSource;
use crate::api::{Client, Error, Kind, UploadContent};
use crate::engine::seen_state::{changed_since, file_state};

type OpenSourceAccount = dyn Fn(String) -> BoxFuture<'static, Result<Client, Error>> + Send + Sync;

/// Opens an account by its name in the journal. Cheap to clone.
#[derive(Clone)]
pub struct SourceAccounts {
    open: Arc<OpenSourceAccount>,
    import_places: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

impl SourceAccounts {
    pub fn new(
        open: impl Fn(String) -> BoxFuture<'static, Result<Client, Error>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            open: Arc::new(open),
            import_places: Arc::default(),
        }
    }

    /// Returns the places for imports from an account: one, until it is known that the service can
    /// fetch from there. A success adds one, and a failure closes them.
    pub(super) fn import_places(&self, account: &str) -> Arc<Semaphore> {
        let mut places = self
            .import_places
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        places
            .entry(account.to_owned())
            .or_insert_with(|| Arc::new(Semaphore::new(1)))
            .clone()
    }

    /// Returns the client of an account.
    pub(super) async fn client(&self, account: &str) -> Result<Client, Error> {
        (self.open)(account.to_owned()).await
    }

    /// Returns the content of a file, which is still as it was when that was decided.
    pub(super) async fn content(&self, source: &RemoteSource) -> Result<UploadContent, Error> {
        let Some(id) = source.file.target.file() else {
            let message = format!("{} is a folder; files are copied", source.file.path);
            return Err(Error::new(Kind::Refused, message));
        };
        let client = self.client(&source.account).await?;
        let file = client.files().get(id).await.map_err(|error| Error {
            message: format!("{} cannot be read: {}", source.shown(), error.message),
            ..error
        })?;
        match &source.state {
            Some(state) if *state != file_state(&file) => Err(changed_since(&source.shown())),
            _ => Ok(UploadContent::remote(&client, file)),
        }
    }
}

impl Default for SourceAccounts {
    /// Opens none.
    fn default() -> Self {
        let refuse = |account: String| {
            let message = format!("The account {account} is not open here");
            async { Err(Error::new(Kind::Refused, message)) }.boxed()
        };
        Self::new(refuse)
    }
}

impl fmt::Debug for SourceAccounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceAccounts").finish_non_exhaustive()
    }
}
