//! Why the screen ended.

/// How the screen ended, when no error ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The user quit.
    Quit,
    /// SIGINT.
    Interrupted,
    /// SIGQUIT.
    Aborted,
    /// SIGTERM.
    Terminated,
    /// SIGHUP, or the terminal went away.
    HungUp,
}

impl Exit {
    /// The process's exit status: 0, or 128 and the signal's number.
    pub fn code(self) -> u8 {
        match self {
            Self::Quit => 0,
            Self::HungUp => 129,
            Self::Interrupted => 130,
            Self::Aborted => 131,
            Self::Terminated => 143,
        }
    }
}
