//! Records and reports what is new, four times a second at most, but at once after a quiet time,
//! and to a script.

use std::time::Duration;

use tokio::time::Instant;

use super::mode::QueueMode;
use super::scheduler::Scheduler;
use crate::api::Error;
use crate::engine::batch::{BatchId, Hold};
use crate::engine::journal::Journal;
use crate::engine::message::Event;

const INTERVAL: Duration = Duration::from_millis(250);

/// The number of results of a batch that are reported without a delay, so that memory does not
/// grow.
const MOST_NEWS: usize = 64;

impl Scheduler {
    /// Returns the next time at which there is something to do without a request, if any.
    pub(super) fn wake(&self) -> Option<Instant> {
        let held = self
            .batches
            .values()
            .filter(|live| matches!(live.hold, Some(Hold::Cause { until: Some(_), .. })));
        let released = held.filter_map(|live| live.released_at).min();
        let telling = self.has_news().then(|| {
            self.reported_at
                .map_or_else(Instant::now, |at| at + INTERVAL)
        });
        released.into_iter().chain(telling).min()
    }

    fn has_news(&self) -> bool {
        self.dirty
            || self
                .batches
                .values()
                .any(|live| !live.news.is_empty() || !live.marks.is_empty())
    }

    pub(super) async fn report_if_due(&mut self) {
        if self.mode == QueueMode::Script {
            // Results that it did not get before a signal ends it count as not done.
            let news = self
                .batches
                .values()
                .filter(|live| !live.news.is_empty())
                .map(|live| live.id);
            for id in news.collect::<Vec<_>>() {
                self.report_news(id).await;
            }
        }
        let is_due = self.reported_at.is_none_or(|at| at.elapsed() >= INTERVAL);
        let full: Vec<BatchId> = self
            .batches
            .values()
            .filter(|live| {
                (is_due && !(live.news.is_empty() && live.marks.is_empty()))
                    || live.news.len() >= MOST_NEWS
            })
            .map(|live| live.id)
            .collect();
        for id in full {
            Journal::log_failure(self.write(id).await);
            self.report_news(id).await;
        }
        if is_due && self.dirty {
            let view = self.view();
            self.reported_at = Some(Instant::now());
            self.dirty = !self.outbox.queue(view);
        }
    }

    /// Records the results of jobs. Those that are never recorded are looked up at the next start.
    pub(super) async fn write(&mut self, id: BatchId) -> Result<(), Error> {
        let Some(live) = self.batches.get_mut(&id) else {
            return Ok(());
        };
        live.unwritten.append(&mut live.marks);
        if !live.unwritten.is_empty() {
            self.tools.journal.mark(id, &live.unwritten).await?;
            live.unwritten.clear();
        }
        Ok(())
    }

    pub(super) async fn report_news(&mut self, id: BatchId) {
        let Some(live) = self.batches.get_mut(&id) else {
            return;
        };
        let settled = std::mem::take(&mut live.news);
        if !settled.is_empty() {
            self.outbox
                .deliver(Event::Settled { batch: id, settled })
                .await;
        }
    }
}
