//! Applies each message to the state and returns the effects. Pure: no I/O, no clock, no channel.
//! This file only routes.

mod accept;
mod accounts;
mod act;
mod back;
mod choice;
mod clear_thumbnails;
mod deletions;
mod filter_keys;
mod import;
mod keys;
mod load;
mod mouse;
mod palette;
mod pasted;
mod quit;
mod refresh;
mod replace;
mod reply;
mod settings;
mod switch;
mod tour;
mod unknown_key;
mod unsaved_edits;
mod wake;

pub use settings::apply as apply_settings;

use super::keymap::DESKTOP_KEYS;
use super::message::Msg;
use super::pane::files::{edit_text, favorites, link, rename};
use super::pane::focus;
use super::pane::limits::all_accounts;
use super::pane::tasks::task_details;
use super::state::{State, View};
use crate::tui::state::effect::Effect;

/// Applies one message and returns its effects, in order.
pub fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    let accepts = msg == Msg::Key(DESKTOP_KEYS) && state.offers_desktop_keys();
    if matches!(msg, Msg::Key(_) | Msg::Mouse(_) | Msg::Paste(_)) {
        state.is_first_run = false;
    }
    let (dialogs, status) = (state.dialogs.len(), state.status.clone());
    match msg {
        Msg::Start => load::start(state),
        Msg::Clock(now) => {
            state.now = now;
            state.session.expire_budget(now);
        }
        Msg::Key(_) if accepts => settings::use_desktop_keys(state),
        Msg::Key(key) => keys::key(state, key),
        Msg::Mouse(mouse) => mouse::mouse(state, mouse),
        Msg::Paste(text) => keys::paste(state, &text),
        Msg::Resize { cols, rows } => {
            state.size = (cols, rows).into();
            // Panes stay unchanged while the screen is too small, so that the layout is the same
            // once it grows again.
            if !keys::is_too_small(state) {
                focus::keep_focus_on_screen(state);
            }
        }
        Msg::Engine(session, event) => reply::event(state, session, event),
        Msg::Connected(session, result) => switch::connected(state, session, result),
        Msg::AccountTried(draft, result) => accounts::tried(state, *draft, result),
        Msg::AccountRead(reading) => all_accounts::add(state, &reading),
        Msg::AccountsChanged(change, result) => accounts::changed(state, *change, result),
        Msg::BrowserOpened(address, result) => link::browsed(state, &address, result),
        Msg::SaveFailed(why) => favorites::not_kept(state, &why),
        Msg::Edited(edit, end) => {
            state.at_editor = false;
            edit_text::edited(state, edit, end);
        }
        Msg::NamesEdited(names, end) => {
            state.at_editor = false;
            rename::edited(state, names, end);
        }
        Msg::CopyFailed => link::not_copied(state),
        Msg::Refused(op) => reply::refused(state, op),
    }
    if state.dialogs.len() > dialogs && state.status == status {
        state.status.settle(state.now);
    }
    state.at_editor |= state
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Edit(_) | Effect::EditNames(_)));
    switch::take_place(state);
    if state.view == View::Activity {
        state.activity.mark_seen();
    }
    if state.view == View::Tasks {
        state.session.tasks.unseen_failures = 0;
    }
    task_details::refresh(state);
    quit::refresh(state);
    tour::follow(state);
    wake::follow(state);
    std::mem::take(&mut state.effects)
}
