//! The signals that the program reacts to.

/// A signal that asks the program to end. The discriminant is the exit status: 128 plus the signal
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum EndSignal {
    /// SIGHUP, or the terminal is gone.
    HungUp = 129,
    Interrupted = 130,
    Quit = 131,
    Terminated = 143,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    End(EndSignal),
    /// Release the terminal and stop until continued.
    Suspend,
    /// The process runs again; others may have used the terminal meanwhile.
    Continued,
}
