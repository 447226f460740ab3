//! Actions in words, which name both accounts for an action between their lists.

use std::borrow::Cow;

use crate::api::text::visible;
use crate::tui::keymap::Action;
use crate::tui::state::{State, View};

/// Returns a word or two for the hint line.
pub fn hint(state: &State, action: Action) -> Cow<'static, str> {
    let Some(sides) = state.sides(action) else {
        return action.hint().into();
    };
    let to = visible(sides.to.session.account.name());
    match action {
        Action::Upload | Action::Save => format!("copy to {to}").into(),
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => format!("sync to {to}").into(),
        _ => action.hint().into(),
    }
}

pub fn description(state: &State, action: Action) -> Cow<'static, str> {
    if let (Action::NextPane, View::Tasks, Some(other)) =
        (action, state.view, state.other_account())
    {
        let name = visible(other.session.account.name());
        return format!("Show the tasks of {name}").into();
    }
    if action == Action::ToggleLocal && state.mode.other_account().is_some() {
        return "Close the other account's list".into();
    }
    let Some(sides) = state.sides(action) else {
        return action.description().into();
    };
    let [from, to] = [sides.from, sides.to].map(|side| visible(side.session.account.name()));
    match action {
        Action::Upload | Action::Save => format!("Copy from {from} to {to}").into(),
        Action::MakeThereLikeHere | Action::MakeHereLikeThere => {
            format!("Bring the changes of {from} to {to}").into()
        }
        Action::Compare => format!("Compare the folders of {from} and {to}").into(),
        _ => action.description().into(),
    }
}
