//! How an operation gives its results as they come: each waits for room, so that none is lost and memory does not grow.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::message::Entry;

/// Takes entries and waits until there is room for them. Cheap to clone.
#[derive(Clone)]
pub struct Parts(Arc<dyn Fn(Vec<Entry>) -> BoxFuture<'static, ()> + Send + Sync>);

impl Parts {
    pub fn new(give: impl Fn(Vec<Entry>) -> BoxFuture<'static, ()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(give))
    }

    pub async fn give(&self, entries: Vec<Entry>) {
        if !entries.is_empty() {
            (self.0)(entries).await;
        }
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Parts")
    }
}
