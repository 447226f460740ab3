//! Why the screen ended, and the exit status of a run that a signal ended.

/// How the screen ended, when no error ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The user quit.
    Quit,
    Signalled(EndSignal),
}

/// A signal that asks a program to end. Its number is the exit status: 128 and the signal's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum EndSignal {
    /// SIGHUP, or the terminal went away.
    HungUp = 129,
    /// SIGINT.
    Interrupted = 130,
    /// SIGQUIT.
    Aborted = 131,
    /// SIGTERM.
    Terminated = 143,
}
