//! The dialog for an account, and the message about a token that the service rejects.

use filedeck::api::{Error, Kind};
use filedeck::config::{AccountColor, AccountEntry, AccountSource, Draft, Origin, TokenLocation};
use filedeck::tui::message::Msg;
use filedeck::tui::state::State;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::update::update;
use insta::assert_snapshot;

use super::library::{blank, browsing, now};
use super::snapshot::{draw, draw_text};
use crate::support::changed::changed;
use filedeck::engine::Request;

pub(super) fn press(state: &mut State, keys: &str) -> Vec<Effect> {
    update(state, Msg::Clock(now()));
    keys.split_whitespace()
        .flat_map(|key| update(state, Msg::Key(key.parse().unwrap())))
        .collect()
}

fn paste(state: &mut State, text: &str) {
    update(state, Msg::Paste(text.to_owned()));
}

fn entry(origin: Origin) -> AccountEntry {
    AccountEntry {
        base_url: "https://api.example.com".to_owned(),
        version: "2026-03".to_owned(),
        read_only: false,
        production: true,
        color: Some(AccountColor::Purple),
        token: TokenLocation::File("/home/ada/.config/filedeck/tokens/acme-prod.token".into()),
        kind: filedeck::config::CredentialKind::Token,
        ca_cert: None,
        origin,
    }
}

pub(super) fn with_entry(origin: Origin) -> State {
    let mut state = browsing();
    let prod = AccountSource::Configured("acme-prod".to_owned());
    state
        .accounts
        .iter_mut()
        .find(|known| known.source == prod)
        .unwrap()
        .entry = Some(entry(origin));
    state
}

/// Everything is typed, and sent to the service.
fn asking() -> (State, Draft) {
    let mut state = browsing();
    press(&mut state, "@ a");
    paste(&mut state, "acme-test");
    press(&mut state, "down down");
    paste(&mut state, "pat-na1-canary");
    let effects = press(&mut state, "enter");
    let [Effect::TryAccount(draft)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    (state, (**draft).clone())
}

#[test]
fn a_new_account_is_typed_and_tried() {
    let (state, _) = asking();
    let small = draw(&state, 80, 24);
    assert!(!small.contains("canary"), "{small}");
    assert_snapshot!("dialog_account", small);
    assert_snapshot!("dialog_account_medium", draw_text(&state, 120, 40));
    assert_snapshot!("dialog_account_tiny", draw_text(&state, 50, 12));
}

#[test]
fn a_refused_token_is_said_under_its_field() {
    let (mut state, draft) = asking();
    let error = changed(
        Error::new(Kind::Unauthorized, "The token is not known."),
        |error| error.status = Some(401),
    );
    update(&mut state, Msg::AccountTried(Box::new(draft), Err(error)));
    assert_snapshot!("dialog_account_refused", draw(&state, 80, 24));
}

#[test]
fn an_account_that_is_there_shows_all_but_its_token() {
    let mut state = with_entry(Origin::Own);
    press(&mut state, "@ e down down down down enter");
    assert_snapshot!("dialog_account_edit", draw(&state, 80, 24));
}

#[cfg(feature = "keyring")]
#[test]
fn where_a_token_is_kept_is_chosen_with_what_comes_of_it() {
    let mut state = with_entry(Origin::Own);
    press(&mut state, "@ e down right");
    assert_snapshot!("dialog_account_keyring", draw(&state, 80, 24));
    assert_snapshot!("dialog_account_keyring_tiny", draw_text(&state, 50, 12));
}

#[test]
fn removing_an_account_says_what_goes() {
    let mut state = with_entry(Origin::Own);
    state.session.account.source = AccountSource::Demo;
    press(&mut state, "@ k k k delete");
    assert_snapshot!("dialog_account_remove", draw(&state, 80, 24));
}

#[test]
fn an_account_with_a_color_has_its_name_on_it() {
    let mut state = blank();
    state.session.account.color = Some(AccountColor::Green);
    let drawn = draw(&state, 80, 24);
    state.session.account.color = None;
    assert_ne!(drawn, draw(&state, 80, 24));
}

#[test]
fn a_token_that_is_taken_no_more_says_where_a_new_one_goes() {
    let shown = |origin| {
        let mut state = with_entry(origin);
        let op = {
            let effects = press(&mut state, "ctrl-r");
            let op = effects.iter().find_map(|effect| match effect {
                Effect::Submit(op, Request::List(_)) => Some(*op),
                _ => None,
            });
            op.unwrap()
        };
        let error = changed(
            Error::new(Kind::Unauthorized, "The token is not known."),
            |error| error.status = Some(401),
        );
        let done = filedeck::engine::Event::Done {
            op,
            result: Err(error),
        };
        update(&mut state, Msg::Engine(op.session, done));
        press(&mut state, "4 G enter");
        draw_text(&state, 120, 40)
    };
    let own = shown(Origin::Own);
    assert!(own.contains("@, then e enters a new token."), "{own}");
    let config = shown(Origin::Config);
    assert!(config.contains("tokens/acme-prod.token"), "{config}");
    assert!(own.contains("The service refused the token."), "{own}");
}
