//! Accounts are added, changed and removed on the screen. They are tried before they are saved,
//! unless the service does not answer and the user saves them anyway.

use url::Url;

use super::switch;
use crate::api::Error;
use crate::api::text::visible;
use crate::config::{
    AccountChange, AccountEntry, AccountSource, AccountSummary, Changed, Draft, KeyringError,
    Origin, TokenLocation,
};
use crate::tui::dialog::{AccountForm, Confirm, Dialog, Intent};
use crate::tui::state::effect::Effect;
use crate::tui::state::{MessageLevel, State, View};

pub(super) fn ask_new(state: &mut State) {
    let taken = state
        .accounts
        .iter()
        .map(|known| known.source.name().to_owned())
        .collect();
    state.dialogs.push(Dialog::Account(AccountForm::new(taken)));
}

pub(super) fn ask_edit(state: &mut State, source: &AccountSource) {
    match own(state, source) {
        Ok(entry) => {
            let form = AccountForm::of(source.name(), entry);
            state.dialogs.push(Dialog::Account(form));
        }
        Err(why) => state.say(MessageLevel::Hint, why),
    }
}

/// Asks before an account is removed. The account on the screen cannot be removed, nor one that has
/// unfinished tasks.
pub(super) fn ask_remove(state: &mut State, source: &AccountSource) {
    let name = visible(source.title()).into_owned();
    let token = match own(state, source) {
        Err(why) => Err(why),
        Ok(_) if *source == state.session.account.source => {
            Err(format!("{name} is open: switch to another account first."))
        }
        Ok(_) if has_tasks(state, source) => Err(format!(
            "{name} has unfinished tasks: wait for them or cancel them first."
        )),
        Ok(entry) => Ok(entry.token.clone()),
    };
    match token {
        Ok(token) => {
            let intent = Intent::ForgetAccount(source.name().to_owned());
            let confirm = Confirm::new(
                format!("Remove the account {name}"),
                "Remove",
                intent,
                state.now,
            );
            let confirm = match token {
                TokenLocation::File(file) => confirm
                    .saying("filedeck forgets its address and settings, and removes this file with its token.")
                    .naming(vec![visible(&file.to_string_lossy()).into_owned()]),
                TokenLocation::Keyring(_) => confirm.saying(
                    "filedeck forgets its address and settings, and removes its token from the system keyring.",
                ),
            };
            let confirm = confirm
                .saying("The files in the account stay. The token stays valid until you revoke it at the service.");
            state.dialogs.push(Dialog::Confirm(confirm));
        }
        Err(why) => state.say(MessageLevel::Hint, why),
    }
}

pub(super) fn remove(state: &mut State, name: String) {
    let is_wanted = state
        .switch
        .as_ref()
        .is_some_and(|switch| switch.source == AccountSource::Configured(name.clone()));
    if is_wanted {
        switch::cancel(state);
    }
    switch::forget(state, &AccountSource::Configured(name.clone()));
    state
        .effects
        .push(Effect::ChangeAccounts(Box::new(AccountChange::Forget(
            name,
        ))));
}

/// The entry of an account that was added in filedeck; the error says where any other account is
/// defined.
fn own<'a>(state: &'a State, source: &AccountSource) -> Result<&'a AccountEntry, String> {
    let entry = state
        .accounts
        .iter()
        .find(|known| known.source == *source)
        .and_then(|known| known.entry.as_ref());
    let name = visible(source.title());
    match (source, entry) {
        (_, Some(entry)) if entry.origin == Origin::Own => Ok(entry),
        (AccountSource::Environment, _) => {
            Err("This account is that of FILEDECK_TOKEN and FILEDECK_BASE_URL.".to_owned())
        }
        (AccountSource::LocalStore | AccountSource::Demo, _) => {
            Err(format!("{name} is built into filedeck."))
        }
        (AccountSource::Configured(_), _) => Err(format!(
            "{name} is defined in config.toml, which filedeck never writes: change it there."
        )),
    }
}

/// Tries an account. Its address cannot change while tasks are unfinished: they would be out of
/// sight at the new one.
pub(super) fn try_out(state: &mut State, draft: Box<Draft>) {
    let source = AccountSource::Configured(draft.name.clone());
    if moves(&state.accounts, &source, &draft.entry) && has_tasks(state, &source) {
        if let Some(Dialog::Account(dialog)) = state.dialogs.last_mut() {
            dialog.refuse_address(
                "The old address has unfinished tasks: wait for them or cancel them first."
                    .to_owned(),
            );
        }
        return;
    }
    state.effects.push(Effect::TryAccount(draft));
}

/// Returns `true` if `entry` changes the account's address.
fn moves(known: &[AccountSummary], source: &AccountSource, entry: &AccountEntry) -> bool {
    let before = known
        .iter()
        .find(|known| known.source == *source)
        .and_then(|known| known.address.as_ref());
    before.is_some_and(|before| Url::parse(entry.base_url.trim()).as_ref() != Ok(before))
}

fn has_tasks(state: &State, source: &AccountSource) -> bool {
    let others = state.background_accounts.iter();
    let mut sessions = others.map(|other| &other.session).chain([&state.session]);
    sessions.any(|session| {
        let totals = session.tasks.totals();
        session.account.source == *source && (totals.unfinished > 0 || totals.held > 0)
    })
}

/// Handles the result of a trial; does nothing if no dialog waits for it anymore.
pub(super) fn tried(state: &mut State, draft: Draft, result: Result<(), Error>) {
    let Some(at) = waiting(state, &draft) else {
        return;
    };
    match (result, state.dialogs.get_mut(at)) {
        (Ok(()), _) => keep(state, draft),
        (Err(error), Some(Dialog::Account(dialog))) => dialog.failed(&error),
        (Err(_), _) => {}
    }
}

pub(super) fn keep(state: &mut State, draft: Draft) {
    state
        .effects
        .push(Effect::ChangeAccounts(Box::new(AccountChange::Keep(draft))));
}

pub(super) fn changed(state: &mut State, change: AccountChange, result: Result<Changed, String>) {
    let Changed {
        known,
        refused,
        left,
    } = match (result, &change) {
        (Ok(changed), _) => changed,
        (Err(why), AccountChange::Keep(draft)) => {
            if let Some(at) = waiting(state, draft)
                && let Some(Dialog::Account(dialog)) = state.dialogs.get_mut(at)
            {
                dialog.not_kept(&why);
            }
            return;
        }
        (Err(why), AccountChange::Forget(name)) => {
            let text = format!("{} could not be removed: {}", visible(name), visible(&why));
            return state.say(MessageLevel::Error, text);
        }
    };
    let before = std::mem::replace(&mut state.accounts, known);
    let level = if refused.is_some() || left.is_some() {
        MessageLevel::Warn
    } else {
        MessageLevel::Info
    };
    let left = left
        .map(|why| format!(" An old token is still there: {}", visible(&why)))
        .unwrap_or_default();
    match change {
        AccountChange::Keep(draft) => {
            if let Some(at) = waiting(state, &draft) {
                state.dialogs.remove(at);
            }
            let source = AccountSource::Configured(draft.name.clone());
            let is_moved = moves(&before, &source, &draft.entry);
            let message = saved(state, &draft, refused.as_ref(), is_moved);
            state.say(level, message + &left);
            open_saved(state, source, &before);
        }
        AccountChange::Forget(name) => {
            let name = visible(&name);
            let message = match refused {
                None => format!("Removed {name}; its files stay."),
                Some(why) => {
                    let why = visible(&why.to_string()).into_owned();
                    format!("Removed {name}, but its token is still in the system keyring: {why}.")
                }
            };
            state.say(level, message + &left);
        }
    }
}

fn saved(state: &State, draft: &Draft, refused: Option<&KeyringError>, is_moved: bool) -> String {
    let source = AccountSource::Configured(draft.name.clone());
    let name = visible(source.title());
    let entry = state
        .accounts
        .iter()
        .find(|known| known.source == source)
        .and_then(|known| known.entry.as_ref());
    let place = entry
        .filter(|_| draft.token.is_some())
        .map(|entry| &entry.token);
    let token = place
        .map(|place| token_in(place, draft, refused))
        .unwrap_or_default();
    let old = if is_moved {
        " Its earlier tasks, bookmarks, views and receipts belong to the old address."
    } else {
        ""
    };
    format!("Saved {name}.{token}{old}")
}

/// Goes to a new account, or reopens the current one. A session of any other changed account is
/// closed, since it still has the old settings.
fn open_saved(state: &mut State, source: AccountSource, before: &[AccountSummary]) {
    if source == state.session.account.source {
        switch::anew(state);
    } else if before.iter().any(|known| known.source == source) {
        switch::forget(state, &source);
    } else {
        switch::to(state, source, View::Files);
        switch::keep_message(state);
    }
}

fn token_in(place: &TokenLocation, draft: &Draft, refused: Option<&KeyringError>) -> String {
    let is_instead = draft.entry.token.is_keyring() && !place.is_keyring();
    match (place, refused) {
        (_, Some(why)) if is_instead => {
            let why = visible(&why.to_string()).into_owned();
            format!(" Its token is in a file that only you can read, not in the keyring: {why}.")
        }
        (TokenLocation::File(file), refused) => {
            let left = refused.map(left_in_keyring).unwrap_or_default();
            format!(
                " Its token is in {}, which only you can read.{left}",
                visible(&file.to_string_lossy())
            )
        }
        (TokenLocation::Keyring(_), refused) => {
            format!(
                " Its token is in the system keyring.{}",
                refused.map(left_in_keyring).unwrap_or_default()
            )
        }
    }
}

fn left_in_keyring(why: &KeyringError) -> String {
    format!(
        " Its old token is still in the system keyring: {}.",
        visible(&why.to_string())
    )
}

fn waiting(state: &State, draft: &Draft) -> Option<usize> {
    state
        .dialogs
        .iter()
        .position(|dialog| matches!(dialog, Dialog::Account(dialog) if dialog.awaits(draft)))
}
