//! Signals of the operating system: those that end every run, and those that only the screen listens to.

use std::io;

use super::exit::EndSignal;

/// What a signal asks of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// End now, cleanly.
    End(EndSignal),
    /// Give the terminal back and stop until continued.
    Suspend,
    /// The process runs again: the terminal may have been used by others.
    Continued,
}

pub use platform::{EndSignals, Signals, stop_group, stop_process};

impl EndSignals {
    /// Carries the work out; a signal drops it where it stands.
    pub async fn unless_one_comes<T>(&mut self, work: impl Future<Output = T>) -> Result<T, EndSignal> {
        tokio::select! {
            done = work => Ok(done),
            signal = self.next() => Err(signal),
        }
    }
}

#[cfg(unix)]
mod platform {
    use rustix::process::{self, Signal as Number};
    use tokio::signal::unix::{self, SignalKind};

    use super::{EndSignal, Signal, io};

    /// SIGTSTP has no constructor in tokio; its number is the system's.
    const TSTP: SignalKind = SignalKind::from_raw(Number::TSTP.as_raw());
    const CONT: SignalKind = SignalKind::from_raw(Number::CONT.as_raw());

    /// Listens from its creation on.
    #[derive(Debug)]
    pub struct EndSignals {
        terminate: unix::Signal,
        hang_up: unix::Signal,
        interrupt: unix::Signal,
        quit: unix::Signal,
    }

    impl EndSignals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self {
                terminate: unix::signal(SignalKind::terminate())?,
                hang_up: unix::signal(SignalKind::hangup())?,
                interrupt: unix::signal(SignalKind::interrupt())?,
                quit: unix::signal(SignalKind::quit())?,
            })
        }

        /// Waits for a signal that asks the program to end. Cancel-safe.
        pub async fn next(&mut self) -> EndSignal {
            tokio::select! {
                _ = self.terminate.recv() => EndSignal::Terminated,
                _ = self.hang_up.recv() => EndSignal::HungUp,
                _ = self.interrupt.recv() => EndSignal::Interrupted,
                _ = self.quit.recv() => EndSignal::Aborted,
            }
        }
    }

    /// Listens from its creation on; who listens to Ctrl-Z is no longer stopped by it. Cancel-safe.
    #[derive(Debug)]
    pub struct Signals {
        end: EndSignals,
        suspend: unix::Signal,
        continued: unix::Signal,
    }

    impl Signals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self { end: EndSignals::listen()?, suspend: unix::signal(TSTP)?, continued: unix::signal(CONT)? })
        }

        pub async fn next(&mut self) -> Signal {
            tokio::select! {
                signal = self.end.next() => Signal::End(signal),
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
    use super::{EndSignal, Signal, io};

    /// Listens while `next` is waited for: Ctrl-C from outside is all there is.
    #[derive(Debug)]
    pub struct EndSignals;

    impl EndSignals {
        pub fn listen() -> io::Result<Self> {
            Ok(Self)
        }

        pub async fn next(&mut self) -> EndSignal {
            match tokio::signal::ctrl_c().await {
                Ok(()) => EndSignal::Interrupted,
                Err(_) => std::future::pending().await,
            }
        }
    }

    #[derive(Debug)]
    pub struct Signals(EndSignals);

    impl Signals {
        pub fn listen() -> io::Result<Self> {
            EndSignals::listen().map(Self)
        }

        pub async fn next(&mut self) -> Signal {
            Signal::End(self.0.next().await)
        }
    }

    pub fn stop_process() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn stop_group() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
