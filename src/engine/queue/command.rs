//! The requests to the queue.

use crate::engine::question::{AddJobs, ControlQueue, ListFailures, ListJobs};

/// A request to the queue, which answers it by an event itself, so that the answer comes before
/// what follows.
#[derive(Debug)]
pub(crate) enum QueueCommand {
    AddJobs(AddJobs),
    ControlQueue(ControlQueue),
    ListFailures(ListFailures),
    ListJobs(ListJobs),
}

/// The number of requests that can wait while one is being recorded.
pub(crate) const ORDERS: usize = 16;
