//! The order in which hints and help name the actions of a pane: those that its state calls for, then
//! the most used ones. The tables decide which of them apply.

use std::collections::HashSet;

use super::tables::{available, keys};
use crate::tui::keymap::{Action, Context};
use crate::tui::pane::action_row::Availability;
use crate::tui::pane::details;
use crate::tui::state::{State, View};

/// The number of rows that the help has on a screen of 24 lines.
const ROWS_OF_HELP: usize = 18;
/// The actions that the help shows, too, if it has room.
const MORE_OF_HELP: [Action; 3] = [Action::Cut, Action::Paste, Action::Undo];

/// Returns the actions that apply, except the palette and quitting, the most useful first, with the
/// scopes that the token lacks for them.
pub fn hints(state: &State) -> Vec<(Action, Option<String>)> {
    let actions = if state.panes.plain {
        // A screen reader reads the hints aloud whenever they change.
        let mut actions = vec![Action::Help, Action::Back];
        actions.extend(spoken(state));
        actions
    } else {
        let mut actions = vec![Action::Help];
        let keys = keys(state.context());
        actions.extend((keys.called_for)(state));
        let usual = keys.usual.iter().copied();
        actions.extend(usual.filter(|action| !is_obvious(*action)));
        actions
    };
    let has_link = available(state, Action::LinkAuto) == Availability::Yes;
    let mut seen = HashSet::new();
    actions
        .into_iter()
        .filter(|action| !matches!(action, Action::Palette | Action::Quit))
        .filter(|action| !(has_link && *action == Action::LinkPath))
        .filter(|action| seen.insert(*action))
        .filter_map(|action| match available(state, action) {
            Availability::Yes => Some((action, None)),
            Availability::Refused(refusal) => refusal
                .scope()
                .map(|scope| (action, Some(scope.to_owned()))),
            Availability::NotHere => None,
        })
        .collect()
}

/// Returns the actions of a context that the help shows first on a screen of this many lines.
pub fn useful(context: Context, lines: u16) -> Vec<Action> {
    let has_room = usize::from(lines) >= ROWS_OF_HELP + MORE_OF_HELP.len() + 6;
    let more = MORE_OF_HELP.into_iter().filter(|_| has_room);
    let usual = keys(context).usual.iter().copied().take(ROWS_OF_HELP);
    let mut seen = HashSet::new();
    usual
        .chain(more)
        .filter(|action| seen.insert(*action))
        .collect()
}

/// Returns `true` for keys that have a hint only where the state calls for them: most are found
/// without one.
fn is_obvious(action: Action) -> bool {
    const OTHERS: [Action; 15] = [
        Action::ScrollUp,
        Action::TogglePreview,
        Action::ToggleSource,
        Action::ToggleTasks,
        Action::Unfold,
        Action::Fold,
        Action::MoveTaskToTop,
        Action::PauseQueue,
        Action::LimitRate,
        Action::SortUsage,
        Action::SortReverse,
        Action::MarkRange,
        Action::MarkAll,
        Action::MarkInvert,
        Action::Zoom,
    ];
    action.moves_cursor() && action != Action::GoRoot || OTHERS.contains(&action)
}

/// The few actions that a screen reader names.
fn spoken(state: &State) -> &'static [Action] {
    match state.view {
        View::Files if state.mode.is_choosing() => &[Action::Choose, Action::Mark],
        View::Files if state.mode.comparing().is_some() => &[
            Action::MakeThereLikeHere,
            Action::MakeHereLikeThere,
            Action::Upload,
            Action::Save,
            Action::Compare,
        ],
        View::Files if state.mode.has_two_lists() => &[
            Action::NextPane,
            Action::Upload,
            Action::Compare,
            Action::ToggleLocal,
        ],
        View::Files if state.files.listing.duplicate_groups() > 0 => {
            &[Action::Mark, Action::Delete, Action::Open, Action::Find]
        }
        View::Files if details::hints::is_document(state) => &[Action::LinkAuto, Action::Save],
        View::Files => &[Action::Open, Action::Find, Action::Upload],
        View::Tasks => &[Action::Open, Action::RetryFailed, Action::ViewFiles],
        View::Limits => &[Action::Open, Action::Refresh, Action::ViewFiles],
        View::Activity => &[Action::CopyMessage, Action::ViewFiles],
    }
}
