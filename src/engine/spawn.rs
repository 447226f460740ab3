//! Starts the engine: its actor for reads, its queue for everything else, and the outbox that both
//! share.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::actor::Actor;
use super::cancels::Cancels;
use super::handle::Handle;
use super::journal::Journal;
use super::message::Event;
use super::outbox::Outbox;
use super::queue::{self, AtOnce, QueueMode, Scheduler};
use super::source_accounts::SourceAccounts;
use super::thumbnail_cache::ThumbnailCache;
use super::tools::Tools;
use crate::api::Client;
use crate::drawing::Drawer;

/// More than a user can request before the task accepts the first one, since accepting never waits
/// for the network.
const ORDERS: usize = 256;

/// Room for a screenful of progress between two frames. Results that find it full wait, and only
/// they hold memory.
const EVENTS: usize = 256;

#[derive(Debug)]
pub struct EngineSetup {
    pub client: Client,
    pub journal: Journal,
    pub caller: QueueMode,
    pub at_once: AtOnce,
    /// Set if nothing is changed in the account, not even by jobs of an earlier run.
    pub read_only: bool,
    /// Set to leave tasks to the service once it has accepted them: their jobs stay as they are
    /// until the run is ended.
    pub leaves_tasks: bool,
    /// The accounts that jobs may copy from.
    pub sources: SourceAccounts,
    /// Draws previews of documents; without it, these have none.
    pub drawer: Option<Drawer>,
}

/// Starts the task on the current runtime. Drop the handle, or shut it down, to end it.
pub fn spawn(setup: EngineSetup) -> (Handle, mpsc::Receiver<Event>) {
    let stop = CancellationToken::new();
    let (orders, taken) = mpsc::channel(ORDERS);
    let (events, received) = mpsc::channel(EVENTS);
    let cancels = Cancels::new(stop.clone());
    let outbox = Outbox::new(events, stop.clone());
    let thumbnails = setup
        .journal
        .place()
        .map(|(dir, account)| ThumbnailCache::new(dir, account));
    let tools = Tools {
        client: setup.client,
        journal: setup.journal,
        lists: Arc::default(),
        sources: setup.sources,
        drawer: setup.drawer,
        thumbnails,
        stop: stop.clone(),
        leaves_tasks: setup.leaves_tasks,
    };
    let (queue, queued) = mpsc::channel(queue::ORDERS);
    let EngineSetup {
        caller,
        at_once,
        read_only,
        ..
    } = setup;
    let scheduler =
        Scheduler::new(tools.clone(), outbox.clone(), caller, at_once, read_only).run(queued);
    let actor = Actor::new(tools, cancels.clone(), outbox, queue).run(taken);
    // A task of its own for each: the queue continues to record what it has started while the actor
    // ends.
    let scheduler = tokio::spawn(scheduler);
    let task = tokio::spawn(async move {
        actor.await;
        // An error would mean that the queue panicked: it is over either way.
        let _ = scheduler.await;
    });
    (Handle::new(orders, cancels, stop, task), received)
}
