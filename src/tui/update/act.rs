//! Performs an action where the focus is. The tables of the panes say what a key does there; the
//! actions of the screen as a whole are here.

use super::{
    back, clear_thumbnails, deletions, palette, quit, refresh, settings, switch, unknown_key,
    unsaved_edits,
};
use crate::tui::dialog::{Dialog, Help, Tour, UsefulKeys};
use crate::tui::keymap::Action;
use crate::tui::pane::actions::{self, Availability};
use crate::tui::pane::files::find;
use crate::tui::pane::local::choosing;
use crate::tui::pane::table::component;
use crate::tui::pane::{focus, refuse};
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageTopic, Pane, State, View};
use crate::tui::wording::action as words;

/// Performs an action where the focus is, or says why it does not apply there.
pub(super) fn act(state: &mut State, action: Action) {
    state.status.clear_about(MessageTopic::Key);
    let context = state.context();
    match actions::row(context, action) {
        Some(row) => match row.availability(state, action) {
            Availability::Refused(refusal) => refuse::say(state, action, refusal),
            Availability::Yes | Availability::NotHere => {
                if !row.perform(state, action) {
                    of_screen(state, action);
                }
            }
        },
        None if state.mode.is_choosing() => choosing::say_keys(state),
        None => unknown_key::say_action(state, action),
    }
}

/// Performs an action of the screen as a whole. Returns `false` if nothing is known to perform.
fn of_screen(state: &mut State, action: Action) -> bool {
    match action {
        Action::MoveDown
        | Action::MoveUp
        | Action::MoveTop
        | Action::MoveBottom
        | Action::HalfPageDown
        | Action::HalfPageUp
        | Action::PageDown
        | Action::PageUp
        | Action::MoveLeft
        | Action::MoveRight => move_cursor(state, action),
        Action::Redraw => state.effects.push(Effect::Redraw),
        Action::Suspend => state.effects.push(Effect::Suspend),
        Action::Help => {
            let help = Help::new(&state.keymap, state.context(), &help_keys(state));
            state.dialogs.push(Dialog::Help(help));
        }
        Action::Quit => quit::quit(state),
        Action::Interrupt => quit::interrupt(state),
        Action::ViewFiles => focus::open_view(state, View::Files),
        Action::ViewTasks => focus::open_view(state, View::Tasks),
        Action::ViewLimits => focus::open_view(state, View::Limits),
        Action::ViewActivity => focus::open_view(state, View::Activity),
        Action::ToggleTasks => toggle_tasks(state),
        Action::Find => find::ask(state),
        Action::Accounts => switch::ask(state),
        Action::Palette => palette::ask(state),
        Action::Settings => settings::open(state, None),
        Action::Themes => settings::open_themes(state),
        Action::Back => back::back(state),
        Action::Refresh => refresh::refresh(state),
        Action::Deletions => deletions::list(state),
        Action::Tour => start_tour(state),
        Action::UnsavedEdits => unsaved_edits::list(state),
        Action::ClearThumbnails => clear_thumbnails::clear(state),
        _ => return false,
    }
    true
}

/// Moves the cursor of the pane with the focus; from the details, that of their list.
fn move_cursor(state: &mut State, action: Action) {
    let pane = match state.pane() {
        Pane::Details => focus::list_of_details(state),
        pane => pane,
    };
    component(pane).on_move(state, action);
}

fn toggle_tasks(state: &mut State) {
    focus::open_view(
        state,
        if state.view == View::Tasks {
            View::Files
        } else {
            View::Tasks
        },
    );
}

fn start_tour(state: &mut State) {
    focus::open_view(state, View::Files);
    state.focus = Pane::List;
    state.panes.zoomed = false;
    state.dialogs.push(Dialog::Tour(Tour::default()));
}

/// The keys that the help shows first, and the words of actions and what they lack here.
fn help_keys(state: &State) -> UsefulKeys {
    let lack = |action: &Action| {
        let home = actions::home(state, *action)?;
        let refusal = actions::refusal(state, home, *action)?;
        Some((*action, refusal.short()))
    };
    let words = |action: &Action| {
        let words = words::description(state, *action);
        (words != action.description()).then(|| (*action, words.into_owned()))
    };
    UsefulKeys {
        actions: actions::useful(state.context(), state.size.height),
        words: Action::ALL.iter().filter_map(words).collect(),
        lacks: Action::ALL.iter().filter_map(lack).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::AccountSource;
    use crate::config::favorites::Favorites;
    use crate::tui::input::local_paths::LocalPaths;
    use crate::tui::keymap::{Context, Keymap};
    use crate::tui::state::{Account, Start};

    #[test]
    fn each_action_of_a_table_is_performed() {
        let favorites = Favorites::default();
        let account = Account {
            journal_name: String::new(),
            source: AccountSource::Demo,
            read_only: false,
            production: false,
            color: None,
            favorites,
        };
        let mut state = State::new(Start {
            now: jiff::Timestamp::UNIX_EPOCH,
            size: (80, 24),
            account,
            accounts: Vec::new(),
            local: LocalPaths {
                dir: "/".into(),
                home: None,
            },
            keymap: Keymap::defaults(),
        });
        let contexts = [
            Context::Tree,
            Context::Grid,
            Context::Details,
            Context::Local,
            Context::Choose,
            Context::Compare,
            Context::Tasks,
            Context::Limits,
            Context::Activity,
        ];
        for (context, action) in contexts
            .into_iter()
            .flat_map(|context| Action::ALL.iter().map(move |action| (context, *action)))
        {
            if let Some(row) = actions::row(context, action)
                && !row.perform(&mut state, action)
            {
                assert!(of_screen(&mut state, action), "{context}: {action}");
            }
        }
    }
}
