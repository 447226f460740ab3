//! The interface of operations that answer a question.

use std::sync::Arc;

use super::list_memory::ListMemory;
use crate::api::{Client, Error};
use crate::drawing::Drawer;
use crate::engine::journal::Journal;
use crate::engine::parts::Parts;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::question::Question;
use crate::engine::source_accounts::SourceAccounts;
use crate::engine::thumbnail_cache::ThumbnailCache;

#[derive(Debug, Clone)]
pub(in crate::engine) struct OpContext {
    pub(in crate::engine) client: Client,
    pub(in crate::engine) journal: Journal,
    pub(in crate::engine) lists: Arc<ListMemory>,
    pub(in crate::engine) sources: SourceAccounts,
    pub(in crate::engine) report: ProgressSink,
    pub(in crate::engine) parts: Parts,
    pub(in crate::engine) drawer: Option<Drawer>,
    pub(in crate::engine) thumbnails: Option<ThumbnailCache>,
}

/// A question whose answer changes nothing in the account.
pub(in crate::engine) trait Perform: Question {
    fn perform(
        self,
        context: &OpContext,
    ) -> impl Future<Output = Result<Self::Answer, Error>> + Send;
}
