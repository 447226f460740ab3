//! The tables of actions that each context has, and the answers that are derived from them.

use super::{browsing, screen};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::action_row::{ActionRow, Availability, Refusal};
use crate::tui::pane::{activity, comparison, details, files, limits, local, tasks, tree};
use crate::tui::state::State;

type ActionTable = fn(Action) -> Option<ActionRow>;

/// The keys of a context.
pub(super) struct ContextKeys {
    /// The tables of its actions, the narrowest first.
    tables: &'static [ActionTable],
    pub(super) usual: &'static [Action],
    /// The actions that hints name before the usual ones.
    pub(super) called_for: fn(&State) -> Vec<Action>,
}

pub(super) fn keys(context: Context) -> ContextKeys {
    macro_rules! keys {
        ($usual:path, $called_for:expr; $($table:path),*) => {
            ContextKeys {
                tables: &[$($table,)* screen::always],
                usual: $usual,
                called_for: $called_for,
            }
        };
    }
    match context {
        Context::Global => keys!(files::hints::USUAL, |_| Vec::new(); screen::everywhere),
        Context::Files => keys!(
            files::hints::USUAL, |_| Vec::new();
            files::actions::row, browsing::row, screen::everywhere
        ),
        Context::Tree => keys!(
            tree::actions::USUAL, files::hints::called_for;
            tree::actions::row, files::actions::row, browsing::row, screen::everywhere
        ),
        Context::List => keys!(
            files::hints::USUAL, files::hints::called_for;
            files::list_actions::row, files::actions::row, browsing::row,
            screen::everywhere
        ),
        Context::Details => keys!(
            details::hints::USUAL, details::hints::called_for;
            files::list_actions::row, files::actions::row, browsing::row,
            screen::everywhere
        ),
        Context::Grid => keys!(
            files::hints::USUAL_IN_GRID, files::hints::called_for;
            files::list_actions::of_grid, files::list_actions::row, files::actions::row,
            browsing::row, screen::everywhere
        ),
        Context::Local => keys!(
            local::actions::USUAL, local::actions::called_for;
            local::actions::row, browsing::row, screen::everywhere
        ),
        Context::Choose => keys!(
            local::actions::USUAL_OF_CHOOSING, local::actions::called_for;
            local::actions::of_choosing, local::actions::row
        ),
        Context::Compare => keys!(
            comparison::actions::USUAL, comparison::actions::called_for;
            comparison::actions::row, screen::everywhere
        ),
        Context::Tasks => keys!(
            tasks::actions::USUAL, tasks::actions::called_for;
            tasks::actions::row, screen::everywhere
        ),
        Context::Limits => keys!(
            limits::actions::USUAL, limits::actions::called_for;
            limits::actions::row, screen::everywhere
        ),
        Context::Activity => keys!(
            activity::actions::USUAL, |_| Vec::new();
            activity::actions::row, screen::everywhere
        ),
    }
}

/// Returns the most used actions of a context, for hints, help and palette.
pub fn usual(context: Context) -> &'static [Action] {
    keys(context).usual
}

/// The row of an action in the first table of a context that has it.
pub(in crate::tui) fn row(context: Context, action: Action) -> Option<ActionRow> {
    keys(context).tables.iter().find_map(|table| table(action))
}

/// Returns the availability of an action where the focus is.
pub fn available(state: &State, action: Action) -> Availability {
    available_in(state, state.context(), action)
}

pub fn available_in(state: &State, context: Context, action: Action) -> Availability {
    row(context, action).map_or(Availability::NotHere, |row| row.availability(state, action))
}

/// Returns the reason that an action is grayed: the permission that it lacks, or that the chosen rows
/// of the focused pane do not suit it.
pub fn refusal(state: &State, context: Context, action: Action) -> Option<Refusal> {
    let row = row(context, action)?;
    let is_here = context == state.context() && row.is_on_rows;
    let refusal = || match row.availability(state, action) {
        Availability::Refused(refusal) if is_here && !refusal.short().is_empty() => Some(refusal),
        _ => None,
    };
    row.lack(state, action).or_else(refusal)
}

/// Returns `true` if the action works on the chosen rows of the context.
pub fn is_on_rows(context: Context, action: Action) -> bool {
    row(context, action).is_some_and(|row| row.is_on_rows)
}

/// The context in which an action is performed: the one with the focus, else the one that it is
/// made for.
pub fn home(state: &State, action: Action) -> Option<Context> {
    const OTHERS: [Context; 6] = [
        Context::List,
        Context::Tree,
        Context::Local,
        Context::Tasks,
        Context::Limits,
        Context::Activity,
    ];
    let mut contexts = [state.context()].into_iter().chain(OTHERS);
    contexts.find(|context| row(*context, action).is_some())
}
