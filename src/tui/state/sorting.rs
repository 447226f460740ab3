//! The sort order of each sort action: names and kinds ascending; sizes and past times largest and
//! latest first; soonest to expire and most public first.

use crate::engine::message::{Sort, SortKey};
use crate::tui::keymap::Action;

const ACTIONS: [(Action, Sort); 7] = [
    (Action::SortName, upwards(SortKey::Name)),
    (Action::SortSize, downwards(SortKey::Size)),
    (Action::SortKind, upwards(SortKey::Kind)),
    (Action::SortCreated, downwards(SortKey::Created)),
    (Action::SortUpdated, downwards(SortKey::Updated)),
    (Action::SortExpires, upwards(SortKey::Expires)),
    (Action::SortAccess, upwards(SortKey::Access)),
];

impl Sort {
    /// The order after a sort action; any other action reverses it.
    #[must_use]
    pub fn after(self, action: Action) -> Self {
        let mut actions = ACTIONS.into_iter();
        let chosen = actions.find_map(|(of, sort)| (of == action).then_some(sort));
        chosen.unwrap_or(Self {
            descending: !self.descending,
            ..self
        })
    }

    /// The action of a click on the heading of a column: sorts by it, or reverses the order if the
    /// list is sorted by it already.
    pub fn on_heading(self, key: SortKey) -> Action {
        action_of(key)
            .filter(|_| self.key != key)
            .unwrap_or(Action::SortReverse)
    }
}

/// The action that sorts by this key, if any.
pub(super) fn action_of(key: SortKey) -> Option<Action> {
    ACTIONS
        .into_iter()
        .find(|(_, sort)| sort.key == key)
        .map(|(action, _)| action)
}

const fn upwards(key: SortKey) -> Sort {
    Sort {
        key,
        descending: false,
    }
}

const fn downwards(key: SortKey) -> Sort {
    Sort {
        key,
        descending: true,
    }
}
