//! What the token may not do: named by its scope, remembered, and not asked again.

use filedeck::api::{Error, Kind};
use filedeck::engine::batch::Hold;
use filedeck::engine::job::Verb;
use filedeck::engine::{Outcome, Request};
use filedeck::tui::message::Msg;
use rstest::rstest;

use super::world::{World, file_target};
use crate::support::queue::{held, view};

fn is_queue(request: &Request) -> bool {
    matches!(request, Request::Queue(_))
}

/// The service's refusal, as it is told of by a call.
pub(super) fn lacking(scopes: &str) -> Error {
    Error {
        status: Some(403),
        category: Some("MISSING_SCOPES".to_owned()),
        details: vec![format!("One of these is required.; requiredGranularScopes: {scopes}")],
        ..Error::new(Kind::Forbidden, "The token lacks the scope files.delete")
    }
}

/// A file was to be deleted, and the token may not.
fn refused() -> World {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(Verb::Delete);
    world.end(&taken, vec![Err(lacking("files, files.delete, files.ui_hidden.write"))]);
    world
}

#[test]
fn the_refusal_names_the_scope_and_the_key_is_not_asked_again() {
    let mut world = refused();
    let said = world.said().join("\n");
    assert!(said.contains("The token lacks the scope files.delete"), "{said}");
    let told = &world.state.status.message().unwrap().text;
    assert!(told.contains("one of the scopes files, files.delete"), "{told}");
    let before = world.count(is_queue);
    world.wait(10_000);
    for key in ["d", "D"] {
        assert_eq!(world.keys(key), []);
        assert!(world.state.dialogs.is_empty(), "nothing that cannot be done is asked about");
        let told = &world.state.status.message().unwrap().text;
        assert!(told.contains("needs files.delete, which the token of acme lacks"), "{told}");
    }
    assert_eq!(world.count(is_queue), before);
    world.keys("a");
    assert_eq!(world.state.dialogs.len(), 1, "another scope is another matter");
}

#[rstest]
#[case::hints("", "needs files.delete")]
#[case::help("?", "needs files.delete")]
#[case::palette("ctrl-p", "needs files.delete")]
fn what_is_denied_is_greyed_with_its_scope(#[case] key: &str, #[case] words: &str) {
    let mut world = refused();
    world.keys("esc");
    world.keys(key);
    if !key.is_empty() {
        world.text("delete");
    }
    world.state.size = (200, 60);
    assert!(world.shows(words), "{}", world.drawn());
}

#[test]
fn a_task_that_waits_for_a_scope_greys_what_it_was_for() {
    let mut world = World::new();
    world.keys("j j space space space d right enter");
    let taken = world.take(Verb::Delete);
    let hold = Hold::Cause { error: lacking("files.delete"), until: None };
    world.tell(view(&[held(taken.batch(), hold)], 9));
    world.wait(10_000);
    world.keys("G d");
    assert!(world.state.dialogs.is_empty());
}

#[test]
fn a_call_that_succeeds_and_an_account_that_is_opened_anew_forget_it() {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(Verb::Delete);
    world.end(&taken, vec![Err(lacking("files.delete"))]);
    assert!(world.state.desk.denied.for_verb(Verb::Delete).is_some());
    world.end(&taken, vec![Ok(Outcome::Deleted { target: file_target("3"), deletion: None })]);
    assert_eq!(world.state.desk.denied.for_verb(Verb::Delete), None);
}

#[test]
fn what_is_pasted_is_not_offered_to_a_token_that_may_not_write() {
    let mut world = World::new();
    world.state.desk.denied.told(Verb::Upload, Some(&lacking("files.write")));
    world.send(Msg::Paste("/home/ada/a.txt".to_owned()));
    assert!(world.state.dialogs.is_empty());
    assert!(world.says("needs files.write"), "{:?}", world.said());
}
