//! Signals of the operating system, as the screen understands them.

use std::io;

use super::exit::Exit;

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// End now, cleanly.
    End(Exit),
    /// Give the terminal back and stop until continued.
    Suspend,
    /// The process runs again: the terminal may have been used by others.
    Continued,
}

pub use platform::{Signals, stop_group, stop_process};

#[cfg(unix)]
mod platform {
    use rustix::process::{self, Signal as Number};
    use tokio::signal::unix::{self, SignalKind};

    use super::{Exit, Signal, io};

    /// SIGTSTP has no constructor in tokio; its number is the system's.
    const TSTP: SignalKind = SignalKind::from_raw(Number::TSTP.as_raw());
    const CONT: SignalKind = SignalKind::from_raw(Number::CONT.as_raw());

    /// Listens from its creation on; cancel-safe.
    #[derive(Debug)]
    pub struct Signals {
        terminate: unix::Signal,
        hang_up: unix::Signal,
        interrupt: unix::Signal,
        quit: unix::Signal,
        suspend: unix::Signal,
        continued: unix::Signal,
    }

    impl Signals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self {
                terminate: unix::signal(SignalKind::terminate())?,
                hang_up: unix::signal(SignalKind::hangup())?,
                interrupt: unix::signal(SignalKind::interrupt())?,
                quit: unix::signal(SignalKind::quit())?,
                suspend: unix::signal(TSTP)?,
                continued: unix::signal(CONT)?,
            })
        }

        pub async fn next(&mut self) -> Signal {
            tokio::select! {
                _ = self.terminate.recv() => Signal::End(Exit::Terminated),
                _ = self.hang_up.recv() => Signal::End(Exit::HungUp),
                _ = self.interrupt.recv() => Signal::End(Exit::Interrupted),
                _ = self.quit.recv() => Signal::End(Exit::Aborted),
                _ = self.suspend.recv() => Signal::Suspend,
                _ = self.continued.recv() => Signal::Continued,
            }
        }
    }

    /// Stops this process until it is continued.
    pub fn stop_process() -> io::Result<()> {
        Ok(process::kill_process(process::getpid(), Number::STOP)?)
    }

    /// Stops this process and whoever started it in the same job, as the terminal does for Ctrl-Z:
    /// a shell that waits for the starter would not notice otherwise.
    pub fn stop_group() -> io::Result<()> {
        Ok(process::kill_current_process_group(Number::STOP)?)
    }
}

#[cfg(not(unix))]
mod platform {
    use super::{Exit, Signal, io};

    /// Ctrl-C from outside is all there is.
    #[derive(Debug)]
    pub struct Signals;

    impl Signals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self)
        }

        pub async fn next(&mut self) -> Signal {
            match tokio::signal::ctrl_c().await {
                Ok(()) => Signal::End(Exit::Interrupted),
                Err(_) => std::future::pending().await,
            }
        }
    }

    pub fn stop_process() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn stop_group() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
