//! Which account is on the screen, as far as the screen needs to know. Never its token.

use crate::api::text::visible;
use crate::config::favorites::Favorites;
use crate::config::{AccountColor, AccountSource};

/// The account in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub source: AccountSource,
    /// Changes are refused before anything is sent.
    pub read_only: bool,
    /// Mistakes there are seen by others: the account's name stands out.
    pub production: bool,
    /// What the name is shown in, where mistakes are seen by nobody else.
    pub color: Option<AccountColor>,
    /// What is kept of it.
    pub favorites: Favorites,
}

impl Account {
    /// Whether what is not done when filedeck quits is remembered.
    pub fn is_kept(&self) -> bool {
        self.source != AccountSource::Demo
    }

    /// Its name, safe to show, and whether mistakes there are seen by others.
    pub fn in_words(&self) -> String {
        format!("{}{}", visible(self.name()), if self.production { " production" } else { "" })
    }

    /// As configured; not safe to show.
    pub fn name(&self) -> &str {
        self.source.name()
    }
}
