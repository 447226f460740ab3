//! Actions that the token may not perform: named by the scope, grayed out and refused until the
//! list is reloaded.

use filedeck::api::{Error, GrantedScopes, Kind};
use filedeck::config::AccountSource;
use filedeck::engine::batch::Hold;
use filedeck::engine::job::JobKind;
use filedeck::engine::{Event, Outcome, Request, SessionId};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::Msg;
use rstest::rstest;

use super::world::{World, acme, file_target};
use crate::support::changed::changed;
use crate::support::queue::{held, view};

fn is_queue(request: &Request) -> bool {
    matches!(request, Request::AddJobs(_))
}

pub(super) fn lacking(scopes: &str) -> Error {
    changed(
        Error::new(Kind::Forbidden, "The token lacks the scope files.delete"),
        |error| {
            error.status = Some(403);
            error.category = Some("MISSING_SCOPES".to_owned());
            error.details = vec![format!(
                "One of these is required.; requiredGranularScopes: {scopes}"
            )];
        },
    )
}

/// A world where the token was not allowed to delete a file.
fn refused() -> World {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(
        &taken,
        vec![Err(lacking("files, files.delete, files.ui_hidden.write"))],
    );
    world
}

#[test]
fn the_refusal_names_the_scope_and_another_scope_is_another_matter() {
    let mut world = refused();
    let said = world.said().join("\n");
    assert!(
        said.contains("The token lacks the scope files.delete"),
        "{said}"
    );
    let record = world.state.status.message().unwrap().whole();
    assert!(
        record.contains("one of the scopes files, files.delete"),
        "{record}"
    );
    world.keys("esc");
    assert!(!world.shows("needs files.write"), "{}", world.drawn());
}

#[test]
fn a_scope_that_was_given_meanwhile_is_found_by_the_key_that_needs_it() {
    let mut world = refused();
    let before = world.count(is_queue);
    world.keys("esc k d");
    assert!(world.state.dialogs.is_empty(), "refused before its dialog");
    let why =
        "Delete is refused: the token lacks the scope files.delete. Add it, then press ctrl-r.";
    assert!(world.says(why), "{:?}", world.said());
    world.keys("ctrl-r d right enter");
    assert_eq!(
        world.count(is_queue),
        before + 1,
        "the service is asked again: {:?}",
        world.said()
    );
    let taken = world.take(JobKind::Delete);
    world.end(
        &taken,
        vec![Ok(Outcome::Deleted {
            target: file_target("2"),
            deletion: None,
        })],
    );
    world.keys("esc ?");
    world.text("delete");
    world.state.size = (200, 60).into();
    assert!(!world.shows("needs"), "{}", world.drawn());
}

#[test]
fn a_key_that_is_refused_again_is_gray_again() {
    let mut world = refused();
    world.keys("esc ctrl-r D 1 enter enter");
    let taken = world.take(JobKind::Purge);
    world.end(&taken, vec![Err(lacking("files.delete"))]);
    world.keys("esc");
    world.state.size = (200, 60).into();
    assert!(world.shows("needs files.delete"), "{}", world.drawn());
}

#[test]
fn one_hidden_file_says_nothing_of_the_others() {
    let mut world = World::new();
    world.keys("G d right enter");
    let taken = world.take(JobKind::Delete);
    world.end(&taken, vec![Err(lacking("files.ui_hidden.write"))]);
    assert!(world.says("files.ui_hidden.write"), "{:?}", world.said());
    world.keys("esc ?");
    world.text("delete");
    world.state.size = (200, 60).into();
    assert!(!world.shows("needs"), "{}", world.drawn());
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
    world.state.size = (200, 60).into();
    assert!(world.shows(words), "{}", world.drawn());
}

#[test]
fn a_task_that_waits_for_a_scope_greys_what_it_was_for() {
    let mut world = World::new();
    world.keys("j j space space space d right enter");
    let taken = world.take(JobKind::Delete);
    let hold = Hold::Cause {
        error: lacking("files.delete"),
        until: None,
    };
    world.tell(view(&[held(taken.batch(), hold)]));
    world.wait(10_000);
    world.keys("esc");
    world.state.size = (200, 60).into();
    assert!(world.shows("needs files.delete"), "{}", world.drawn());
}

#[test]
fn an_account_that_is_opened_anew_greys_nothing() {
    let mut world = refused();
    world.keys("@ D enter");
    world.connect(SessionId(2), AccountSource::Demo);
    world.keys("@ A enter");
    world.connect(SessionId(3), acme());
    world.keys("esc ?");
    world.text("delete");
    world.state.size = (200, 60).into();
    assert!(!world.shows("needs"), "{}", world.drawn());
}

#[test]
fn scopes_that_the_service_lists_refuse_before_the_first_try_and_after_a_reload() {
    let mut world = World::new();
    world.send(Msg::Engine(
        SessionId::FIRST,
        Event::Granted(GrantedScopes {
            write: true,
            delete: false,
        }),
    ));
    for keys in ["G d", "ctrl-r d"] {
        world.keys(keys);
        assert!(world.state.dialogs.is_empty(), "refused before its dialog");
        assert!(
            world.says("Delete is refused: the token lacks the scope files.delete."),
            "{:?}",
            world.said()
        );
    }
    world.keys("u");
    assert_eq!(
        world.state.dialogs.len(),
        1,
        "what is granted is offered: {:?}",
        world.said()
    );
}

#[test]
fn what_is_pasted_is_offered_whatever_was_refused_before() {
    let mut world = World::new();
    world
        .state
        .session
        .denied_actions
        .record(JobKind::Upload, Some(&lacking("files.write")));
    world.send(Msg::Paste("/home/ada/a.txt".to_owned()));
    assert!(matches!(world.dialog(), Dialog::Upload(_)));
}
