//! The list beside the account's.

use crate::engine::SessionId;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Beside {
    /// None: the tree has the place.
    #[default]
    Nothing,
    ThisMachine,
    Account(OtherAccount),
}

/// An account whose list is beside that of the one with the keys. It is among the background
/// accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherAccount {
    pub session: SessionId,
    pub is_left: bool,
}
