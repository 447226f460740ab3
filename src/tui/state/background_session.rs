//! A session that the user has left while its tasks continue.

use jiff::SignedDuration;

use super::account::Account;
use super::ops::Ops;
use super::tasks::Tasks;
use crate::tui::denied_actions::DeniedActions;

/// What is kept of it: enough to show its tasks, and to take it up again.
#[derive(Debug, Clone)]
pub struct BackgroundSession {
    pub account: Account,
    /// Nothing but what is on its way into the queue.
    pub ops: Ops,
    pub tasks: Tasks,
    /// How far the service's clock is ahead of this machine's: it is told once, not again to who comes back.
    pub ahead: SignedDuration,
    /// What its token may not do, as far as the service lists its scopes.
    pub denied_actions: DeniedActions,
}

impl BackgroundSession {
    /// Whether something is being done, or will be by itself.
    pub fn goes_on(&self) -> bool {
        self.tasks.is_at_work() || self.ops.is_queueing()
    }
}
