//! The actions of the limits view.

use super::{all_accounts, update};
use crate::engine::limits::Report;
use crate::tui::keymap::Action;
use crate::tui::pane::action_row::{ActionRow, Availability};
use crate::tui::state::State;
use crate::tui::state::limits::Topic;

pub(crate) fn row(action: Action) -> Option<ActionRow> {
    Some(match action {
        Action::Open => ActionRow::run(update::open).when(has_more),
        Action::Leave => ActionRow::run(|state| {
            update::leave(state);
        }),
        Action::SortUsage
        | Action::SortLeft
        | Action::SortName
        | Action::SortGrowth
        | Action::SortReverse => ActionRow::run_with(update::sort),
        Action::ScrollDown | Action::ScrollUp => ActionRow::run_with(update::scroll),
        Action::NextPane | Action::PreviousPane => ActionRow::run_with(update::next_pane),
        Action::LinkId => ActionRow::run(update::copy_id),
        Action::FromType => ActionRow::run(update::ask_type).on_rows(always),
        Action::AllAccounts => ActionRow::run(all_accounts::ask).on_rows(always),
        Action::CopyTable => ActionRow::run(update::copy_table).on_rows(always),
        Action::ExportTable => ActionRow::run(update::export).on_rows(always),
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

/// The most used actions, for hints, help and palette.
pub(crate) const USUAL: &[Action] = &[
    Action::Open,
    Action::Leave,
    Action::SortUsage,
    Action::Refresh,
    Action::CopyTable,
    Action::FromType,
    Action::AllAccounts,
    Action::Find,
    Action::ViewFiles,
    Action::ViewTasks,
    Action::ExportTable,
    Action::LinkId,
    Action::SortLeft,
    Action::SortGrowth,
    Action::SortReverse,
    Action::ScrollDown,
    Action::NextPane,
    Action::Palette,
    Action::Quit,
];

/// The actions that the open topic calls for.
pub(crate) fn called_for(state: &State) -> Vec<Action> {
    match &state.session.limits.inside {
        None => vec![Action::Open, Action::SortUsage],
        Some(inside) if inside.topic == Topic::Report(Report::Sources) => {
            vec![Action::Open, Action::Back]
        }
        Some(_) => vec![Action::Back],
    }
}
