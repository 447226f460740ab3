//! The tables against the key map: no key without a row, no action without a home.

use super::tables::row;
use super::{hints, home, usual};
use crate::config::AccountSource;
use crate::config::favorites::Favorites;
use crate::tui::input::local_paths::LocalPaths;
use crate::tui::keymap::{Action, Context, Keymap};
use crate::tui::state::{Account, Start, State};

/// The contexts that the focus can have, except `choose`, where other keys name the way back.
const CONTEXTS: [Context; 9] = [
    Context::Tree,
    Context::List,
    Context::Grid,
    Context::Local,
    Context::Compare,
    Context::Details,
    Context::Tasks,
    Context::Limits,
    Context::Activity,
];

fn state() -> State {
    State::new(Start {
        now: jiff::Timestamp::UNIX_EPOCH,
        size: (80, 24),
        account: Account {
            journal_name: String::new(),
            source: AccountSource::Demo,
            read_only: false,
            production: false,
            color: None,
            favorites: Favorites::default(),
        },
        accounts: Vec::new(),
        local: LocalPaths {
            dir: "/".into(),
            home: None,
        },
        keymap: Keymap::defaults(),
    })
}

#[test]
fn each_key_does_something_wherever_it_can_be_pressed() {
    let keymap = Keymap::defaults();
    for context in CONTEXTS {
        let bindings = keymap.bindings().iter();
        let idle = bindings
            .filter(|binding| context.chain().contains(&binding.context))
            .map(|binding| binding.action)
            .filter(|action| row(context, *action).is_none());
        assert_eq!(idle.collect::<Vec<_>>(), [], "{context}");
    }
}

#[test]
fn each_action_has_a_home() {
    let of_others = |action: &Action| {
        [Context::Grid, Context::Compare, Context::Choose]
            .iter()
            .any(|context| row(*context, *action).is_some())
    };
    let state = state();
    let homeless = Action::ALL
        .iter()
        .filter(|action| home(&state, **action).is_none() && !of_others(action));
    assert_eq!(homeless.collect::<Vec<_>>(), [] as [&Action; 0]);
}

#[test]
fn hints_and_help_name_only_actions_of_the_context() {
    for context in CONTEXTS {
        let strange: Vec<_> = usual(context)
            .iter()
            .filter(|action| row(context, **action).is_none())
            .collect();
        assert!(strange.is_empty(), "{context}: {strange:?}");
    }
    assert!(hints(&state()).len() > 8);
}
