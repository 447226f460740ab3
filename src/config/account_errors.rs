//! Accounts that cannot be read because a file is invalid. filedeck never guesses an account: the
//! error for one in doubt names the line to correct, and no other account is used instead.

use std::collections::BTreeMap;

/// The reasons that accounts of a file cannot be read, each a warning about that file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountErrors {
    /// Applies to all accounts of the file.
    pub all: Option<String>,
    /// Applies to the account to use if none is named.
    pub default: Option<String>,
    /// Applies to individual accounts, by name.
    pub named: BTreeMap<String, String>,
}

impl AccountErrors {
    pub fn of(&self, name: &str) -> Option<&str> {
        self.all
            .as_ref()
            .or_else(|| self.named.get(name))
            .map(String::as_str)
    }
}
