//! The way out for events: results wait for room, progress does not.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::SignedDuration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::message::{Event, OpId, Progress, RequestBudget};
use super::progress_sink::ProgressSink;
use super::queue_view::QueueView;
use crate::api::{GrantedScopes, Observation, Observer};

/// The difference up to which clocks agree: responses take a while, and have whole seconds.
const CLOCKS_AGREE: SignedDuration = SignedDuration::from_secs(30);

/// The shortest time between two reports of the budget, which changes with every response.
const BUDGET_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Debug, Clone)]
pub(super) struct Outbox {
    events: mpsc::Sender<Event>,
    stop: CancellationToken,
    budget: Arc<Mutex<Option<(Instant, RequestBudget)>>>,
    clock: Arc<Mutex<SignedDuration>>,
    grant: Arc<Mutex<Option<GrantedScopes>>>,
}

impl Outbox {
    pub(super) fn new(events: mpsc::Sender<Event>, stop: CancellationToken) -> Self {
        Self {
            events,
            stop,
            budget: Arc::default(),
            clock: Arc::default(),
            grant: Arc::default(),
        }
    }

    /// Delivers a result; gives it up only when the engine stops.
    pub(super) async fn deliver(&self, event: Event) {
        // A closed channel means that nobody listens anymore.
        let _ = self.stop.run_until_cancelled(self.events.send(event)).await;
    }

    /// Reports progress, if there is room.
    pub(super) fn progress(&self, op: OpId, progress: Progress) {
        let _ = self.events.try_send(Event::Progress { op, progress });
    }

    /// Reports the state of the queue; returns `true` if there was room for it.
    pub(super) fn queue(&self, view: QueueView) -> bool {
        self.events.try_send(Event::Queue(Box::new(view))).is_ok()
    }

    /// Turns the observations of the client into progress and events.
    pub(super) fn observer(&self, report: &ProgressSink) -> Observer {
        let (report, outbox) = (report.clone(), self.clone());
        Observer::new(Arc::new(move |seen| match seen {
            Observation::Waiting { wait, cause } => report.report(Progress::Waiting {
                wait,
                reason: cause.into(),
            }),
            Observation::Budget { remaining, max } => {
                outbox.budget(RequestBudget { remaining, max });
            }
            Observation::Clock { ahead } => outbox.clock(ahead),
            Observation::Granted(grant) => outbox.grant(grant),
        }))
    }

    /// Reports how far the service's clock is ahead, if that has changed.
    fn clock(&self, ahead: SignedDuration) {
        let mut reported = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = (ahead - *reported).abs() > CLOCKS_AGREE;
        if is_news && self.events.try_send(Event::Clock { ahead }).is_ok() {
            *reported = ahead;
        }
    }

    /// Reports what the access token may do, if that has changed.
    fn grant(&self, grant: GrantedScopes) {
        let mut reported = self.grant.lock().unwrap_or_else(PoisonError::into_inner);
        if *reported != Some(grant) && self.events.try_send(Event::Granted(grant)).is_ok() {
            *reported = Some(grant);
        }
    }

    /// Reports the request budget if it has changed, four times a second at most.
    pub(super) fn budget(&self, budget: RequestBudget) {
        let mut last = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let is_news = last.is_none_or(|(at, reported)| {
            reported != budget && now.duration_since(at) >= BUDGET_INTERVAL
        });
        if is_news && self.events.try_send(Event::Budget(budget)).is_ok() {
            *last = Some((now, budget));
        }
    }
}
