//! The reason why the screen ended.

use crate::signals::EndSignal;

/// The way the screen ended, if not with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenExit {
    Quit,
    Signalled(EndSignal),
}
