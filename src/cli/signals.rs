//! The signals that end a run.

use std::io;

use super::exit::Exit;

pub use platform::Signals;

#[cfg(unix)]
mod platform {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use super::{Exit, io};

    /// Listens from its creation on.
    #[derive(Debug)]
    pub struct Signals {
        interrupt: Signal,
        terminate: Signal,
        hang_up: Signal,
    }

    impl Signals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hang_up: signal(SignalKind::hangup())?,
            })
        }

        /// Waits for a signal that asks the program to end; gives the exit code that it stands for. Cancel-safe.
        pub async fn end(&mut self) -> Exit {
            tokio::select! {
                _ = self.interrupt.recv() => Exit::Interrupted,
                _ = self.terminate.recv() => Exit::Terminated,
                _ = self.hang_up.recv() => Exit::HungUp,
            }
        }
    }
}

#[cfg(not(unix))]
mod platform {
    use super::{Exit, io};

    /// Listens while `end` is waited for.
    #[derive(Debug)]
    pub struct Signals;

    impl Signals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self)
        }

        /// Waits for Ctrl-C. Cancel-safe.
        pub async fn end(&mut self) -> Exit {
            match tokio::signal::ctrl_c().await {
                Ok(()) => Exit::Interrupted,
                Err(_) => std::future::pending().await,
            }
        }
    }
}
