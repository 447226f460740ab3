//! The actions of the limits view.

use super::update;
use crate::engine::limits::Report;
use crate::tui::keymap::Action;
use crate::tui::pane::command::{Availability, Command};
use crate::tui::state::State;
use crate::tui::state::limits::Topic;

pub(crate) fn command(action: Action) -> Option<Command> {
    Some(match action {
        Action::Open => Command::run(update::open).when(has_more),
        Action::Leave => Command::run(|state| {
            update::leave(state);
        }),
        Action::SortUsage
        | Action::SortLeft
        | Action::SortName
        | Action::SortGrowth
        | Action::SortReverse => Command::run_with(update::sort),
        Action::ScrollDown | Action::ScrollUp => Command::run_with(update::scroll),
        Action::NextPane | Action::PreviousPane => Command::run_with(update::next_pane),
        Action::LinkId => Command::run(update::copy_id),
        Action::FromType => Command::run(update::ask_type).on_rows(always),
        Action::CopyTable => Command::run(update::copy_table).on_rows(always),
        Action::ExportTable => Command::run(update::export).on_rows(always),
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
