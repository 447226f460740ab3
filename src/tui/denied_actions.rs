//! The actions that the account's token does not permit: by the scopes that the service lists for
//! an OAuth access token, or by the last answers for other tokens. Their keys are grayed and
//! refused; a denial learned from an answer lasts until the user reloads, because the token may
//! have been given the scope meanwhile.

use std::collections::BTreeMap;

use crate::api::GrantedScopes;
use crate::api::error::{Error, is_of_hidden};
use crate::api::text::visible;
use crate::engine::JobKind;

/// The kinds of actions that need a scope (`contract.md#scopes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    Write,
    Delete,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeniedActions {
    /// The scopes that were missing when they were last needed.
    refused: BTreeMap<Capability, String>,
    /// The token's scopes, if the service lists them.
    granted: Option<GrantedScopes>,
}

impl Capability {
    /// The capability for a job; `None` for reads, because a new request shows whether they are
    /// permitted now.
    pub fn of(kind: JobKind) -> Option<Self> {
        match kind {
            JobKind::Download | JobKind::CreateLocalFolder | JobKind::DeleteLocal => None,
            JobKind::Delete | JobKind::Purge => Some(Self::Delete),
            JobKind::Upload
            | JobKind::Copy
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

    fn lacking_in(self, granted: GrantedScopes) -> Option<&'static str> {
        match self {
            Self::Write if !granted.write => Some("files.write"),
            Self::Delete if !granted.delete => Some("files.delete"),
            _ => None,
        }
    }
}

impl DeniedActions {
    /// Records a job's result: the scope that it lacked, or success. The scope of hidden files says
    /// nothing of others.
    pub fn record(&mut self, kind: JobKind, failure: Option<&Error>) {
        let Some(capability) = Capability::of(kind) else {
            return;
        };
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

    /// The scope that the token lacks for a capability. Safe to show.
    pub fn scope(&self, capability: Capability) -> Option<&str> {
        let refused = self.refused.get(&capability).map(String::as_str);
        refused.or_else(|| capability.lacking_in(self.granted?))
    }

    /// Returns `true` if the denial comes from an answer: the token may have been given the scope
    /// since.
    pub fn is_by_answer(&self, capability: Capability) -> bool {
        self.refused.contains_key(&capability)
    }

    pub fn grant(&mut self, grant: GrantedScopes) {
        self.granted = Some(grant);
    }

    pub fn forget_refusals(&mut self) {
        self.refused.clear();
    }
}
