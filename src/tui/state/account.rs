//! Which account is on the screen, as far as the screen needs to know. Never its token.

use crate::config::Source;

/// The account in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub source: Source,
    /// Changes are refused before anything is sent.
    pub read_only: bool,
}

impl Account {
    /// Whether what is not done when filedeck quits is remembered.
    pub fn is_kept(&self) -> bool {
        self.source != Source::Demo
    }

    /// As configured; not safe to show.
    pub fn name(&self) -> &str {
        self.source.name()
    }
}
