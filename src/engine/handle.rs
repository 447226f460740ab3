//! The caller's end of the engine. Nothing here waits, except for the shutdown.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::cancels::Cancels;
use super::message::OpId;
use super::question::Request;

#[derive(Debug)]
pub(super) struct EngineOrder {
    pub(super) op: OpId,
    pub(super) request: Request,
    pub(super) cancelled: CancellationToken,
}

/// The error when the queue is full or the engine has stopped; the request was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many requests are waiting; try again in a moment")]
pub struct EngineBusy;

/// Sends requests to the engine. Dropped, it stops the engine without waiting.
#[derive(Debug)]
pub struct Handle {
    orders: mpsc::Sender<EngineOrder>,
    cancels: Cancels,
    stop: DropGuard,
    task: JoinHandle<()>,
}

impl Handle {
    pub(super) fn new(
        orders: mpsc::Sender<EngineOrder>,
        cancels: Cancels,
        stop: CancellationToken,
        task: JoinHandle<()>,
    ) -> Self {
        Self {
            orders,
            cancels,
            stop: stop.drop_guard(),
            task,
        }
    }

    /// Submits a request under an id that was not used before. Never waits. Every accepted request
    /// is answered by one `Done` or one `Cancelled`, unless the engine is shut down before.
    pub fn submit(&self, op: OpId, request: impl Into<Request>) -> Result<(), EngineBusy> {
        let cancelled = self.cancels.add(op);
        self.orders
            .try_send(EngineOrder {
                op,
                request: request.into(),
                cancelled,
            })
            .map_err(|_| {
                self.cancels.remove(op);
                EngineBusy
            })
    }

    /// Cancels an operation, waiting or running. Does nothing to one that has ended.
    pub fn cancel(&self, op: OpId) {
        self.cancels.cancel(op);
    }

    /// Stops everything and waits until it has stopped, a few seconds at most. Unanswered requests
    /// stay unanswered; the journal keeps what the service continues with.
    pub async fn shutdown(self) {
        drop(self.stop);
        // An error would mean that the task panicked: it is over either way.
        let _ = self.task.await;
    }
}
