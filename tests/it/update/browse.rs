//! Moving the cursor, and opening folders.

use filedeck::engine::Request;
use filedeck::engine::message::Entry;
use filedeck::tui::state::Pane;
use rstest::rstest;

use super::world::{World, after, file, file_target, folder, many, place};
use filedeck::engine::Answer;
use filedeck::engine::question::{ListFolders, ListPage, Locate, Located};

#[test]
fn a_start_asks_for_the_root_folder_the_tree_and_the_limits() {
    let world = World::started();
    world.listing_of("/");
    world.asked(
        |request| matches!(request, Request::ListFolders(ListFolders { place }) if place.is_root()),
    );
    assert_eq!(
        world.count(|request| matches!(request, Request::ReadLimits(_))),
        7,
        "all that are about the whole account"
    );
}

#[rstest]
#[case::down("j j", "a.txt")]
#[case::arrows("down down up", "sales")]
#[case::bottom("G", "c.pdf")]
#[case::top("G g g", "marketing")]
#[case::home_and_end("end home", "marketing")]
#[case::clamped("k k", "marketing")]
#[case::pages("ctrl-f ctrl-b", "marketing")]
#[case::half_a_page("ctrl-d", "c.pdf")]
fn keys_move_the_cursor(#[case] keys: &str, #[case] expected: &str) {
    let mut world = World::new();
    world.keys(keys);
    assert_eq!(world.here(), expected);
}

#[test]
fn half_a_page_is_half_of_what_the_layout_shows() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("ctrl-d");
    let half = world.state.files.listing.list.cursor().at();
    assert!((10..=18).contains(&half), "{half} rows on a screen of 40");
    world.keys("ctrl-f");
    assert!(world.state.files.listing.list.cursor().at() >= 3 * half - 1);
}

#[rstest]
fn a_folder_opens_and_leads_back_to_its_row(#[values("enter", "l", "right")] enter: &str) {
    let mut world = World::new();
    world.keys("j");
    world.keys(enter);
    assert_eq!(world.state.files.listing.of.title(), "/sales");
    assert_eq!(world.rows(), Vec::<&str>::new());
    world.list(
        "/sales",
        vec![Entry::File(file("9", "/sales/x.txt", "PRIVATE", Some("s")))],
        None,
    );
    assert_eq!(world.rows(), ["x.txt"]);
    world.keys("h");
    world.list("/", super::world::root_entries(), None);
    assert_eq!(world.here(), "sales");
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn the_answer_for_a_folder_that_was_left_is_dropped() {
    let mut world = World::new();
    world.keys("enter");
    let stale = world.listing_of("/marketing");
    world.keys("h");
    assert!(world.cancelled.contains(&stale));
    world.list("/", super::world::root_entries(), None);
    world.done(
        stale,
        Answer::List(ListPage {
            entries: many(0..3),
            next: None,
        }),
    );
    assert_eq!(
        world.rows(),
        ["marketing", "sales", "a.txt", "b.png", "c.pdf"]
    );
}

#[test]
fn history_leads_back_and_forth_with_the_cursor_where_it_was() {
    let mut world = World::new();
    world.keys("j enter");
    world.list("/sales", Vec::new(), None);
    world.keys("H");
    world.list("/", super::world::root_entries(), None);
    assert_eq!(world.here(), "sales");
    world.keys("L");
    assert_eq!(world.state.files.listing.of.title(), "/sales");
}

#[test]
fn the_tree_loads_branches_as_they_are_opened_and_follows_the_list() {
    let mut world = World::new();
    assert_eq!(world.tree(), [">/", " marketing", " sales"]);
    world.keys("enter");
    assert_eq!(world.tree(), ["/", " >marketing", " sales"]);
    world.keys("shift-tab enter");
    assert_eq!(world.state.focus, Pane::Tree);
    let op = world
        .asked(|request| matches!(request, Request::ListFolders(ListFolders { place }) if place.path == "/marketing"));
    world.done(op, Answer::ListFolders(vec![folder("q", "/marketing/q3")]));
    assert_eq!(world.tree(), ["/", " >marketing", "  q3", " sales"]);
    world.keys("j l");
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("q", "/marketing/q3")
    );
    world.keys("h");
    assert_eq!(
        world.tree(),
        ["/", " marketing", "  >q3", " sales"],
        "an open folder is closed first"
    );
    world.keys("h h");
    assert_eq!(world.tree(), ["/", " >marketing", " sales"]);
}

#[test]
fn going_to_a_path_finds_a_file_in_its_folder() {
    let mut world = World::new();
    world.keys("g p");
    world.text("marketing/q3/logo.png");
    world.keys("enter");
    let op = world
        .asked(|request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/marketing/q3/logo.png"));
    world.done(
        op,
        Answer::Locate(Located::Entry(Entry::File(file(
            "7",
            "/marketing/q3/logo.png",
            "PRIVATE",
            Some("q"),
        )))),
    );
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("q", "/marketing/q3")
    );
    let rows = ["/marketing/q3/a.png", "/marketing/q3/logo.png"];
    let entries = rows
        .iter()
        .zip(["6", "7"])
        .map(|(path, id)| Entry::File(file(id, path, "PRIVATE", Some("q"))));
    world.list("/marketing/q3", entries.collect(), None);
    assert_eq!(world.here(), "logo.png");
    world.keys("g r");
    assert!(world.state.files.listing.of.is_folder(None));
}

#[test]
fn a_path_that_is_not_there_changes_nothing_and_says_so() {
    let mut world = World::new();
    world.keys("g p");
    world.text("nowhere");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(_)));
    world.fail(op, super::world::not_found());
    assert!(world.state.files.listing.of.is_folder(None));
    assert!(
        world.shows("There is nothing at /nowhere."),
        "{}",
        world.drawn()
    );
    world.keys("ctrl-u");
    world.text("../marketing//q3/./x");
    world.keys("enter");
    world.asked(|request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/marketing/q3/x"));
}

#[test]
fn a_file_opens_its_details_and_reads_them_afresh() {
    let mut world = World::new();
    world.keys("j j enter");
    assert_eq!(world.state.focus, Pane::Details);
    let op = world.asked(|request| matches!(request, Request::GetFile(_)));
    world.done(
        op,
        Answer::GetFile(file("1", "/renamed.txt", "PRIVATE", None)),
    );
    assert_eq!(world.here(), "renamed.txt");
    world.keys("h");
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn a_folder_that_is_gone_gives_way_to_the_nearest_one_above() {
    let mut world = World::new();
    world.keys("enter");
    world.list(
        "/marketing",
        vec![Entry::Folder(folder("q", "/marketing/q3"))],
        None,
    );
    world.keys("enter");
    world.list("/marketing/q3", Vec::new(), None);
    let op = world.asked(
        |request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/marketing/q3"),
    );
    world.fail(op, super::world::not_found());
    let op = world.asked(
        |request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/marketing"),
    );
    world.fail(op, super::world::not_found());
    assert!(world.state.files.listing.of.is_folder(None));
    assert!(
        world.says("/marketing/q3 was deleted"),
        "{:?}",
        world.said()
    );
}

#[test]
fn an_empty_folder_that_is_there_stays_open() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", Vec::new(), None);
    let op = world.asked(
        |request| matches!(request, Request::Locate(Locate::Path(path)) if path == "/marketing"),
    );
    world.done(
        op,
        Answer::Locate(Located::Entry(Entry::Folder(folder("m", "/marketing")))),
    );
    assert_eq!(world.state.files.listing.of.title(), "/marketing");
    assert_eq!(world.said(), Vec::<&str>::new());
}

#[test]
fn a_cursor_at_work_keeps_its_target_when_rows_come_and_go_above_it() {
    let mut world = World::new();
    world.keys("G");
    world
        .state
        .files
        .listing
        .upsert(Entry::File(file("0", "/aa.txt", "PRIVATE", None)));
    assert_eq!(world.here(), "c.pdf");
    world.state.files.listing.remove(&[file_target("1")].into());
    assert_eq!(world.here(), "c.pdf");
    world.state.files.listing.remove(&[file_target("3")].into());
    assert_eq!(world.here(), "b.png", "the last row takes over");
}
