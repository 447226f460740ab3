//! The process that started this one, and its end. Asked for again and again: the signal that Linux sends at the end of a
//! parent comes at the end of the thread that started us, which in Go and elsewhere ends earlier.

use std::time::Duration;

#[cfg(unix)]
use rustix::process::{Pid as ProcessId, getppid};

/// So late the end is seen at most.
const PERIOD: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy)]
pub struct ParentProcess(Option<ProcessId>);

impl ParentProcess {
    /// The one of this moment: an end before that is not seen, so it is taken early.
    pub fn now() -> Self {
        Self(getppid())
    }

    /// Waits for its end, at which another process becomes the parent. Cancel-safe.
    pub async fn ended(self) {
        while getppid() == self.0 {
            tokio::time::sleep(PERIOD).await;
        }
    }
}

/// Elsewhere a process does not know its parent.
#[cfg(not(unix))]
type ProcessId = std::convert::Infallible;

#[cfg(not(unix))]
fn getppid() -> Option<ProcessId> {
    None
}
