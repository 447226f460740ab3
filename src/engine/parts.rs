//! Delivers results of an operation as they arrive: each waits for room, so that none is lost and
//! memory does not grow.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::message::{Entry, Event, OpId};
use super::plan::{PlanEvent, PlanRow};

const ROWS_AT_ONCE: usize = 1_024;

/// A sink for the results of one operation, which waits until there is room for them. Cheap to
/// clone.
#[derive(Clone)]
pub struct Parts {
    op: OpId,
    give: Arc<dyn Fn(Event) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl Parts {
    pub fn new(
        op: OpId,
        give: impl Fn(Event) -> BoxFuture<'static, ()> + Send + Sync + 'static,
    ) -> Self {
        Self {
            op,
            give: Arc::new(give),
        }
    }

    pub async fn give(&self, entries: Vec<Entry>) {
        if !entries.is_empty() {
            (self.give)(Event::Part {
                op: self.op,
                entries,
            })
            .await;
        }
    }

    /// Returns a sink that delivers here only what `pick` keeps.
    #[must_use]
    pub fn picking(&self, pick: impl Fn(Vec<Entry>) -> Vec<Entry> + Send + Sync + 'static) -> Self {
        let give = Arc::clone(&self.give);
        Self::new(self.op, move |event| match event {
            Event::Part { op, entries } => {
                let entries = pick(entries);
                if entries.is_empty() {
                    Box::pin(async {})
                } else {
                    give(Event::Part { op, entries })
                }
            }
            event => give(event),
        })
    }

    /// Delivers all rows of a plan, and the bytes that the disk has room for.
    pub async fn rows(&self, rows: &[PlanRow], room: Option<u64>) {
        for rows in rows.chunks(ROWS_AT_ONCE) {
            self.plan(PlanEvent::Rows(rows.to_vec())).await;
        }
        self.plan(PlanEvent::Complete { room }).await;
    }

    pub async fn plan(&self, news: PlanEvent) {
        (self.give)(Event::Plan { op: self.op, news }).await;
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Parts")
    }
}
