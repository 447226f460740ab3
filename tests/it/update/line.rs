//! The connection to the service: when it is lost, when it is back, and what is requested again
//! then.

use filedeck::api::Position;
use filedeck::api::{Error, Kind};
use filedeck::engine::Request;
use filedeck::engine::limits::Report;
use filedeck::engine::message::{Cursor, Stage};

use super::world::{World, root_entries};
use crate::support::changed::changed;
use filedeck::engine::Answer;
use filedeck::engine::question::{ListDeletions, ReadLimits};

fn no_line() -> Error {
    Error::new(Kind::Unreachable, "connection refused")
}

fn is_preview(request: &Request) -> bool {
    matches!(request, Request::GetPreview(_))
}

fn is_folders(request: &Request) -> bool {
    matches!(request, Request::ListFolders(_))
}

/// A world where the open folder could not be read again, and no other requests are open.
fn offline() -> World {
    let mut world = World::new();
    world.answer_limits();
    world.keys("ctrl-r");
    for request in [world.listing_of("/"), world.asked(is_folders)] {
        world.fail(request, no_line());
    }
    assert!(world.shows("offline"), "{}", world.drawn());
    world
}

#[test]
fn what_this_machine_answers_alone_does_not_bring_the_line_back() {
    let mut world = offline();
    let deletions = |request: &Request| matches!(request, Request::ListDeletions(ListDeletions));
    world.keys("g d");
    let op = world.asked(deletions);
    world.done(op, Answer::ListDeletions(Vec::new()));
    assert!(world.shows("offline"), "{}", world.drawn());
    world.keys("g d");
    let op = world.asked(deletions);
    world.fail(op, Error::new(Kind::Local, "The journal cannot be used"));
    assert!(world.shows("offline"), "{}", world.drawn());
    world.wait(3_000);
    world.list("/", root_entries(), None);
    assert!(!world.shows("offline"), "{}", world.drawn());
}

#[test]
fn whatever_answers_first_the_open_folder_is_read_again() {
    let mut world = offline();
    let lists = |world: &World| world.count(|request| matches!(request, Request::List(_)));
    world.keys("3 ctrl-r");
    assert_eq!(lists(&world), 0);
    let op = world
        .asked(|request| *request == Request::ReadLimits(ReadLimits(Report::CustomObjectTypes)));
    world.done(op, Answer::ReadLimits(Vec::new()));
    assert!(!world.shows("offline"), "{}", world.drawn());
    assert_eq!(lists(&world), 1, "nothing else would ask for it");
    // The failure was still shown as news; now it is not.
    assert!(
        world.shows("The service is reachable again."),
        "{}",
        world.drawn()
    );
}

#[test]
fn who_refuses_is_there() {
    let mut world = offline();
    world.wait(3_000);
    let op = world.listing_of("/");
    world.fail(
        op,
        changed(
            Error::new(Kind::Forbidden, "The scope is missing"),
            |error| error.status = Some(403),
        ),
    );
    assert!(!world.shows("offline"), "{}", world.drawn());
    assert!(world.shows("The scope is missing"), "{}", world.drawn());
}

#[test]
fn with_the_line_a_look_that_failed_is_taken_again() {
    let mut world = World::new();
    world.answer_limits();
    world.state.panes.preview = true;
    world.keys("j j");
    world.wait(1_000);
    world.keys("ctrl-r");
    for request in [world.listing_of("/"), world.asked(is_folders)] {
        world.fail(request, no_line());
    }
    world.wait(1_000);
    let op = world.asked(is_preview);
    world.fail(op, no_line());
    world.wait(3_000);
    world.list("/", root_entries(), None);
    world.wait(300);
    let again = world.asked(is_preview);
    assert!(again.number > op.number);
    // Bytes come from a host of their own. Seen to repeat both requests without end when only that
    // host is unreachable.
    world.fail(again, no_line());
    assert!(!world.shows("offline"), "{}", world.drawn());
    let before = world.count(is_preview);
    world.wait(4_000);
    assert_eq!(
        world.count(|request| matches!(request, Request::List(_))),
        0
    );
    assert_eq!(world.count(is_preview), before);
}

#[test]
fn with_the_line_folders_of_the_tree_that_failed_come_with_the_list_or_are_asked_for_again() {
    for (more, asked) in [
        (None, 0),
        (
            Some(Cursor {
                stage: Stage::Folders,
                position: Position {
                    offset: 100,
                    from_id: None,
                },
            }),
            1,
        ),
    ] {
        let mut world = offline();
        assert!(world.shows("not read"), "{}", world.drawn());
        world.wait(3_000);
        assert_eq!(world.count(is_folders), 0);
        world.list("/", root_entries(), more);
        assert_eq!(world.count(is_folders), asked);
    }
}
