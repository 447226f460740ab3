//! The ways out: `q` and Ctrl-C.

use super::filter_keys;
use crate::tui::dialog::{Confirm, Dialog, Intent};
use crate::tui::keymap::Action;
use crate::tui::pane::comparison;
use crate::tui::pane::files::filter;
use crate::tui::pane::local::choosing;
use crate::tui::state::effect::Effect;
use crate::tui::state::{Account, MessageLevel, State};
use crate::tui::widget::figures;

/// Quits; asks first if tasks are running or waiting, or something would be lost.
pub(super) fn quit(state: &mut State) {
    if !state.would_cut_short() {
        return state.effects.push(Effect::Quit);
    }
    ask_quit(state);
}

pub(super) fn ask_quit(state: &mut State) {
    let mut confirm = Confirm::new("Quit filedeck?", "Quit", Intent::Quit, state.now).harmless();
    confirm.body = vec![unfinished(state)];
    state.dialogs.push(Dialog::Confirm(confirm));
}

pub(super) fn refresh(state: &mut State) {
    let is_open = |dialog: &Dialog| matches!(dialog, Dialog::Confirm(confirm) if confirm.intent == Intent::Quit);
    if let Some(at) = state.dialogs.iter().position(is_open) {
        let body = vec![unfinished(state)];
        if let Some(Dialog::Confirm(confirm)) = state.dialogs.get_mut(at) {
            confirm.body = body;
        }
    }
}

fn unfinished(state: &State) -> String {
    let live = state.live_tasks();
    let others = state.background_accounts.iter();
    let accounts = others.map(|other| &other.session.account);
    let mut accounts = accounts.chain([&state.session.account]);
    if live == 0 {
        let failed = match state.session.tasks.unseen_failures {
            0 => String::new(),
            failed => format!(" ({} failed)", figures::count(failed, "task")),
        };
        let then = if accounts.all(Account::is_kept) {
            "Quitting loses nothing."
        } else {
            "The files of the demo are deleted."
        };
        return format!("Nothing is running anymore{failed}. {then}");
    }
    let kind = if live == 1 { "is" } else { "are" };
    let then = if accounts.all(|account| !account.is_kept()) {
        "The demo keeps nothing: what is unfinished is lost."
    } else {
        "Uploads and downloads continue at the next start. Changes and deletions wait there for you. Imports and \
         folder moves continue at the service."
    };
    format!(
        "{} {kind} not finished. {then}",
        figures::count(live, "task")
    )
}

/// Handles Ctrl-C: quits at the second press within 2 s; closes a dialog, the filter field or the
/// choice of files; else asks to quit.
pub(super) fn interrupt(state: &mut State) {
    const AGAIN_MS: i64 = 2_000;
    let since = state
        .interrupted_at
        .map(|at| state.now.as_millisecond() - at.as_millisecond());
    if since.is_some_and(|since| since <= AGAIN_MS) {
        return state.effects.push(Effect::Quit);
    }
    if !state.dialogs.is_empty() {
        return comparison::update::close_dialog(state);
    }
    if state.is_typing() {
        return filter::end(state, filter_keys::typing_pane(state));
    }
    if state.mode.is_choosing() {
        return choosing::end(state);
    }
    state.interrupted_at = Some(state.now);
    ask_quit(state);
    let key = state
        .keymap
        .key_of(state.context(), Action::Interrupt)
        .unwrap_or_default();
    state.say(MessageLevel::Hint, format!("{key} again quits at once."));
}
