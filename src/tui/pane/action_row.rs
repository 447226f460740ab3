//! The rule for an action: whether it applies, and why not.

use crate::api::text::visible;
use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::state::{Account, AccountSession, State};

/// The answer to "does this key apply here, and why not".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    Yes,
    Refused(Refusal),
    /// The pane has no such action.
    NotHere,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The object of the action does not suit it.
    Unfit {
        /// A few words for the palette; empty if it is only a matter of the moment, and the palette
        /// ranks the action as always.
        short: &'static str,
        sentence: String,
    },
    ReadOnly {
        /// Safe to show.
        account: String,
    },
    /// The token lacks this scope. Safe to show.
    Scope {
        scope: String,
        /// Set if the token may have been given the scope since the refusal.
        may_be_given: bool,
    },
}

/// A row of a pane's table of actions: what its key does, and when.
pub(crate) struct ActionRow {
    performed_by: PerformedBy,
    available: fn(&State, Action) -> Availability,
    needs: Option<Capability>,
    /// The account that is changed, if one is.
    changes: fn(&State, Action) -> Option<&AccountSession>,
    /// Set if the action works on the chosen rows.
    pub(crate) is_on_rows: bool,
}

#[derive(Clone, Copy)]
enum PerformedBy {
    Function(fn(&mut State)),
    WithAction(fn(&mut State, Action)),
    Screen,
}

impl ActionRow {
    fn new(performed_by: PerformedBy) -> Self {
        Self {
            performed_by,
            available: |_, _| Availability::Yes,
            needs: None,
            changes: |state, _| Some(&state.session),
            is_on_rows: false,
        }
    }

    /// Creates a row for an action that is always available in its pane.
    pub(crate) fn run(run: fn(&mut State)) -> Self {
        Self::new(PerformedBy::Function(run))
    }

    /// Like `run`, for several actions that share a function.
    pub(crate) fn run_with(run: fn(&mut State, Action)) -> Self {
        Self::new(PerformedBy::WithAction(run))
    }

    /// Creates a row for an action that no pane performs, but the screen as a whole.
    pub(crate) fn of_screen() -> Self {
        Self::new(PerformedBy::Screen)
    }

    pub(crate) fn when(self, available: fn(&State, Action) -> Availability) -> Self {
        Self { available, ..self }
    }

    /// Like `when`, for an action on the chosen rows.
    pub(crate) fn on_rows(self, available: fn(&State, Action) -> Availability) -> Self {
        Self {
            available,
            is_on_rows: true,
            ..self
        }
    }

    pub(crate) fn needs(self, capability: Capability) -> Self {
        Self {
            needs: Some(capability),
            ..self
        }
    }

    pub(crate) fn writes(self) -> Self {
        self.needs(Capability::Write)
    }

    /// Like `writes`, for an action between two lists: it changes the account on its target side.
    pub(crate) fn writes_there(self) -> Self {
        Self {
            changes: target,
            ..self.writes()
        }
    }

    /// Performs the action. Returns `false` if that is up to the screen.
    pub(crate) fn perform(&self, state: &mut State, action: Action) -> bool {
        match self.performed_by {
            PerformedBy::Function(run) => run(state),
            PerformedBy::WithAction(run) => run(state, action),
            PerformedBy::Screen => return false,
        }
        true
    }

    pub(crate) fn availability(&self, state: &State, action: Action) -> Availability {
        self.lack(state, action)
            .map_or_else(|| (self.available)(state, action), Availability::Refused)
    }

    /// The permission that the account or its token lacks for this action.
    pub(crate) fn lack(&self, state: &State, action: Action) -> Option<Refusal> {
        let capability = self.needs?;
        lack((self.changes)(state, action)?, capability)
    }
}

/// The account that an action between two lists changes; `None` if that is this machine's folder.
fn target(state: &State, action: Action) -> Option<&AccountSession> {
    match state.sides(action) {
        Some(sides) => Some(sides.to.session),
        None if matches!(action, Action::Save | Action::MakeHereLikeThere) => None,
        None => Some(&state.session),
    }
}

/// The permission that the account or its token lacks.
pub(crate) fn lack(session: &AccountSession, capability: Capability) -> Option<Refusal> {
    if session.account.read_only {
        return Some(Refusal::read_only(&session.account));
    }
    let denied = &session.denied_actions;
    denied.scope(capability).map(|scope| Refusal::Scope {
        scope: scope.to_owned(),
        may_be_given: denied.is_by_answer(capability),
    })
}

impl Availability {
    /// Returns `Yes` if there is no refusal.
    pub(crate) fn unless(
        is_refused: bool,
        short: &'static str,
        sentence: impl Into<String>,
    ) -> Self {
        if is_refused {
            Self::Refused(Refusal::Unfit {
                short,
                sentence: sentence.into(),
            })
        } else {
            Self::Yes
        }
    }

    /// Returns this refusal, or the availability by a further rule.
    pub(crate) fn and(self, further: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Yes => further(),
            refused => refused,
        }
    }
}

impl Refusal {
    pub(crate) fn read_only(account: &Account) -> Self {
        Self::ReadOnly {
            account: visible(account.name()).into_owned(),
        }
    }

    /// The reason in a few words.
    pub fn short(&self) -> String {
        match self {
            Self::Unfit { short, .. } => (*short).to_owned(),
            Self::ReadOnly { .. } => "read-only".to_owned(),
            Self::Scope { scope, .. } => format!("needs {scope}"),
        }
    }

    /// The scope that the token lacks.
    pub fn scope(&self) -> Option<&str> {
        match self {
            Self::Scope { scope, .. } => Some(scope),
            Self::Unfit { .. } | Self::ReadOnly { .. } => None,
        }
    }
}

/// The key of an action where the focus is; empty if it has none.
pub(crate) fn key(state: &State, action: Action) -> String {
    let key = state.keymap.key_of(state.context(), action);
    key.unwrap_or_default()
}
