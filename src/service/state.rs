//! What every handler and job shares. Cheap to clone.

use std::sync::Arc;

use tokio::sync::Notify;
use url::Url;

use super::blobs::Blobs;
use super::clock::Clock;
use super::credentials::Credentials;
use super::render;
use super::signing::Signer;
use super::store::{FileRecord, Store};
use crate::api::model::File;

#[derive(Clone)]
pub(super) struct AppState {
    pub(super) store: Store,
    pub(super) blobs: Blobs,
    pub(super) clock: Clock,
    pub(super) credentials: Arc<Credentials>,
    pub(super) signer: Arc<Signer>,
    /// The address that links in answers start with.
    pub(super) base_url: Arc<Url>,
    /// Tells the jobs that there is new work in the database.
    pub(super) work: Arc<Notify>,
}

impl AppState {
    /// The file as the API shows it.
    pub(super) fn file(&self, record: &FileRecord) -> File {
        render::file(record, &self.base_url)
    }
}
