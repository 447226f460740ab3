//! The tables of actions that each context has, and the answers that are derived from them.

use super::{browsing, screen};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::command::{Availability, Command, Refusal};
use crate::tui::pane::{activity, comparison, files, limits, local, tasks, tree};
use crate::tui::state::State;

type Table = fn(Action) -> Option<Command>;

/// The tables of a context, the narrowest first.
fn tables(context: Context) -> &'static [Table] {
    macro_rules! tables {
        ($($table:path),* $(,)?) => {
            &[$($table,)* screen::always]
        };
    }
    match context {
        Context::Global => tables![screen::everywhere],
        Context::Files => tables![
            files::actions::command,
            browsing::command,
            screen::everywhere
        ],
        Context::Tree => tables![
            tree::actions::command,
            files::actions::command,
            browsing::command,
            screen::everywhere,
        ],
        Context::List | Context::Details => tables![
            files::list_actions::command,
            files::actions::command,
            browsing::command,
            screen::everywhere,
        ],
        Context::Grid => tables![
            files::list_actions::of_grid,
            files::list_actions::command,
            files::actions::command,
            browsing::command,
            screen::everywhere,
        ],
        Context::Local => tables![
            local::actions::command,
            browsing::command,
            screen::everywhere
        ],
        Context::Choose => tables![local::actions::of_choosing, local::actions::command],
        Context::Compare => tables![comparison::actions::command, screen::everywhere],
        Context::Tasks => tables![tasks::actions::command, screen::everywhere],
        Context::Limits => tables![limits::actions::command, screen::everywhere],
        Context::Activity => tables![activity::actions::command, screen::everywhere],
    }
}

/// The row of an action in the first table of a context that has it.
pub(in crate::tui) fn command(context: Context, action: Action) -> Option<Command> {
    tables(context).iter().find_map(|table| table(action))
}

/// Returns the availability of an action where the focus is.
pub fn available(state: &State, action: Action) -> Availability {
    available_in(state, state.context(), action)
}

pub fn available_in(state: &State, context: Context, action: Action) -> Availability {
    command(context, action).map_or(Availability::NotHere, |row| row.availability(state, action))
}

/// Returns the reason that an action is grayed: the permission that it lacks, or that the chosen rows
/// of the focused pane do not suit it.
pub fn refusal(state: &State, context: Context, action: Action) -> Option<Refusal> {
    let row = command(context, action)?;
    let is_here = context == state.context() && row.is_on_rows;
    let refusal = || match row.availability(state, action) {
        Availability::Refused(refusal) if is_here && !refusal.short().is_empty() => Some(refusal),
        _ => None,
    };
    row.lack(state).or_else(refusal)
}

/// Returns `true` if the action works on the chosen rows of the context.
pub fn is_on_rows(context: Context, action: Action) -> bool {
    command(context, action).is_some_and(|row| row.is_on_rows)
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
    contexts.find(|context| command(*context, action).is_some())
}
