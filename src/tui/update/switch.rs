//! Switches accounts: opens the list, leaves a session, and opens or continues another. The old one
//! stays until the new one is open.

use super::{load, reply};
use crate::api::text::visible;
use crate::config::{AccountSource, AccountSummary};
use crate::engine::SessionId;
use crate::tui::dialog::{AccountRow, AccountsDialog, Dialog};
use crate::tui::keymap::Action;
use crate::tui::message::Connected;
use crate::tui::pane::files::browse;
use crate::tui::pane::{focus, other_account};
use crate::tui::state::effect::Effect;
use crate::tui::state::{
    AccountSession, BackgroundAccount, FilesPane, MessageLevel, Pane, State, Switch, View,
};
use crate::tui::widget::figures;

pub(super) fn ask(state: &mut State) {
    let entries = state
        .accounts
        .iter()
        .map(|known| entry(state, known))
        .collect();
    state
        .dialogs
        .push(Dialog::Accounts(AccountsDialog::new(entries)));
}

fn entry(state: &State, known: &AccountSummary) -> AccountRow {
    let others = &state.background_accounts;
    let other = others.iter().find(|other| is_of(other, &known.source));
    let is_wanted = state
        .switch
        .as_ref()
        .is_some_and(|switch| switch.source == known.source);
    let address = match (&known.source, &known.address) {
        (AccountSource::LocalStore, _) => "on this machine; local in scripts".into(),
        (AccountSource::Demo, _) => "temporary sample library".into(),
        (_, Some(address)) => visible(address.as_str()),
        (_, None) => "no usable address".into(),
    };
    AccountRow {
        source: known.source.clone(),
        name: visible(known.source.title()).into_owned(),
        address: address.into_owned(),
        read_only: known.read_only,
        is_production: known.entry.as_ref().is_some_and(|entry| entry.production),
        is_present: known.source == state.session.account.source,
        note: match other {
            Some(BackgroundAccount { session, .. }) => {
                Some(match session.tasks.totals().unfinished {
                    0 => "open".to_owned(),
                    tasks => figures::count(tasks, "task"),
                })
            }
            None => is_wanted.then(|| "connecting".to_owned()),
        },
    }
}

/// Goes to a view of an account: at once if its session is still open, else once it is connected.
/// One whose list is beside only gets the keys.
pub(super) fn to(state: &mut State, source: AccountSource, view: View) {
    let other = state.other_account().map(|other| &other.session.account);
    if other.is_some_and(|account| account.source == source) {
        drop_switch(state);
        other_account::cross(state);
        return focus::open_view(state, view);
    }
    open(state, source, view, false);
}

/// Shows the list of an account beside that of the one on the screen.
pub(super) fn beside(state: &mut State, source: AccountSource) {
    if source == state.session.account.source {
        let name = visible(source.title()).into_owned();
        let text = format!("{name} is on the screen: choose another account to show beside it.");
        return state.say(MessageLevel::Hint, text);
    }
    open(state, source, View::Files, true);
}

fn open(state: &mut State, source: AccountSource, view: View, is_beside: bool) {
    let switch = state.switch.as_mut();
    if let Some(switch) = switch.filter(|switch| switch.source == source) {
        (switch.view, switch.is_beside) = (view, is_beside);
        return;
    }
    drop_switch(state);
    if source == state.session.account.source && !state.session.is_closed {
        return;
    }
    if let Some(at) = state.background_at(|other| is_of(other, &source)) {
        let account = state.background_accounts.remove(at);
        state.status.clear();
        leave_for(state, account, view, is_beside);
        load::first_screen(state);
        state.effects.push(Effect::RememberAccount(
            state.session.account.source.clone(),
        ));
        return;
    }
    connect(state, source, view, is_beside);
}

/// Goes to a path of the account of a name, which may be the present one.
pub(super) fn to_path(state: &mut State, name: &str, path: &str) {
    let mut known = state.accounts.iter().map(|account| &account.source);
    let Some(source) = known.find(|source| source.name() == name).cloned() else {
        let key = state.keymap.key_of(state.context(), Action::Accounts);
        let hint = key.map(|key| format!(" {key} lists them."));
        let text = format!(
            "No account is named {}.{}",
            visible(name),
            hint.unwrap_or_default()
        );
        return state.say(MessageLevel::Error, text);
    };
    if source != state.session.account.source {
        to(state, source.clone(), View::Files);
    }
    match &mut state.switch {
        Some(switch) if switch.source == source => switch.path = Some(path.to_owned()),
        _ => browse::locate_typed(state, path),
    }
}

fn connect(state: &mut State, source: AccountSource, view: View, is_beside: bool) {
    let session = state.mint_session();
    state.switch = Some(Switch {
        session,
        source: source.clone(),
        view,
        is_beside,
        path: None,
        open: None,
        message: None,
    });
    state.effects.push(Effect::Connect(session, source));
}

/// Reopens the current account with its new settings. Its session is closed first; the new one
/// continues the unfinished tasks. The panes keep their content until then.
pub(super) fn anew(state: &mut State) {
    drop_switch(state);
    if !std::mem::replace(&mut state.session.is_closed, true) {
        state
            .effects
            .push(Effect::Close(state.session.ops.session()));
        reply::unanswered(state, |read| !read.is_of_pane());
    }
    connect(
        state,
        state.session.account.source.clone(),
        state.view,
        false,
    );
}

/// Closes the session of an account off the screen whose settings have changed, and says what
/// becomes of its tasks. A switch to the account starts over.
pub(super) fn forget(state: &mut State, source: &AccountSource) {
    let switch = state.switch.as_ref();
    if let Some(view) = switch.and_then(|switch| (switch.source == *source).then_some(switch.view))
    {
        drop_switch(state);
        return connect(state, source.clone(), view, false);
    }
    let mut others = state.background_accounts.iter();
    let Some(session) = others.find(|other| is_of(other, source)) else {
        return;
    };
    let (session, live) = (
        session.session.id(),
        session.session.tasks.totals().unfinished,
    );
    other_account::say_waiting(state, source.title(), live);
    state.with_session(session, |state| {
        reply::unanswered(state, |read| !read.is_of_pane());
    });
    state
        .background_accounts
        .retain(|other| !is_of(other, source));
    state.effects.push(Effect::Close(session));
    if state.mode.other_account().is_some() && state.other_account().is_none() {
        other_account::close(state);
    }
}

fn is_of(account: &BackgroundAccount, source: &AccountSource) -> bool {
    account.session.account.source == *source
}

/// Stays on the current account, and reopens it if it is closed.
pub(super) fn cancel(state: &mut State) {
    if state.is_anew() {
        return;
    }
    drop_switch(state);
    if state.session.is_closed {
        connect(
            state,
            state.session.account.source.clone(),
            state.view,
            false,
        );
    }
}

/// Keeps the message on the screen when the account that is being opened takes its place.
pub(super) fn keep_message(state: &mut State) {
    if let Some(switch) = &mut state.switch {
        switch.message = state.status.message().cloned();
    }
}

fn drop_switch(state: &mut State) {
    if let Some(switch) = state.switch.take().filter(|switch| switch.open.is_some()) {
        state.effects.push(Effect::Close(switch.session));
    }
}

pub(super) fn connected(state: &mut State, session: SessionId, result: Result<Connected, String>) {
    let Some(switch) = state
        .switch
        .as_mut()
        .filter(|switch| switch.session == session)
    else {
        // The switch was canceled.
        if result.is_ok() {
            state.effects.push(Effect::Close(session));
        }
        return;
    };
    match result {
        Ok(Connected { account, warnings }) => {
            switch.open = Some(account);
            for warning in warnings {
                state.say(MessageLevel::Warn, warning);
                keep_message(state);
            }
        }
        Err(error) => {
            let text = format!(
                "{} could not be opened: {}",
                visible(switch.source.title()),
                visible(&error)
            );
            let is_anew = state.is_anew();
            state.switch = None;
            if is_anew {
                reply::unanswered(state, |_| true);
                state.session.forget_work();
            }
            state.say(MessageLevel::Error, text);
            if !is_anew && state.session.is_closed {
                connect(
                    state,
                    state.session.account.source.clone(),
                    state.view,
                    false,
                );
            }
        }
    }
}

/// Shows an opened account, once no dialog, text field or editor is in use.
pub(super) fn take_place(state: &mut State) {
    if !state.dialogs.is_empty() || state.mode.is_choosing() || state.is_typing() || state.at_editor
    {
        return;
    }
    let is_anew = state.is_anew();
    let Some(Switch {
        session,
        open: Some(account),
        view,
        is_beside,
        path,
        message,
        ..
    }) = state.switch.take_if(|switch| switch.open.is_some())
    else {
        return;
    };
    let opened = BackgroundAccount {
        session: AccountSession::new(account, session),
        files: FilesPane::default(),
    };
    if is_anew {
        put(state, opened);
    } else {
        state.status.restore(message);
        leave_for(state, opened, view, is_beside);
    }
    load::start(state);
    if let Some(path) = path {
        browse::locate_typed(state, &path);
    }
}

/// Shows an account; returns the one that was on the screen.
fn put(state: &mut State, account: BackgroundAccount) -> BackgroundAccount {
    state.mode.end_comparison();
    BackgroundAccount {
        session: std::mem::replace(&mut state.session, account.session),
        files: std::mem::replace(&mut state.files, account.files),
    }
}

/// Leaves the account on the screen for another one, or puts that beside it.
fn leave_for(state: &mut State, account: BackgroundAccount, view: View, is_beside: bool) {
    other_account::close(state);
    let left = put(state, account);
    state.view = view;
    state.focus = Pane::List;
    state.panes.tree_overlay = false;
    state.panes.zoomed = false;
    state.pending.clear();
    state.pending_since = None;
    if is_beside && !left.session.is_closed {
        other_account::open(state, left);
    } else {
        other_account::retire(state, left);
    }
}
