//! The means that the engine's task and its queue share.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::journal::Journal;
use super::ops::list::ListMemory;
use super::source_accounts::SourceAccounts;
use super::thumbnail_cache::ThumbnailCache;
use crate::api::Client;
use crate::drawing::Drawer;

/// The means of an operation. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub(super) client: Client,
    pub(super) journal: Journal,
    pub(super) lists: Arc<ListMemory>,
    pub(super) sources: SourceAccounts,
    pub(super) drawer: Option<Drawer>,
    /// `None` if nothing outlives the process.
    pub(super) thumbnails: Option<ThumbnailCache>,
    /// Cancelled when the engine stops: unfinished work stays in the journal.
    pub(super) stop: CancellationToken,
    /// Set to leave tasks to the service once it has accepted them.
    pub(super) leaves_tasks: bool,
}
