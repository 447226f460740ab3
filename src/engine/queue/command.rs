//! What the queue is asked for.

use crate::engine::message::OpId;
use crate::engine::question::{AddJobs, ControlQueue, ListFailures};

/// Something that the queue is asked for. It answers by an event itself, so that the answer comes before what follows.
#[derive(Debug)]
pub(crate) struct QueueOrder {
    pub(crate) op: OpId,
    pub(crate) ask: QueueCommand,
}

#[derive(Debug)]
pub(crate) enum QueueCommand {
    AddJobs(AddJobs),
    ControlQueue(ControlQueue),
    ListFailures(ListFailures),
}

/// Orders that wait while one is written down.
pub(crate) const ORDERS: usize = 16;
