//! The actions of a comparison.

use crate::tui::denied_actions::Capability;
use crate::tui::keymap::Action;
use crate::tui::pane::rule::{Availability, Rule, key};
use crate::tui::state::{Comparing, State};

pub(in crate::tui) fn rule(action: Action) -> Option<Rule> {
    let writes = |row: Rule| row.needs(Capability::Write);
    Some(match action {
        Action::Compare
        | Action::Refresh
        | Action::Back
        | Action::MakeHereLikeThere
        | Action::ToggleSame
        | Action::ToggleHidden => Rule::new(),
        Action::Open => Rule::new().when(is_on_folder),
        Action::Leave => Rule::new().when(is_inside),
        Action::Mark | Action::MarkAll | Action::MarkInvert | Action::MarkRange => {
            Rule::new().when(has_row)
        }
        Action::Upload => writes(Rule::new()).on_rows(has_row),
        Action::Save => Rule::new().on_rows(has_row),
        Action::MakeThereLikeHere => writes(Rule::new()),
        _ => return None,
    })
}

fn has_row(state: &State, _: Action) -> Availability {
    let comparing = state.mode.comparing();
    let is_empty = comparing.is_none_or(|comparing| comparing.list.rows().is_empty());
    Availability::unless(is_empty, "", "There is nothing here.")
}

fn is_on_folder(state: &State, _: Action) -> Availability {
    let current = state.mode.comparing().and_then(Comparing::current);
    let is_folder = current.is_some_and(|(_, entry)| entry.is_folder);
    Availability::unless(
        !is_folder,
        "for folders only",
        "Only folders can be opened here.",
    )
}

fn is_inside(state: &State, _: Action) -> Availability {
    let comparing = state.mode.comparing();
    let is_top = comparing.is_none_or(|comparing| comparing.at.is_empty());
    let sentence = format!(
        "This is the top of the comparison: {} leaves it.",
        key(state, Action::Back)
    );
    Availability::unless(is_top, "at the top", sentence)
}
