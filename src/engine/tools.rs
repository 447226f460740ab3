//! What the engine's task and its queue share.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::journal::Journal;
use super::ops::list::ListMemory;
use super::thumbnail_cache::ThumbnailCache;
use crate::api::Client;
use crate::drawing::Drawer;

/// What operations work with. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub(super) client: Client,
    pub(super) journal: Journal,
    pub(super) lists: Arc<ListMemory>,
    pub(super) drawer: Option<Drawer>,
    /// None where nothing outlives the process.
    pub(super) thumbnails: Option<ThumbnailCache>,
    /// The engine stops: what is under way stays in the journal.
    pub(super) stop: CancellationToken,
}
