//! The asynchronous API task: requests in, events out. No drawing, no configuration.
//!
//! The asker mints an `OpId` for each request and gets one `Done` or `Cancelled` for it, after any number of `Progress`
//! and `Part`. Results and their parts wait until there is room for them; progress is dropped when there is none.

mod actor;
mod cancels;
mod handle;
pub mod item;
pub mod job;
pub mod journal;
pub mod message;
mod meter;
pub mod ops;
mod outbox;
pub mod parts;
mod perform;
mod poll;
pub mod report;
mod running;

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use actor::Actor;
use cancels::Cancels;
use outbox::Outbox;
use perform::Tools;

use crate::api::Client;

pub use handle::{Full, Handle};
pub use item::Item;
pub use job::Job;
pub use journal::Journal;
pub use message::{Event, OpId, Outcome, Progress, Request};
pub use report::Report;

/// More than a user can ask for before the task takes the first one, since taking never waits for the network.
const ORDERS: usize = 256;

/// Room for a screenful of progress between two frames. Results that find it full wait, and only they hold on to memory.
const EVENTS: usize = 256;

/// What the engine works with.
#[derive(Debug)]
pub struct Setup {
    pub client: Client,
    /// Without one, nothing outlives the process.
    pub journal: Option<Journal>,
}

/// Starts the task on the current runtime. Drop the handle, or shut it down, to end it.
pub fn spawn(setup: Setup) -> (Handle, mpsc::Receiver<Event>) {
    let stop = CancellationToken::new();
    let (orders, taken) = mpsc::channel(ORDERS);
    let (events, received) = mpsc::channel(EVENTS);
    let cancels = Cancels::new(stop.clone());
    let outbox = Outbox::new(events, stop.clone());
    let tools = Tools { client: setup.client, journal: setup.journal, lists: Arc::default(), stop: stop.clone() };
    let task = tokio::spawn(Actor::new(tools, cancels.clone(), outbox).run(taken));
    (Handle::new(orders, cancels, stop, task), received)
}
