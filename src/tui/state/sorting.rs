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

/// The order that an action selects; `None` for other actions.
pub fn sort_of(action: Action) -> Option<Sort> {
    ACTIONS
        .into_iter()
        .find(|(of, _)| *of == action)
        .map(|(_, sort)| sort)
}

/// The action that sorts by this key, if any.
pub fn action_of(key: SortKey) -> Option<Action> {
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
