//! One cancellation token for each operation, from its request to its end, whether it waits, runs,
//! or is answered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use super::message::OpId;

/// The tokens, shared by the handle and the task, so that a cancellation needs no room in a queue
/// and is never lost.
#[derive(Debug, Clone)]
pub(super) struct Cancels {
    all: CancellationToken,
    each: Arc<Mutex<HashMap<OpId, CancellationToken>>>,
}

impl Cancels {
    /// Creates tokens that are also cancelled by `all`.
    pub(super) fn new(all: CancellationToken) -> Self {
        Self {
            all,
            each: Arc::default(),
        }
    }

    pub(super) fn add(&self, op: OpId) -> CancellationToken {
        let token = self.all.child_token();
        self.lock().insert(op, token.clone());
        token
    }

    pub(super) fn cancel(&self, op: OpId) {
        if let Some(token) = self.lock().get(&op) {
            token.cancel();
        }
    }

    pub(super) fn remove(&self, op: OpId) {
        self.lock().remove(&op);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<OpId, CancellationToken>> {
        self.each.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
