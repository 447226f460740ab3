//! A change of account in progress.

use super::account::Account;
use super::panes::View;
use super::status::Message;
use crate::config::AccountSource;
use crate::engine::SessionId;

/// The session that is to replace the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    pub session: SessionId,
    pub source: AccountSource,
    /// The view to show it in.
    pub view: View,
    /// Set if its list is to be beside that of the account on the screen.
    pub is_beside: bool,
    /// The path to go to in it, as it was typed.
    pub path: Option<String>,
    /// The opened account; waits until no dialog or text field is open, because typed text is not
    /// meant for it.
    pub open: Option<Account>,
    /// The last message about the account, which stays once it is open.
    pub message: Option<Message>,
}
