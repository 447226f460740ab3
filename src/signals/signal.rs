//! What signals say to the program.

/// A signal that asks the program to end. Its number is the exit status: 128 and the signal's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum EndSignal {
    /// SIGHUP, or the terminal went away.
    HungUp = 129,
    /// SIGINT.
    Interrupted = 130,
    /// SIGQUIT.
    Quit = 131,
    /// SIGTERM.
    Terminated = 143,
}

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
