//! A session that the user has left while its tasks continue.

use jiff::SignedDuration;

use super::account::Account;
use super::ops::Ops;
use super::tasks::Tasks;
use crate::tui::denied_actions::DeniedActions;

/// The part of a session that is kept: enough to show its tasks and to return to it.
#[derive(Debug, Clone)]
pub struct BackgroundSession {
    pub account: Account,
    /// Only operations that are still being queued.
    pub ops: Ops,
    pub tasks: Tasks,
    /// The clock difference; kept so that it is not reported again when the user returns.
    pub ahead: SignedDuration,
    /// The actions that the token does not permit, as far as the service lists its scopes.
    pub denied_actions: DeniedActions,
}

impl BackgroundSession {
    /// Returns `true` if something is running or will start on its own.
    pub fn goes_on(&self) -> bool {
        self.tasks.is_at_work() || self.ops.is_queueing()
    }
}
