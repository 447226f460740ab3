//! A change of account under way.

use super::account::Account;
use crate::config::AccountSource;
use crate::engine::SessionId;

/// The session that is to come in place of the present one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    pub session: SessionId,
    pub source: AccountSource,
    /// It is open, and waits until no dialog and no text field is: what is typed there is not meant for it.
    pub open: Option<Account>,
}
