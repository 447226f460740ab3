//! The tasks view, and what an earlier run left behind.

use filedeck::api::ids::{FolderId, TaskId};
use filedeck::api::{Error, Kind};
use filedeck::engine::message::UnfinishedTask;
use filedeck::engine::{Event, Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::{Effect, Msg};
use filedeck::tui::state::Status;

use super::world::World;

fn uploading() -> World {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/a.txt".to_owned()));
    world.keys("enter");
    world
}

fn is_upload(request: &Request) -> bool {
    matches!(request, Request::Upload { .. })
}

#[test]
fn a_running_task_is_cancelled_and_can_be_started_again() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    assert_eq!(world.keys("w x"), [Effect::Cancel(op)]);
    world.send(Msg::Engine(Event::Cancelled { op }));
    assert_eq!(world.state.ops.task(op).unwrap().status, Status::Cancelled);
    let effects = world.keys("r");
    assert!(matches!(effects.as_slice(), [Effect::Submit(again, Request::Upload { .. })] if *again != op));
}

#[test]
fn cancelling_an_import_says_that_the_service_goes_on() {
    let mut world = World::new();
    world.send(Msg::Paste("https://cdn.example.com/logo.svg".to_owned()));
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Import { .. }));
    world.keys("w x");
    world.send(Msg::Engine(Event::Cancelled { op }));
    assert!(world.says("the service goes on"), "{:?}", world.said());
}

#[test]
fn a_failed_task_shows_its_error_and_is_cleared() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    let error = Error { correlation_id: Some("abc-1".to_owned()), ..Error::new(Kind::Server, "no room") };
    world.fail(op, error);
    world.keys("w enter");
    let Dialog::Notice(notice) = world.dialog() else { panic!() };
    assert!(notice.lines.iter().any(|line| line.contains("abc-1")), "{:?}", notice.lines);
    world.keys("esc c");
    assert!(world.state.ops.tasks.is_empty());
}

#[test]
fn open_details_follow_their_task() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    world.keys("w enter");
    let lines = |world: &World| {
        let Dialog::Notice(notice) = world.dialog() else { panic!() };
        notice.lines.join("\n")
    };
    assert!(lines(&world).contains("queued"), "{}", lines(&world));
    world.progress(op, filedeck::engine::Progress::Bytes { done: 5, total: Some(10) });
    assert!(lines(&world).contains("5 of 10"), "{}", lines(&world));
}

#[test]
fn an_answer_after_the_end_of_a_task_is_dropped() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    world.send(Msg::Engine(Event::Cancelled { op }));
    let rows = world.rows().len();
    world.done(op, Outcome::Uploaded(super::world::file("10", "/a2.txt", "PRIVATE", None)));
    assert_eq!(world.rows().len(), rows);
}

#[test]
fn a_request_that_the_engine_has_no_room_for_fails_visibly() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    world.send(Msg::Refused(op));
    assert!(matches!(world.state.ops.task(op).unwrap().status, Status::Failed(_)));
    assert!(world.says("nothing was sent"), "{:?}", world.said());
}

#[test]
fn what_an_earlier_run_left_is_watched_again() {
    let mut world = World::new();
    let op = world.asked(|request| matches!(request, Request::Unfinished));
    world.done(
        op,
        Outcome::Unfinished(vec![
            UnfinishedTask::Import {
                task: TaskId::new("i1"),
                url: "https://cdn.example.com/a.png".to_owned(),
                folder: "/".to_owned(),
            },
            UnfinishedTask::FolderUpdate {
                task: TaskId::new("t1"),
                folder: FolderId::new("m"),
                from: "/marketing".to_owned(),
                to: "/new".to_owned(),
            },
            UnfinishedTask::Transfer { what: "upload of b.txt".to_owned() },
        ]),
    );
    world.asked(|request| matches!(request, Request::WatchImport { .. }));
    world.asked(|request| matches!(request, Request::WatchFolderUpdate { .. }));
    assert_eq!(world.tree(), [">/", " ~marketing", " sales"]);
    assert!(world.says("upload of b.txt"), "{:?}", world.said());
}
