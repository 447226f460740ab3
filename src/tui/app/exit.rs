//! The reason why the screen ended.

use crate::signals::EndSignal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenExit {
    Quit,
    Signalled(EndSignal),
}
