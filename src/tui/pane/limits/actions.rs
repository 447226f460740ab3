//! The actions of the limits view.

use crate::engine::limits::Report;
use crate::tui::keymap::Action;
use crate::tui::pane::rule::{Availability, Rule};
use crate::tui::state::State;
use crate::tui::state::limits::Topic;

pub(in crate::tui) fn rule(action: Action) -> Option<Rule> {
    Some(match action {
        Action::Open => Rule::new().when(has_more),
        Action::Leave
        | Action::SortUsage
        | Action::SortLeft
        | Action::SortName
        | Action::SortGrowth
        | Action::SortReverse
        | Action::ScrollDown
        | Action::ScrollUp
        | Action::NextPane
        | Action::PreviousPane
        | Action::LinkId => Rule::new(),
        Action::FromType | Action::CopyTable | Action::ExportTable => Rule::new().on_rows(always),
        _ => return None,
    })
}

fn has_more(state: &State, _: Action) -> Availability {
    let inside = state.session.limits.inside.as_ref();
    let is_last = inside.is_some_and(|inside| inside.topic != Topic::Report(Report::Sources));
    Availability::unless(is_last, "all is shown", "There is nothing more to show.")
}

fn always(_: &State, _: Action) -> Availability {
    Availability::Yes
}
