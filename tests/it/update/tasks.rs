//! The tasks view, and what an earlier run left behind.

use std::time::Duration;

use filedeck::api::ids::{FolderId, TaskId};
use filedeck::api::model::TaskStatus;
use filedeck::api::{Error, Kind};
use filedeck::engine::message::Unfinished;
use filedeck::engine::{Event, Job, Outcome, Progress, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::{Effect, Msg};
use filedeck::tui::state::Status;

use super::world::{World, uploaded};

fn uploading() -> World {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/a.txt".to_owned()));
    world.keys("enter");
    world
}

fn is_upload(request: &Request) -> bool {
    matches!(request, Request::Job(Job::Upload { .. }))
}

#[test]
fn a_running_task_is_cancelled_and_can_be_started_again() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    assert_eq!(world.keys("w x"), [Effect::Cancel(op)]);
    world.send(Msg::Engine(Event::Cancelled { op }));
    assert_eq!(world.state.desk.ops.task(op).unwrap().status, Status::Cancelled);
    let effects = world.keys("r");
    assert!(matches!(effects.as_slice(), [Effect::Submit(again, Request::Job(Job::Upload { .. }))] if *again != op));
}

#[test]
fn cancelling_an_import_says_that_the_service_goes_on() {
    let mut world = World::new();
    world.send(Msg::Paste("https://cdn.example.com/logo.svg".to_owned()));
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Job(Job::Import { .. })));
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
    assert!(world.state.desk.ops.tasks.is_empty());
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
    world.progress(op, Progress::Bytes { done: 5, total: Some(10) });
    assert!(lines(&world).contains("5 of 10"), "{}", lines(&world));
}

#[test]
fn an_answer_after_the_end_of_a_task_is_dropped() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    world.send(Msg::Engine(Event::Cancelled { op }));
    let rows = world.rows().len();
    world.done(op, uploaded(super::world::file("10", "/a2.txt", "PRIVATE", None)));
    assert_eq!(world.rows().len(), rows);
}

#[test]
fn a_request_that_the_engine_has_no_room_for_fails_visibly() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    world.send(Msg::Refused(op));
    assert!(matches!(world.state.desk.ops.task(op).unwrap().status, Status::Failed(_)));
    assert!(world.says("nothing was sent"), "{:?}", world.said());
}

#[test]
fn what_an_earlier_run_left_is_watched_again() {
    let mut world = World::new();
    let op = world.asked(|request| matches!(request, Request::Unfinished));
    world.done(
        op,
        Outcome::Unfinished(vec![
            Unfinished::Job(Job::WatchImport {
                task: TaskId::new("i1"),
                url: "https://cdn.example.com/a.png".to_owned(),
                folder: "/".to_owned(),
            }),
            Unfinished::Job(Job::WatchFolderUpdate {
                task: TaskId::new("t1"),
                folder: FolderId::new("m"),
                from: "/marketing".to_owned(),
                to: "/new".to_owned(),
            }),
            Unfinished::CutShort { what: "upload of b.txt".to_owned(), folder: None },
        ]),
    );
    world.asked(|request| matches!(request, Request::Job(Job::WatchImport { .. })));
    world.asked(|request| matches!(request, Request::Job(Job::WatchFolderUpdate { .. })));
    assert_eq!(world.tree(), [">/", " ~marketing", " sales"]);
    assert!(world.says("upload of b.txt"), "{:?}", world.said());
}

const IMPORTED: &str = "https://cdn.example.com/logo.svg";

fn importing() -> (World, filedeck::engine::OpId) {
    let mut world = World::new();
    world.send(Msg::Paste(IMPORTED.to_owned()));
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Job(Job::Import { .. })));
    (world, op)
}

#[test]
fn an_import_that_was_accepted_is_watched_again_and_not_made_twice() {
    let (mut world, op) = importing();
    world.progress(op, Progress::Accepted { task: TaskId::new("i1") });
    world.keys("w x");
    world.send(Msg::Engine(Event::Cancelled { op }));
    let effects = world.keys("r");
    let [Effect::Submit(op, Request::Job(Job::WatchImport { task, .. }))] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(task, &TaskId::new("i1"));
    // Lost from sight, it may still end well; ended badly, it is asked for anew.
    let op = *op;
    world.fail(op, Error::new(Kind::TaskFailed, "The url answered 404"));
    assert_eq!(world.keys("r"), []);
    assert!(world.says("ask for it anew"), "{:?}", world.said());
}

#[test]
fn an_import_that_the_service_gave_up_is_asked_for_again() {
    let (mut world, op) = importing();
    world.progress(op, Progress::Accepted { task: TaskId::new("i1") });
    world.fail(op, Error::new(Kind::TaskFailed, "The url answered 404"));
    let effects = world.keys("w r");
    assert!(matches!(effects.as_slice(), [Effect::Submit(_, Request::Job(Job::Import { .. }))]), "{effects:?}");
}

#[test]
fn a_folder_move_that_was_lost_from_sight_is_followed_again() {
    let mut world = World::new();
    world.keys("r ctrl-u");
    world.text("campaigns");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Job(Job::UpdateFolder { .. })));
    world.progress(op, Progress::Accepted { task: TaskId::new("t1") });
    world.fail(op, Error::new(Kind::Timeout, "no answer"));
    let effects = world.keys("w r");
    assert!(
        matches!(effects.as_slice(), [Effect::Submit(_, Request::Job(Job::WatchFolderUpdate { .. }))]),
        "{effects:?}"
    );
}

#[test]
fn a_task_of_an_earlier_run_shows_what_its_polls_answer() {
    let mut world = World::new();
    let op = world.asked(|request| matches!(request, Request::Unfinished));
    let (task, url) = (TaskId::new("i1"), IMPORTED.to_owned());
    world.done(op, Outcome::Unfinished(vec![Unfinished::Job(Job::WatchImport { task, url, folder: "/".to_owned() })]));
    let op = world.asked(|request| matches!(request, Request::Job(Job::WatchImport { .. })));
    world.progress(op, Progress::Task { status: TaskStatus::Processing, next_poll: Duration::from_secs(2) });
    let remote = world.state.desk.ops.task(op).unwrap().remote.clone().unwrap();
    assert_eq!(remote.status, Some(TaskStatus::Processing));
}

#[test]
fn a_failed_download_is_tried_again_on_a_read_only_account() {
    let mut world = World::new();
    world.state.desk.account.read_only = true;
    world.keys("G s");
    let op = world.asked(|request| matches!(request, Request::Job(Job::Download { .. })));
    world.fail(op, Error::new(Kind::Network, "cut"));
    let effects = world.keys("w r");
    assert!(matches!(effects.as_slice(), [Effect::Submit(_, Request::Job(Job::Download { .. }))]), "{effects:?}");
}

#[test]
fn the_tasks_view_opens_on_what_wants_a_look() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/a.txt\n/tmp/b.txt\n/tmp/c.txt".to_owned()));
    world.keys("enter");
    let ops: Vec<_> = world.state.desk.ops.tasks.iter().map(|task| task.op).collect();
    world.done(ops[0], uploaded(super::world::file("10", "/a.txt", "PRIVATE", None)));
    world.fail(ops[1], Error::new(Kind::Local, "unreadable"));
    world.done(ops[2], uploaded(super::world::file("12", "/c.txt", "PRIVATE", None)));
    world.keys("w");
    assert_eq!(world.state.desk.ops.selected().unwrap().op, ops[1]);
}

#[test]
fn clearing_keeps_what_failed_until_it_is_pressed_again() {
    let mut world = World::new();
    world.send(Msg::Paste("/tmp/a.txt\n/tmp/b.txt".to_owned()));
    world.keys("enter");
    let ops: Vec<_> = world.state.desk.ops.tasks.iter().map(|task| task.op).collect();
    world.done(ops[0], uploaded(super::world::file("10", "/a.txt", "PRIVATE", None)));
    world.fail(ops[1], Error::new(Kind::Local, "unreadable"));
    world.keys("w c");
    assert_eq!(world.state.desk.ops.tasks.iter().map(|task| task.op).collect::<Vec<_>>(), [ops[1]]);
    assert!(world.says("1 FAILED kept"), "{:?}", world.said());
    world.keys("c");
    assert!(world.state.desk.ops.tasks.is_empty());
}

#[test]
fn an_upload_that_was_stored_under_another_name_says_so() {
    let mut world = uploading();
    let op = world.asked(is_upload);
    world.done(op, uploaded(super::world::file("10", "/a-1.txt", "PRIVATE", None)));
    assert!(world.says("/a-1.txt. It was sent as a.txt"), "{:?}", world.said());
}
