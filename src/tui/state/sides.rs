//! The sides of an action on the lists of two accounts. The keys follow the places of the lists,
//! whichever of them has the focus: `u` and `>` change the account on the right, `s` and `<` the one
//! on the left, as they do with this machine on the left.

use super::account_session::AccountSession;
use super::files_pane::FilesPane;
use super::program::State;
use crate::tui::keymap::Action;

#[derive(Debug, Clone, Copy)]
pub struct ListSides<'a> {
    pub from: AccountList<'a>,
    /// The account that is changed.
    pub to: AccountList<'a>,
}

/// An account and its list.
#[derive(Debug, Clone, Copy)]
pub struct AccountList<'a> {
    pub session: &'a AccountSession,
    pub files: &'a FilesPane,
}

impl State {
    /// Returns the sides of an action between the lists of two accounts; `None` for other actions,
    /// and if there is one account.
    pub fn sides(&self, action: Action) -> Option<ListSides<'_>> {
        let (place, other) = (self.mode.other_account()?, self.other_account()?);
        let own = AccountList {
            session: &self.session,
            files: &self.files,
        };
        let other = AccountList {
            session: &other.session,
            files: &other.files,
        };
        let (left, right) = if place.is_left {
            (other, own)
        } else {
            (own, other)
        };
        let (from, to) = match action {
            Action::Upload | Action::MakeThereLikeHere | Action::Compare => (left, right),
            Action::Save | Action::MakeHereLikeThere => (right, left),
            _ => return None,
        };
        Some(ListSides { from, to })
    }
}
