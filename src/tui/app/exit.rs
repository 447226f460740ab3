//! Why the screen ended.

use crate::signals::EndSignal;

/// How the screen ended, when no error ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenExit {
    /// The user quit.
    Quit,
    Signalled(EndSignal),
}
