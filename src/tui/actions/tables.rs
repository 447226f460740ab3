//! The tables of rules, one for each part of the screen, and their order in each context.

use super::{always, browsing, everywhere};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::activity;
use crate::tui::pane::comparison;
use crate::tui::pane::files;
use crate::tui::pane::limits;
use crate::tui::pane::local;
use crate::tui::pane::rule::{Availability, Refusal, Rule};
use crate::tui::pane::tasks;
use crate::tui::pane::tree;
use crate::tui::state::State;

/// A part of the screen that has actions of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Activity,
    /// Every pane, even while files are chosen for a dialog.
    Always,
    /// All panes of the files view, the account's and the local ones.
    Browsing,
    /// The local list while files are chosen.
    Choosing,
    Comparison,
    /// Every view.
    Everywhere,
    /// The account's panes.
    Files,
    Grid,
    Limits,
    List,
    Local,
    Tasks,
    Tree,
}

impl Part {
    pub(super) fn rule(self, action: Action) -> Option<Rule> {
        match self {
            Self::Activity => activity::actions::rule(action),
            Self::Always => always::rule(action),
            Self::Browsing => browsing::rule(action),
            Self::Choosing => local::actions::of_choosing(action),
            Self::Comparison => comparison::actions::rule(action),
            Self::Everywhere => everywhere::rule(action),
            Self::Files => files::actions::rule(action),
            Self::Grid => files::list_actions::of_grid(action),
            Self::Limits => limits::actions::rule(action),
            Self::List => files::list_actions::rule(action),
            Self::Local => local::actions::rule(action),
            Self::Tasks => tasks::actions::rule(action),
            Self::Tree => tree::actions::rule(action),
        }
    }

    /// The parts whose actions a context has, the narrowest first.
    fn of(context: Context) -> &'static [Self] {
        use Part::{
            Activity, Always, Browsing, Choosing, Comparison, Everywhere, Files, Grid, Limits,
            List, Local, Tasks, Tree,
        };
        match context {
            Context::Global => &[Everywhere, Always],
            Context::Files => &[Files, Browsing, Everywhere, Always],
            Context::Tree => &[Tree, Files, Browsing, Everywhere, Always],
            Context::List | Context::Details => &[List, Files, Browsing, Everywhere, Always],
            Context::Grid => &[Grid, List, Files, Browsing, Everywhere, Always],
            Context::Local => &[Local, Browsing, Everywhere, Always],
            Context::Choose => &[Choosing, Local, Always],
            Context::Compare => &[Comparison, Everywhere, Always],
            Context::Tasks => &[Tasks, Everywhere, Always],
            Context::Limits => &[Limits, Everywhere, Always],
            Context::Activity => &[Activity, Everywhere, Always],
        }
    }
}

/// The part of a context that has an action, with the rule for it.
fn found(context: Context, action: Action) -> Option<(Part, Rule)> {
    let mut parts = Part::of(context).iter();
    parts.find_map(|part| Some((*part, part.rule(action)?)))
}

pub(super) fn rule(context: Context, action: Action) -> Option<Rule> {
    Some(found(context, action)?.1)
}

/// Returns the part that an action belongs to in a context.
pub fn part(context: Context, action: Action) -> Option<Part> {
    Some(found(context, action)?.0)
}

/// Returns the availability of an action where the focus is.
pub fn available(state: &State, action: Action) -> Availability {
    available_in(state, state.context(), action)
}

pub fn available_in(state: &State, context: Context, action: Action) -> Availability {
    rule(context, action).map_or(Availability::NotHere, |rule| {
        rule.availability(state, action)
    })
}

/// Returns the reason that an action is grayed: the permission that it lacks, or that the chosen rows
/// of the focused pane do not suit it.
pub fn refusal(state: &State, context: Context, action: Action) -> Option<Refusal> {
    let rule = rule(context, action)?;
    let is_here = context == state.context() && rule.is_on_rows;
    let refusal = || match rule.availability(state, action) {
        Availability::Refused(refusal) if is_here && !refusal.short().is_empty() => Some(refusal),
        _ => None,
    };
    rule.lack(state).or_else(refusal)
}

/// Returns `true` if the action works on the chosen rows of the context.
pub fn is_on_rows(context: Context, action: Action) -> bool {
    rule(context, action).is_some_and(|rule| rule.is_on_rows)
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
    contexts.find(|context| rule(*context, action).is_some())
}
