//! The process that started this one, and its end, found by polling: the signal that Linux offers
//! comes at the end of the parent's thread, which in Go and elsewhere ends before its process.

use std::time::Duration;

#[cfg(unix)]
use rustix::process::{Pid as ProcessId, getppid};

/// The longest delay in noticing the end.
const PERIOD: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy)]
pub struct ParentProcess(Option<ProcessId>);

impl ParentProcess {
    /// Returns the current parent. Must be called early, because an end before that goes unnoticed.
    pub fn now() -> Self {
        Self(getppid())
    }

    /// Waits until the parent ends, when another process becomes the parent. Cancel-safe.
    pub async fn ended(self) {
        while getppid() == self.0 {
            tokio::time::sleep(PERIOD).await;
        }
    }
}

/// A type without values: elsewhere a process does not know its parent.
#[cfg(not(unix))]
type ProcessId = std::convert::Infallible;

#[cfg(not(unix))]
fn getppid() -> Option<ProcessId> {
    None
}
