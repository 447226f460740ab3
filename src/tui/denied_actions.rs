//! What the account's token may not do: by the scopes that the service lists with an OAuth access token, for other tokens
//! by its last answers. Keys for that are grayed and refused; what an answer told until the user reloads, since the token
//! may have been given the scope meanwhile.

use std::collections::BTreeMap;

use crate::api::GrantedScopes;
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

/// Scopes that the token lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeniedActions {
    /// Those that were lacking when they were needed last.
    refused: BTreeMap<Capability, String>,
    /// What the service says of the token itself, if it does.
    granted: Option<GrantedScopes>,
}

impl Capability {
    /// Reading is not remembered: asking again is how it is seen that it may be done now.
    fn of(kind: JobKind) -> Option<Self> {
        match kind {
            JobKind::Download | JobKind::CreateLocalFolder | JobKind::DeleteLocal => None,
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

    /// The scope for it where what was granted does not allow it.
    fn lacking_in(self, granted: GrantedScopes) -> Option<&'static str> {
        match self {
            Self::Write if !granted.write => Some("files.write"),
            Self::Delete if !granted.delete => Some("files.delete"),
            _ => None,
        }
    }

    fn of_action(action: Action) -> Option<Self> {
        match action {
            Action::Upload
            | Action::MakeThereLikeHere
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
                self.refused.remove(&capability);
            }
            Some(Some(scope)) if !is_of_hidden(scope) => {
                self.refused.insert(capability, visible(scope).into_owned());
            }
            Some(_) => {}
        }
    }

    /// The scope that the token lacks for what a key does. Safe to show.
    pub fn for_action(&self, action: Action) -> Option<&str> {
        let capability = Capability::of_action(action)?;
        let refused = self.refused.get(&capability).map(String::as_str);
        refused.or_else(|| capability.lacking_in(self.granted?))
    }

    /// Whether an answer told so: the token may have been given the scope since.
    pub fn is_by_answer(&self, action: Action) -> bool {
        Capability::of_action(action).is_some_and(|capability| self.refused.contains_key(&capability))
    }

    /// Takes what the service says of the token.
    pub fn grant(&mut self, grant: GrantedScopes) {
        self.granted = Some(grant);
    }

    /// Forgets what answers told.
    pub fn forget_refusals(&mut self) {
        self.refused.clear();
    }
}
