//! Signals of the operating system: one listener from the first line of `main` to its last, for the commands, the
//! service and the screen alike. Nobody else waits for a signal, and nothing here knows what is cleaned up.

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

/// Hears every signal that asks the program to end, on a thread of its own, until the process is over.
#[derive(Debug)]
pub struct Listener {
    pending: Arc<PendingSignals>,
    source: platform::SignalSource,
}

impl Listener {
    /// Listens from now on. As long as nobody attends, there is nothing to clean up, and a signal ends the process at once.
    pub fn start() -> io::Result<Self> {
        let pending = Arc::new(PendingSignals::default());
        let source = platform::listen(Arc::clone(&pending))?;
        Ok(Self { pending, source })
    }

    /// Hands signals to the caller, for as long as it keeps the result. One that comes while another one still waits to
    /// be taken ends the process at once.
    pub fn attend(&mut self) -> Signals<'_> {
        self.pending.open();
        Signals { pending: &self.pending, source: &self.source }
    }

    /// A signal that came to who attended, and was not taken.
    pub fn missed(&mut self) -> Option<EndSignal> {
        self.pending.take_end()
    }
}

/// Signals as they come. Taking one is cancel-safe.
#[derive(Debug)]
pub struct Signals<'a> {
    pending: &'a PendingSignals,
    source: &'a platform::SignalSource,
}

impl Signals<'_> {
    /// Waits for a signal that asks the program to end.
    pub async fn next_end(&mut self) -> EndSignal {
        self.pending.next(PendingSignals::take_end).await
    }

    /// Waits for any signal; for those of job control after `hear_job_control` only.
    pub async fn next(&mut self) -> Signal {
        self.pending.next(PendingSignals::take).await
    }

    /// Carries the work out; a signal drops it where it is.
    pub async fn unless_one_comes<T>(&mut self, work: impl Future<Output = T>) -> Result<T, EndSignal> {
        tokio::select! {
            done = work => Ok(done),
            signal = self.next_end() => Err(signal),
        }
    }

    /// Hears Ctrl-Z too, which does not stop the process by itself anymore, and that the process continues.
    pub fn hear_job_control(&mut self) -> io::Result<()> {
        self.source.hear_job_control()
    }

    /// Forgets what came and was not taken.
    pub fn forget(&mut self) {
        while self.pending.take().is_some() {}
    }
}

impl Drop for Signals<'_> {
    fn drop(&mut self) {
        self.pending.close();
    }
}
