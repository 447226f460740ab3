//! What is not known of accounts because a file is wrong. An account is never guessed: the error for one that is in
//! doubt names the line to correct, and no other account is used.

use std::collections::BTreeMap;

/// Why accounts of a file cannot be known: each reason is a warning of that file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountErrors {
    /// Of all that the file may hold.
    pub all: Option<String>,
    /// Which one is used when none is named.
    pub default: Option<String>,
    /// Of some, by their names.
    pub named: BTreeMap<String, String>,
}

impl AccountErrors {
    /// Why the account of that name cannot be known.
    pub fn of(&self, name: &str) -> Option<&str> {
        self.all.as_ref().or_else(|| self.named.get(name)).map(String::as_str)
    }
}
