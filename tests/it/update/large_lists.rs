//! Folders of any length: when which parts are read, and that a response changes only its own rows.

use filedeck::api::{Error, Kind};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::{Entry, Target};
use filedeck::engine::{OpId, Outcome, Request};
use filedeck::tui::message::Msg;
use filedeck::tui::state::ListStage;
use rstest::rstest;

use super::world::{World, after, file, file_target, many};
use filedeck::engine::Answer;
use filedeck::engine::question::{Located, Refresh, Refreshed};

pub(super) fn is_page(request: &Request) -> bool {
    matches!(request, Request::List(_))
}

pub(super) fn is_list_all(request: &Request) -> bool {
    matches!(request, Request::ListAll(_))
}

fn is_look(request: &Request) -> bool {
    matches!(request, Request::Refresh(_))
}

/// The first hundred of more files, `f0` to `f99`.
pub(super) fn partial() -> World {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world
}

pub(super) fn whole(count: usize) -> World {
    let mut world = partial();
    world.keys("G");
    world.list_all("/", many(0..count));
    world
}

pub(super) fn row(at: usize, path: &str) -> Entry {
    Entry::File(file(&format!("f{at}"), path, "PRIVATE", None))
}

pub(super) fn row_of(id: &str, path: &str) -> filedeck::api::model::File {
    file(id, path, "PRIVATE", None)
}

pub(super) fn looked_at(world: &World) -> (OpId, Vec<Target>, Option<Target>) {
    match world.asked_for(is_look) {
        Some((
            op,
            Request::Refresh(Refresh {
                targets, newest, ..
            }),
        )) => (op, targets, newest),
        other => panic!("{other:?}"),
    }
}

#[rstest]
#[case::all("ctrl-a", 250)]
#[case::inverted("space *", 249)]
fn marks_of_a_folder_that_is_not_read_to_its_end_wait_for_it(
    #[case] keys: &str,
    #[case] count: usize,
) {
    let mut world = partial();
    world.keys(keys);
    assert!(
        world.says("Reading the whole folder before marking"),
        "{:?}",
        world.said()
    );
    let op = world.asked(is_list_all);
    world.part(op, many(100..250));
    assert!(
        world.state.files.listing.marks.len() <= 1,
        "a part of it is not all of it"
    );
    // Another key that needs the same read keeps the marks.
    world.keys("G");
    world.part(op, many(0..100));
    world.done(op, Answer::ListAll(()));
    assert_eq!(world.state.files.listing.marks.len(), count);
    assert_eq!(world.state.files.listing.marks.bytes(), 1024 * count as u64);
}

#[test]
fn esc_stops_the_read_of_a_whole_folder_and_what_it_has_brought_stays() {
    let mut world = partial();
    world.keys("ctrl-a");
    let op = world.asked(is_list_all);
    world.part(op, many(200..300));
    world.keys("esc");
    assert!(world.cancelled.contains(&op));
    assert_eq!(
        (world.rows().len(), world.state.files.listing.marks.len()),
        (200, 0)
    );
    assert_eq!(world.state.files.listing.stage, ListStage::Partial);
    world.part(op, many(100..200));
    world.done(op, Answer::ListAll(()));
    assert_eq!(
        world.state.files.listing.stage,
        ListStage::Partial,
        "an answer that nobody waits for is dropped"
    );
    // The rows have gaps: no page continues from them.
    for _ in 0..3 {
        assert_eq!(world.keys("ctrl-f ctrl-f ctrl-f"), []);
    }
}

#[test]
fn a_rename_of_the_last_row_of_a_long_folder_looks_at_the_rows_around_it() {
    let mut world = whole(5_000);
    world.keys("r ctrl-u z enter");
    let taken = world.take(JobKind::Rename);
    let effects = world.end_well(
        &taken,
        vec![Outcome::FileUpdated(Box::new(row_of("f4999", "/z.txt")))],
    );
    assert_eq!(effects.len(), 1, "{effects:?}");
    let (_, targets, newest) = looked_at(&world);
    assert!((50..=100).contains(&targets.len()), "{}", targets.len());
    assert!(targets.contains(&file_target("f4999")));
    assert_eq!(newest, Some(file_target("f4999")));
    assert_eq!((world.here(), world.rows().len()), ("z.txt", 5_000));
}

#[test]
fn a_look_changes_the_rows_that_it_is_about_and_no_others() {
    let mut world = whole(500);
    world.keys("g g ctrl-f");
    let here = world.here().to_owned();
    world.keys("space");
    world
        .state
        .files
        .listing
        .move_to(world.state.files.listing.list.cursor().at() - 1);
    world.state.files.listing.upsert(row(20, "/many/0020.txt"));
    world.keys("d right enter");
    let taken = world.take(JobKind::Delete);
    let gone = world.state.files.listing.current().unwrap().target.clone();
    world.end_well(
        &taken,
        vec![Outcome::Deleted {
            target: gone,
            deletion: None,
        }],
    );
    assert_ne!(world.here(), here);
    let here = world.here().to_owned();
    let (op, ..) = looked_at(&world);
    let found = vec![row(3, "/many/0400b.txt"), row(900, "/many/0001b.txt")];
    world.done(
        op,
        Answer::Refresh(Refreshed {
            found,
            gone: vec![file_target("f1")],
        }),
    );
    assert_eq!(world.here(), here, "the cursor stays on its row");
    assert_eq!(
        world.rows()[..4],
        ["0000.txt", "0001b.txt", "0002.txt", "0004.txt"]
    );
    let at = world
        .rows()
        .iter()
        .position(|name| *name == "0400b.txt")
        .unwrap();
    assert_eq!(world.rows()[at - 1], "0400.txt");
    assert_eq!(world.rows().len(), 499);
    assert!(world.state.files.listing.is_whole());
}

#[test]
fn a_change_while_a_folder_is_read_is_not_undone_by_what_was_read_before_it() {
    let mut world = partial();
    world.keys("G");
    let op = world.asked(is_list_all);
    world.part(op, many(0..50));
    world.state.files.listing.upsert(row(60, "/many/new.txt"));
    world
        .state
        .files
        .listing
        .remove(&[file_target("f61")].into());
    world
        .state
        .files
        .listing
        .upsert(row(500, "/many/uploaded.txt"));
    world.part(op, many(50..200));
    world.done(op, Answer::ListAll(()));
    assert_eq!(world.rows().len(), 200);
    for (name, is_there) in [
        ("new.txt", true),
        ("0060.txt", false),
        ("0061.txt", false),
        ("uploaded.txt", true),
    ] {
        assert_eq!(world.rows().contains(&name), is_there, "{name}");
    }
}

#[test]
fn the_row_to_go_to_is_looked_for_where_the_first_page_lacks_it() {
    let mut world = World::new();
    world.keys("g p");
    world.text("b.txt");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(_)));
    let entry = |parent| Entry::File(file("77", "/marketing/b.txt", "PRIVATE", Some(parent)));
    world.done(op, Answer::Locate(Located::Entry(entry("m"))));
    world.list("/marketing", many(0..100), Some(after(100)));
    let (op, targets, newest) = looked_at(&world);
    assert_eq!((targets, newest), (vec![file_target("77")], None));
    world.done(
        op,
        Answer::Refresh(Refreshed {
            found: vec![entry("m")],
            gone: Vec::new(),
        }),
    );
    assert_eq!(world.here(), "b.txt");
    world.list("/marketing", many(100..200), Some(after(200)));
    assert_eq!(
        world.rows()[98..102],
        ["0098.txt", "0099.txt", "0100.txt", "0101.txt"]
    );
    assert_eq!(
        (world.here(), world.rows().len()),
        ("b.txt", 201),
        "it stays behind what comes before it"
    );
}

#[test]
fn a_row_that_the_service_tells_nothing_of_is_not_looked_for_again_and_again() {
    let mut world = World::new();
    world.keys("g p");
    world.text("b.txt");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(_)));
    world.done(
        op,
        Answer::Locate(Located::Entry(Entry::File(file(
            "77",
            "/marketing/b.txt",
            "PRIVATE",
            Some("m"),
        )))),
    );
    world.list("/marketing", many(0..100), Some(after(100)));
    let (op, ..) = looked_at(&world);
    assert_eq!(
        world.done(
            op,
            Answer::Refresh(Refreshed {
                found: Vec::new(),
                gone: Vec::new()
            })
        ),
        []
    );
}

#[test]
fn a_refresh_leaves_the_read_of_the_whole_folder_to_its_end_and_looks_again_then() {
    let mut world = partial();
    world.keys("ctrl-a");
    let op = world.asked(is_list_all);
    world.keys("f5");
    world.part(op, many(0..250));
    world.done(op, Answer::ListAll(()));
    assert_eq!(world.state.files.listing.marks.len(), 250);
    assert_eq!(world.count(is_look), 1);
}

#[test]
fn a_file_that_has_changed_twice_is_listed_once() {
    let mut world = whole(300);
    let twice = vec![row(7, "/many/spring.txt"), row(7, "/many/summer.txt")];
    world
        .state
        .files
        .listing
        .change(twice, &std::collections::BTreeSet::new());
    assert_eq!((world.rows()[299], world.rows().len()), ("summer.txt", 300));
}

#[test]
fn a_read_of_the_whole_folder_that_fails_says_so_and_a_whole_folder_stays_whole() {
    let error = || Error::new(Kind::Network, "connection refused");
    let mut world = partial();
    world.keys("G");
    let op = world.asked(is_list_all);
    world.part(op, many(100..150));
    world.fail(op, error());
    assert_eq!(world.rows().len(), 150);
    assert!(
        world.state.files.listing.problem().is_some() && world.says("connection refused"),
        "{:?}",
        world.said()
    );
    let mut world = whole(200);
    world.keys("f5");
    let op = world.asked(is_list_all);
    world.fail(op, error());
    assert!(
        world.state.files.listing.is_whole() && world.says("connection refused"),
        "{:?}",
        world.said()
    );
}

#[test]
fn details_are_asked_for_where_the_cursor_rests_and_only_the_row_is_known() {
    let is_details = |request: &Request| matches!(request, Request::GetFile(_));
    let mut world = whole(1_000);
    let press = |world: &mut World| world.send(Msg::Key("k".parse().unwrap()));
    for _ in 0..20 {
        press(&mut world);
        world.wait(100);
    }
    assert_eq!(world.count(is_details), 0, "it only passes");
    world.wait(200);
    let op = world.asked(is_details);
    world.done(op, Answer::GetFile(row_of("f979", "/many/0979.txt")));
    world.wait(10_000);
    assert_eq!(world.count(is_details), 0, "they are known now");
    press(&mut world);
    world.wait(300);
    let op = world.asked(is_details);
    world.fail(op, Error::new(Kind::Network, "connection refused"));
    world.wait(10_000);
    assert_eq!(world.count(is_details), 0, "it does not hammer");
}

#[test]
fn no_details_are_asked_for_of_a_file_that_is_being_deleted() {
    let is_details = |request: &Request| matches!(request, Request::GetFile(_));
    let mut world = whole(1_000);
    world.keys("ctrl-a d right enter");
    let taken = world.take(JobKind::Delete);
    let before = world.count(is_details);
    world.settle_from(
        &taken,
        999,
        vec![Ok(Outcome::Deleted {
            target: file_target("f999"),
            deletion: None,
        })],
    );
    world.wait(10_000);
    assert_eq!(world.here(), "0998.txt");
    assert_eq!(
        world.count(is_details),
        before,
        "its answer would be that there is no such file"
    );
    world.end(&taken, vec![]);
    world.wait(10_000);
    assert_eq!(world.count(is_details), before + 1, "it was given back");
}
