//! The list of the limits of all accounts.

use filedeck::config::AccountSource;
use filedeck::engine::{Request, SessionId};
use filedeck::tui::message::Msg;
use filedeck::tui::state::View;
use filedeck::tui::state::effect::Effect;

use super::accounts::upload;
use super::world::{World, acme};
use crate::support::limits::{reading, unread};

fn beta() -> AccountSource {
    AccountSource::Configured("beta".to_owned())
}

/// The list with acme, which is open, and beta; and the effects of the key that opened it.
fn open() -> (World, Vec<Effect>) {
    let mut world = World::new();
    world.answer_limits();
    let mut summary = world.state.accounts[0].clone();
    summary.source = beta();
    world.state.accounts.insert(1, summary);
    let effects = world.keys("3 a");
    (world, effects)
}

fn line(world: &World, account: &str) -> String {
    let drawn = world.drawn();
    let is_row = |line: &&str| line.contains(&format!("{account}  "));
    drawn.lines().rfind(is_row).unwrap().to_owned()
}

#[test]
fn each_configured_account_has_a_row_as_soon_as_it_is_read() {
    let (mut world, effects) = open();
    let names = vec!["acme".to_owned(), "beta".to_owned()];
    assert_eq!(effects, [Effect::ReadAccounts(names)]);
    assert!(line(&world, "acme").contains("reading"));
    let now = world.state.now;
    world.send(Msg::AccountRead(Box::new(unread(
        "beta",
        now,
        "not with this token",
    ))));
    assert!(line(&world, "beta").contains("not with this token"));
    assert!(line(&world, "acme").contains("reading"));
    world.send(Msg::AccountRead(Box::new(reading("acme", now))));
    let acme = line(&world, "acme");
    for cell in ["Custom properties · Subscriptions", "100%", "full", "08:00"] {
        assert!(acme.contains(cell), "{acme}");
    }
    assert!(world.shows("1,000 of 1,000 used"), "{}", world.drawn());
}

#[test]
fn enter_goes_to_the_limits_of_another_account() {
    let (mut world, _) = open();
    let effects = world.keys("j enter");
    let session = SessionId(2);
    assert_eq!(effects, [Effect::Connect(session, beta())]);
    world.connect(session, beta());
    assert_eq!(
        (world.state.view, &world.state.session.account.source),
        (View::Limits, &beta())
    );
    let is_asked = |request: &Request| matches!(request, Request::ReadLimits(_));
    assert!(world.asked(is_asked).session == session);
}

#[test]
fn enter_on_the_account_in_use_and_esc_go_back_to_its_limits() {
    for key in ["enter", "esc"] {
        let (mut world, _) = open();
        assert_eq!(world.keys(key), []);
        assert!(world.state.dialogs.is_empty() && world.state.view == View::Limits);
        let (drawn, now) = (world.drawn(), world.state.now);
        world.send(Msg::AccountRead(Box::new(reading("beta", now))));
        assert_eq!(world.drawn(), drawn, "what comes late is not shown");
    }
}

#[test]
fn enter_goes_back_to_the_limits_of_an_account_that_is_still_open() {
    let (mut world, _) = open();
    world.keys("esc 1");
    upload(&mut world);
    world.keys("3 a j enter");
    world.connect(SessionId(2), beta());
    let effects = world.keys("a k enter");
    let connects = |effect: &Effect| matches!(effect, Effect::Connect(..));
    assert!(!effects.iter().any(connects), "{effects:?}");
    assert_eq!(
        (world.state.view, &world.state.session.account.source),
        (View::Limits, &acme())
    );
}

#[test]
fn without_a_configured_account_the_key_says_how_to_add_one() {
    let mut world = World::new();
    world
        .state
        .accounts
        .retain(|known| known.source.is_embedded());
    assert_eq!(world.keys("3 a"), []);
    assert!(world.says("No account is configured; @ and then a adds one."));
}
