//! What the account's token may not do, by the service's last answers: no call of the contract tells a token's scopes.
//! Keys for that are grayed and refused until the user reloads, since the token may have been given the scope meanwhile.

use std::collections::BTreeMap;

use crate::api::error::{Error, is_of_hidden};
use crate::api::text::visible;
use crate::engine::JobKind;
use crate::tui::keymap::Action;

/// What a scope lets a token do (`contract.md#scopes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Capability {
    Write,
    Delete,
}

/// Scopes that were lacking when they were needed last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeniedActions(BTreeMap<Capability, String>);

impl Capability {
    /// Reading is not remembered: asking again is how it is seen that it may be done now.
    fn of(kind: JobKind) -> Option<Self> {
        match kind {
            JobKind::Download | JobKind::CreateLocalFolder => None,
            JobKind::Delete | JobKind::Purge => Some(Self::Delete),
            JobKind::Upload
            | JobKind::Replace
            | JobKind::Import
            | JobKind::CreateFolder
            | JobKind::UpdateFolder
            | JobKind::RenameFolder
            | JobKind::Move
            | JobKind::Change
            | JobKind::Rename => Some(Self::Write),
        }
    }

    fn of_action(action: Action) -> Option<Self> {
        match action {
            Action::Upload
            | Action::Import
            | Action::NewFolder
            | Action::Rename
            | Action::Cut
            | Action::Paste
            | Action::Undo
            | Action::Replace
            | Action::EditText
            | Action::EditAccess => Some(Self::Write),
            Action::Delete | Action::Purge => Some(Self::Delete),
            _ => None,
        }
    }
}

/// Whether an action leads to a change in the account.
pub fn is_change(action: Action) -> bool {
    Capability::of_action(action).is_some()
}

impl DeniedActions {
    /// Takes the result of a job: the scope that it lacked, or that it may be done. The scope of hidden files says
    /// nothing of the others.
    pub fn record(&mut self, kind: JobKind, failure: Option<&Error>) {
        let Some(capability) = Capability::of(kind) else { return };
        match failure.map(Error::scope) {
            None => {
                self.0.remove(&capability);
            }
            Some(Some(scope)) if !is_of_hidden(scope) => {
                self.0.insert(capability, visible(scope).into_owned());
            }
            Some(_) => {}
        }
    }

    /// The scope that the token lacks for what a key does. Safe to show.
    pub fn for_action(&self, action: Action) -> Option<&str> {
        self.0.get(&Capability::of_action(action)?).map(String::as_str)
    }
}
