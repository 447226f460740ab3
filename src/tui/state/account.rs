//! The account on the screen, as far as the screen needs it. Never holds its token.

use crate::api::text::visible;
use crate::config::favorites::Favorites;
use crate::config::{AccountColor, AccountSource};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub source: AccountSource,
    /// Its name in the journal, by which jobs of other accounts find it.
    pub journal_name: String,
    /// Set if changes are refused before anything is sent.
    pub read_only: bool,
    /// Set if other people would see a mistake made here; the account's name is then highlighted.
    pub production: bool,
    /// The color of the name in an account that is not a production account.
    pub color: Option<AccountColor>,
    pub favorites: Favorites,
}

/// The mark of a production account; one of this name needs no mark beside it.
pub const PRODUCTION: &str = "production";

impl Account {
    /// Returns `true` if unfinished work is remembered when filedeck quits.
    pub fn is_kept(&self) -> bool {
        self.source != AccountSource::Demo
    }

    /// Returns the name, safe to show, marked if this is a production account.
    pub fn in_words(&self) -> String {
        let name = visible(self.name());
        if self.production && name != PRODUCTION {
            format!("{name} {PRODUCTION}")
        } else {
            name.into_owned()
        }
    }

    /// The name on the screen; not safe to show.
    pub fn name(&self) -> &str {
        self.source.title()
    }
}
