//! What the account's token may not do, as far as the service has told: so that a key need not ask it again.

use std::collections::BTreeMap;

use crate::api::Error;
use crate::api::text::visible;
use crate::engine::Verb;
use crate::tui::keymap::Action;

/// What a scope lets a token do (`wire.md` §1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Write,
    Delete,
}

/// Scopes that were asked for in vain, for as long as the account is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Denied(BTreeMap<Need, String>);

impl Need {
    /// Reading is not remembered: asking again is how it is seen that it may be done now.
    fn of(verb: Verb) -> Option<Self> {
        match verb {
            Verb::Download => None,
            Verb::Delete | Verb::Purge => Some(Self::Delete),
            Verb::Upload
            | Verb::Replace
            | Verb::Import
            | Verb::CreateFolder
            | Verb::UpdateFolder
            | Verb::Move
            | Verb::Change => Some(Self::Write),
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
    Need::of_action(action).is_some()
}

impl Denied {
    /// Takes what came of a job: the scope that it lacked, or that it may be done.
    pub fn told(&mut self, verb: Verb, failure: Option<&Error>) {
        let Some(need) = Need::of(verb) else { return };
        match failure.map(Error::scope) {
            None => {
                self.0.remove(&need);
            }
            Some(Some(scope)) => {
                self.0.insert(need, visible(scope).into_owned());
            }
            Some(None) => {}
        }
    }

    /// The scope that is lacking for jobs of this verb. Safe to show.
    pub fn for_verb(&self, verb: Verb) -> Option<&str> {
        self.0.get(&Need::of(verb)?).map(String::as_str)
    }

    /// The scope that is lacking for what a key does. Safe to show.
    pub fn for_action(&self, action: Action) -> Option<&str> {
        self.0.get(&Need::of_action(action)?).map(String::as_str)
    }
}
