//! Operating system signals. One listener serves the commands, the service and the TUI from the
//! first line of `main` to the last. Nothing else waits for signals, and this module does not know
//! what gets cleaned up.

mod cleanup;
#[cfg(not(unix))]
mod elsewhere;
mod hold;
mod pending;
mod signal;
#[cfg(unix)]
mod unix;

use std::io;
use std::sync::Arc;

pub use cleanup::set_last_act;
#[cfg(not(unix))]
use elsewhere as platform;
pub use hold::{SignalHold, wait_for_holds};
use pending::PendingSignals;
pub use platform::{stop_group, stop_process};
pub use signal::{EndSignal, Signal};
#[cfg(unix)]
use unix as platform;

/// Listens on its own thread for every signal that asks the program to end, until the process
/// exits.
#[derive(Debug)]
pub struct Listener {
    pending: Arc<PendingSignals>,
    source: platform::SignalSource,
}

impl Listener {
    /// Starts listening. While nobody attends, there is nothing to clean up, and a signal ends the
    /// process at once.
    pub fn start() -> io::Result<Self> {
        let pending = Arc::new(PendingSignals::default());
        let source = platform::listen(Arc::clone(&pending))?;
        Ok(Self { pending, source })
    }

    /// Delivers signals while the caller keeps the result. A signal that arrives while another
    /// still waits ends the process at once.
    pub fn attend(&mut self) -> Signals<'_> {
        self.pending.open();
        Signals {
            pending: &self.pending,
            source: &self.source,
        }
    }

    /// A signal that arrived while someone attended but was not taken.
    pub fn missed(&mut self) -> Option<EndSignal> {
        self.pending.take_end()
    }
}

/// A stream of signals. Taking one is cancel-safe.
#[derive(Debug)]
pub struct Signals<'a> {
    pending: &'a PendingSignals,
    source: &'a platform::SignalSource,
}

impl Signals<'_> {
    pub async fn next_end(&mut self) -> EndSignal {
        self.pending.next(PendingSignals::take_end).await
    }

    /// Waits for any signal; job control signals arrive only after `hear_job_control`.
    pub async fn next(&mut self) -> Signal {
        self.pending.next(PendingSignals::take).await
    }

    /// Runs `work` to its end, unless a signal arrives first and drops it.
    pub async fn unless_one_comes<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, EndSignal> {
        tokio::select! {
            done = work => Ok(done),
            signal = self.next_end() => Err(signal),
        }
    }

    /// Also listens for Ctrl-Z, which then no longer stops the process by itself, and for the
    /// process being continued.
    pub fn hear_job_control(&mut self) -> io::Result<()> {
        self.source.hear_job_control()
    }

    pub fn forget(&mut self) {
        while self.pending.take().is_some() {}
    }
}

impl Drop for Signals<'_> {
    fn drop(&mut self) {
        self.pending.close();
    }
}
