//! Routes keys and pasted text to the dialog on top, the filter field, or the key map.

use crossterm::event::KeyCode;
use jiff::SignedDuration;

use super::{
    accept, accounts, act, deletions, filter_keys, import, pasted, replace, settings, unknown_key,
};
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::OpId;
use crate::engine::local_entry::LocalEntry;
use crate::engine::question::{ListLocalFolder, ListNames};
use crate::tui::areas::areas;
use crate::tui::dialog::{Dialog, Reply};
use crate::tui::keymap::{Action, Context, Key, KeyLookup};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::pane::files::transfer;
use crate::tui::pane::local::choosing;
use crate::tui::pane::{comparison, export, plan};
use crate::tui::state::effect::Effect;
use crate::tui::state::{LocalFolderRead, MessageLevel, NamesRead, State, ThenDeleted};

pub(super) fn key(state: &mut State, key: Key) {
    if is_too_small(state) {
        return blind_key(state, key);
    }
    if !state.dialogs.is_empty() || state.is_typing() {
        if let Some(action) = everywhere(state, key) {
            return act::act(state, action);
        }
        return if state.dialogs.is_empty() {
            filter_keys::key(state, key);
        } else {
            dialog_key(state, key);
        };
    }
    let context = state.context();
    match state.keymap.lookup(context, &state.pending, key) {
        KeyLookup::Action(action) => {
            clear_pending(state);
            act::act(state, action);
        }
        KeyLookup::Prefix => {
            state.pending.push(key);
            state.pending_since.get_or_insert(state.now);
        }
        KeyLookup::None if !state.pending.is_empty() && key == Key::char('?') => {
            // The box with the possible next keys opens at once.
            state.pending_since = state.now.checked_sub(SignedDuration::from_secs(1)).ok();
        }
        KeyLookup::None if !state.pending.is_empty() && key == Key::plain(KeyCode::Esc) => {
            clear_pending(state);
        }
        KeyLookup::None => {
            let pressed: Vec<Key> = state.pending.iter().copied().chain([key]).collect();
            clear_pending(state);
            unknown_key::say(state, &pressed);
        }
    }
}

/// Returns `true` if the screen shows only that it is too small.
pub(super) fn is_too_small(state: &State) -> bool {
    areas(state.size, state).is_none()
}

/// Handles a key while nothing is visible, not even a question: quits, or performs one of the
/// actions of `everywhere`.
fn blind_key(state: &mut State, key: Key) {
    clear_pending(state);
    let takes_text = !state.dialogs.is_empty() || state.is_typing();
    match state.keymap.lookup(Context::Global, &[], key) {
        KeyLookup::Action(Action::Quit) if !takes_text => act::act(state, Action::Quit),
        _ => {
            if let Some(action) = everywhere(state, key) {
                act::act(state, action);
            }
        }
    }
}

pub(super) fn clear_pending(state: &mut State) {
    state.pending.clear();
    state.pending_since = None;
}

/// The action that a key has even while the user is typing; `None` for keys that type text.
fn everywhere(state: &State, key: Key) -> Option<Action> {
    match state.keymap.lookup(Context::Global, &[], key) {
        KeyLookup::Action(action @ (Action::Interrupt | Action::Redraw | Action::Suspend))
            if !key.types_text() =>
        {
            Some(action)
        }
        _ => None,
    }
}

fn dialog_key(state: &mut State, key: Key) {
    let now = state.clocks();
    // The submitted input is being checked: the user can cancel that, but not change the input
    // meanwhile.
    if let Some(op) = plan::awaited(state) {
        if key.code == KeyCode::Esc {
            plan::give_up(state, op);
        }
        return;
    }
    let reply = state
        .dialogs
        .last_mut()
        .map(|dialog| dialog.on_key(key, now));
    if let Some(reply) = reply {
        replied(state, reply);
    }
}

pub(super) fn replied(state: &mut State, reply: Reply) {
    match reply {
        Reply::Open => {}
        Reply::Closed => comparison::update::close_dialog(state),
        Reply::Accepted(intent) => {
            let is_plan = matches!(state.dialogs.last(), Some(Dialog::Plan(_)));
            plan::close_dialog(state);
            if is_plan {
                plan::close_asker(state);
            }
            accept::accept(state, intent);
        }
        Reply::Replace { local, intent } => replace::check_local_file(state, local, intent),
        Reply::PlanUpload(upload) => plan::upload(state, *upload),
        Reply::PlanImport { plan, on_taken } => import::ask_plan(state, plan, on_taken),
        Reply::PlanDownload(download) => plan::download(state, download, true),
        Reply::Browse { typed, of } => choosing::begin(state, typed, of),
        Reply::Complete(folder) => {
            let folder = state.local.resolve(&folder);
            ask(
                state,
                LocalFolderRead(folder.clone()),
                ListLocalFolder { folder },
            );
        }
        Reply::CompleteThere(folder) => {
            let path = if folder.starts_with('/') {
                folder
            } else {
                "/".to_owned()
            };
            ask(state, NamesRead(path.clone()), ListNames { path });
        }
        Reply::Try(draft) => accounts::try_out(state, draft),
        Reply::Keep(draft) => accounts::keep(state, *draft),
        Reply::DeletedWith(folder) => deletions::ask_with(state, *folder, ThenDeleted::List),
        Reply::ShowReceipt(deletion) => deletions::show_receipt(state, &deletion),
        Reply::Save { name, text } => export::write(state, name, text),
        Reply::ReadAddresses(path) => transfer::read_addresses(state, path),
        Reply::Copy(text) => {
            let line = visible(text.lines().next().unwrap_or_default());
            let copied = format!("Text {}: {line}", state.settings.copied());
            state.say(MessageLevel::Info, copied);
            state.effects.push(Effect::Copy(text));
        }
        Reply::OpenBrowser(address) => state.effects.push(Effect::OpenBrowser(address)),
        Reply::Change { setting, value } => settings::change(state, setting, &value),
        Reply::ChooseTheme => settings::open_themes(state),
    }
}

pub(super) fn paste(state: &mut State, text: &str) {
    clear_pending(state);
    if is_too_small(state) || plan::awaited(state).is_some() {
        return;
    }
    if let Some(dialog) = state.dialogs.last_mut() {
        dialog.on_paste(text);
    } else if state.is_typing() {
        filter_keys::paste(state, text);
    } else if state.mode.is_choosing() {
        choosing::say_keys(state);
    } else {
        pasted::pasted(state, text);
    }
}

impl OnAnswer for LocalFolderRead {
    type Question = ListLocalFolder;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<LocalEntry>) {
        if let Some(dialog) = state.dialogs.last_mut() {
            dialog.take_entries(&self.0, answer);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        names_failed(state, error);
    }
}

impl OnAnswer for NamesRead {
    type Question = ListNames;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<String>) {
        if let Some(dialog) = state.dialogs.last_mut() {
            dialog.take_names(&answer);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        names_failed(state, error);
    }
}

fn names_failed(state: &mut State, error: &Error) {
    let problem = visible(&error.message).into_owned();
    if !state
        .dialogs
        .last_mut()
        .is_some_and(|dialog| dialog.say_wrong(problem))
    {
        state.say_failed("The names in the folder could not be read", error);
    }
}
