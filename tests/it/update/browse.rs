//! Moving, going from folder to folder, pages, filter, marks and order.

use filedeck::engine::message::{Entry, SortKey};
use filedeck::engine::{Outcome, Request};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::message::{Effect, Msg};
use filedeck::tui::state::{Pane, Stage, View};
use rstest::rstest;

use super::world::{World, after, file, file_target, folder, many, place};

fn is_page(request: &Request) -> bool {
    matches!(request, Request::List { .. })
}

fn is_list_all(request: &Request) -> bool {
    matches!(request, Request::ListAll { .. })
}

#[test]
fn a_start_asks_for_the_root_folder_the_tree_and_the_limits() {
    let world = World::started();
    world.listing_of("/");
    world.asked(|request| matches!(request, Request::Folders { place } if place.is_root()));
    world.asked(|request| matches!(request, Request::Limits));
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
    let half = world.state.desk.listing.cursor;
    assert!((10..=18).contains(&half), "{half} rows on a screen of 40");
    world.keys("ctrl-f");
    assert!(world.state.desk.listing.cursor >= 3 * half - 1);
}

#[rstest]
fn a_folder_opens_and_leads_back_to_its_row(#[values("enter", "l", "right")] enter: &str) {
    let mut world = World::new();
    world.keys("j");
    world.keys(enter);
    assert_eq!(world.state.desk.listing.place.path, "/sales");
    assert_eq!(world.rows(), Vec::<&str>::new());
    world.list("/sales", vec![Entry::File(file("9", "/sales/x.txt", "PRIVATE", Some("s")))], None);
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
    world.done(stale, Outcome::Listed { entries: many(0..3), next: None });
    assert_eq!(world.rows(), ["marketing", "sales", "a.txt", "b.png", "c.pdf"]);
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
    assert_eq!(world.state.desk.listing.place.path, "/sales");
}

#[test]
fn pages_are_fetched_ahead_of_the_cursor_and_one_at_a_time() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    assert_eq!(world.count(is_page), 0, "the end is far");
    for _ in 0..60 {
        world.keys("j");
    }
    assert_eq!(world.count(is_page), 1);
    let (_, request) = world.asked_for(is_page).unwrap();
    let Request::List { after: from, .. } = request else { panic!() };
    assert_eq!(from, Some(after(100)));
    world.keys("ctrl-f ctrl-f");
    assert_eq!(world.count(is_page), 1, "it is on its way already");
    world.list("/", many(100..200), None);
    assert_eq!(world.rows().len(), 200);
    assert_eq!(world.here(), "0099.txt", "the cursor stays on its row");
    world.keys("G");
    assert_eq!(world.count(is_page), 0, "that was all");
}

#[test]
fn a_page_that_fails_keeps_what_is_there_and_a_refresh_tries_again() {
    let mut world = World::started();
    world.list("/", many(0..20), Some(after(20)));
    let op = world.listing_of("/");
    world.fail(op, filedeck::api::Error::new(filedeck::api::Kind::Network, "connection refused"));
    assert_eq!(world.rows().len(), 20);
    assert!(world.state.desk.listing.problem().is_some());
    assert!(world.says("connection refused"), "{:?}", world.said());
    world.keys("j");
    assert_eq!(world.count(|request| matches!(request, Request::List { .. })), 0, "it does not hammer");
    world.keys("ctrl-r");
    world.list("/", many(0..20), None);
    assert!(world.state.desk.listing.problem().is_none());
}

#[test]
fn a_refresh_of_a_long_folder_keeps_the_rows_until_they_are_known_to_be_gone() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("G");
    world.list_all("/", many(0..200));
    assert_eq!(world.here(), "0199.txt");
    world.keys("f5");
    let op = world.asked(is_list_all);
    world.part(op, many(1..101));
    assert_eq!(world.rows().len(), 200);
    assert!(world.state.desk.listing.is_whole(), "nothing is known to be missing");
    world.part(op, many(101..202));
    world.done(op, Outcome::AllListed);
    assert_eq!(world.rows().len(), 201);
    assert_eq!(world.rows().first(), Some(&"0001.txt"));
    assert_eq!(world.here(), "0199.txt");
}

#[test]
fn marks_of_rows_that_are_gone_are_dropped_by_a_refresh() {
    let mut world = World::new();
    world.keys("j j space space");
    assert_eq!(world.marked(), ["a.txt", "b.png"]);
    world.keys("ctrl-r");
    let entries = super::world::root_entries().into_iter().enumerate().filter(|(at, _)| *at != 2);
    world.list("/", entries.map(|(_, entry)| entry).collect(), None);
    assert_eq!(world.state.desk.listing.marks.len(), 1);
    assert_eq!(world.marked(), ["b.png"]);
}

#[rstest]
#[case::one("space", &["marketing"])]
#[case::twice_is_off("space k space", &[])]
#[case::all("ctrl-a", &["marketing", "sales", "a.txt", "b.png", "c.pdf"])]
#[case::inverted("space *", &["sales", "a.txt", "b.png", "c.pdf"])]
#[case::range("j v j j", &["sales", "a.txt", "b.png"])]
#[case::range_that_shrinks("j v j j k", &["sales", "a.txt"])]
#[case::range_upwards("G v k", &["b.png", "c.pdf"])]
#[case::range_on_top_of_marks("space j v j", &["marketing", "a.txt", "b.png"])]
#[case::cleared("ctrl-a esc", &[])]
fn rows_are_marked(#[case] keys: &str, #[case] expected: &[&str]) {
    let mut world = World::new();
    world.keys(keys);
    assert_eq!(world.marked(), expected);
}

#[test]
fn the_last_row_of_a_long_folder_is_one_key_away() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("G");
    let op = world.asked(is_list_all);
    world.part(op, many(100..200));
    assert_eq!(world.here(), "0199.txt", "the cursor follows");
    world.part(op, many(0..100));
    world.part(op, many(200..250));
    world.done(op, Outcome::AllListed);
    assert_eq!(world.here(), "0249.txt");
    assert_eq!(world.rows().len(), 250);
    world.keys("g g");
    assert_eq!(world.here(), "0000.txt");
}

#[test]
fn the_last_row_is_where_the_cursor_goes_once_there_are_rows() {
    let mut world = World::started();
    let first = world.listing_of("/");
    world.keys("G");
    assert!(world.cancelled.contains(&first), "all of it is read, not the first page");
    world.list_all("/", many(0..150));
    assert_eq!(world.here(), "0149.txt");
}

#[test]
fn moving_on_the_way_to_the_last_row_stops_there() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("G");
    world.keys("g g");
    world.list_all("/", many(0..200));
    assert_eq!(world.here(), "0000.txt");
}

#[test]
fn marks_outlast_a_new_order_of_which_only_a_part_is_read() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("space space o s");
    world.list("/", many(100..200), Some(after(100)));
    assert_eq!(world.rows().len(), 100);
    world.keys("d");
    assert!(matches!(world.dialog(), Dialog::Confirm(confirm) if confirm.names == ["0000.txt", "0001.txt"]));
    world.keys("esc G");
    // One of them was deleted elsewhere meanwhile.
    world.list_all("/", many(1..200));
    assert_eq!(world.marked(), ["0001.txt"]);
    assert_eq!(world.state.desk.listing.marks.bytes(), 1024);
}

#[test]
fn a_filter_narrows_while_it_is_typed_and_letters_are_no_commands() {
    let mut world = World::new();
    world.keys("/");
    world.text("d");
    assert!(world.state.dialogs.is_empty(), "d is text here");
    assert_eq!(world.rows(), ["c.pdf"]);
    world.keys("backspace p");
    assert_eq!(world.rows(), ["b.png", "c.pdf"]);
    world.keys("enter j d");
    assert!(!world.state.dialogs.is_empty(), "d is a command again");
    world.keys("esc esc");
    assert_eq!(world.rows().len(), 5);
    assert_eq!(world.here(), "c.pdf", "the cursor stays on its row");
}

#[test]
fn a_filter_looks_through_the_whole_folder() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("/");
    assert_eq!(world.count(is_list_all), 0, "nothing is looked for yet");
    world.text("0150");
    assert_eq!(world.count(is_list_all), 1);
    assert_eq!(world.rows(), Vec::<&str>::new());
    world.list_all("/", many(0..200));
    assert_eq!(world.rows(), ["0150.txt"]);
}

#[test]
fn a_filter_that_ends_ends_the_read_that_was_for_it() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("/");
    world.text("0150");
    let op = world.asked(is_list_all);
    world.keys("esc");
    assert!(world.cancelled.contains(&op));
    world.part(op, many(100..200));
    assert_eq!(world.rows().len(), 100, "its rows come too late");
    assert_eq!(world.state.desk.listing.stage, Stage::Partial);
}

#[rstest]
#[case::name("o n", SortKey::Name, false)]
#[case::size("o s", SortKey::Size, true)]
#[case::kind("o k", SortKey::Kind, false)]
#[case::created("o c", SortKey::Created, true)]
#[case::updated("o u", SortKey::Updated, true)]
#[case::reversed("O", SortKey::Name, true)]
#[case::reversed_back("O o r", SortKey::Name, false)]
fn the_service_sorts_what_is_not_whole(#[case] keys: &str, #[case] key: SortKey, #[case] descending: bool) {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys(keys);
    let (_, request) = world.asked_for(|request| matches!(request, Request::List { .. })).unwrap();
    let Request::List { sort, after: None, .. } = request else { panic!("{request:?}") };
    assert_eq!((sort.key, sort.descending), (key, descending));
}

#[test]
fn the_tree_loads_branches_as_they_are_opened_and_follows_the_list() {
    let mut world = World::new();
    assert_eq!(world.tree(), [">/", " marketing", " sales"]);
    world.keys("enter");
    assert_eq!(world.tree(), ["/", " >marketing", " sales"]);
    world.keys("shift-tab enter");
    assert_eq!(world.state.focus, Pane::Tree);
    let op = world.asked(|request| matches!(request, Request::Folders { place } if place.path == "/marketing"));
    world.done(op, Outcome::Folders(vec![folder("q", "/marketing/q3")]));
    assert_eq!(world.tree(), ["/", " >marketing", "  q3", " sales"]);
    world.keys("j l");
    assert_eq!(world.state.desk.listing.place, place("q", "/marketing/q3"));
    world.keys("h");
    assert_eq!(world.tree(), ["/", " marketing", "  >q3", " sales"], "an open folder is closed first");
    world.keys("h h");
    assert_eq!(world.tree(), ["/", " >marketing", " sales"]);
}

#[test]
fn going_to_a_path_finds_a_file_in_its_folder() {
    let mut world = World::new();
    world.keys("g p");
    world.text("marketing/q3/logo.png");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate { path } if path == "/marketing/q3/logo.png"));
    world.done(op, Outcome::Located(Entry::File(file("7", "/marketing/q3/logo.png", "PRIVATE", Some("q")))));
    assert_eq!(world.state.desk.listing.place, place("q", "/marketing/q3"));
    let rows = ["/marketing/q3/a.png", "/marketing/q3/logo.png"];
    let entries = rows.iter().zip(["6", "7"]).map(|(path, id)| Entry::File(file(id, path, "PRIVATE", Some("q"))));
    world.list("/marketing/q3", entries.collect(), None);
    assert_eq!(world.here(), "logo.png");
    world.keys("g r");
    assert!(world.state.desk.listing.place.is_root());
}

#[test]
fn a_path_that_is_not_there_changes_nothing_and_says_so() {
    let mut world = World::new();
    world.keys("g p");
    world.text("nowhere");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate { .. }));
    world.fail(op, super::world::not_found());
    assert!(world.state.desk.listing.place.is_root());
    assert!(world.says("/nowhere"), "{:?}", world.said());
}

#[test]
fn panes_views_and_zoom_follow_their_keys() {
    let mut world = World::new();
    world.keys("tab");
    assert_eq!(world.state.focus, Pane::Details);
    world.keys("tab");
    assert_eq!(world.state.focus, Pane::Tree);
    world.keys("T");
    assert_eq!(world.state.focus, Pane::List, "a hidden pane has no focus");
    world.keys("i tab");
    assert_eq!(world.state.focus, Pane::List, "there is no other pane");
    world.keys("+");
    assert!(world.state.panes.zoomed);
    for (key, view) in [("2", View::Tasks), ("3", View::Limits), ("4", View::Activity), ("1", View::Files)] {
        world.keys(key);
        assert_eq!(world.state.view, view);
    }
    world.keys("w");
    assert_eq!(world.state.view, View::Tasks);
    world.keys("w");
    assert_eq!(world.state.view, View::Files);
}

#[rstest]
#[case::tree("T", Pane::Tree)]
#[case::details("i", Pane::List)]
fn a_pane_that_is_asked_for_while_another_has_the_whole_screen_appears(#[case] key: &str, #[case] focus: Pane) {
    let mut world = World::new();
    world.keys("+");
    world.keys(key);
    assert!(!world.state.panes.zoomed);
    assert!(world.state.panes.tree_column && world.state.panes.details);
    assert_eq!(world.state.focus, focus);
}

#[rstest]
fn details_that_have_a_narrow_screen_shrink_to_the_peek(#[values("i", "tab", "esc", "h")] key: &str) {
    let mut world = World::new();
    world.send(Msg::Resize { cols: 80, rows: 24 });
    world.keys("j j enter");
    assert!(world.state.panes.zoomed);
    world.keys(key);
    assert!(!world.state.panes.zoomed && world.state.panes.details);
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn a_screen_that_gets_narrow_does_not_leave_the_focus_on_a_hidden_pane() {
    let mut world = World::new();
    world.keys("shift-tab");
    world.send(Msg::Resize { cols: 80, rows: 24 });
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn a_file_opens_its_details_and_reads_them_afresh() {
    let mut world = World::new();
    world.keys("j j enter");
    assert_eq!(world.state.focus, Pane::Details);
    let op = world.asked(|request| matches!(request, Request::Details { .. }));
    world.done(op, Outcome::Details(file("1", "/renamed.txt", "PRIVATE", None)));
    assert_eq!(world.here(), "renamed.txt");
    world.keys("h");
    assert_eq!(world.state.focus, Pane::List);
}

#[test]
fn a_folder_that_is_gone_gives_way_to_the_nearest_one_above() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", vec![Entry::Folder(folder("q", "/marketing/q3"))], None);
    world.keys("enter");
    world.list("/marketing/q3", Vec::new(), None);
    let op = world.asked(|request| matches!(request, Request::Locate { path } if path == "/marketing/q3"));
    world.fail(op, super::world::not_found());
    let op = world.asked(|request| matches!(request, Request::Locate { path } if path == "/marketing"));
    world.fail(op, super::world::not_found());
    assert!(world.state.desk.listing.place.is_root());
    assert!(world.says("/marketing/q3 is gone"), "{:?}", world.said());
}

#[test]
fn an_empty_folder_that_is_there_stays_open() {
    let mut world = World::new();
    world.keys("enter");
    world.list("/marketing", Vec::new(), None);
    let op = world.asked(|request| matches!(request, Request::Locate { path } if path == "/marketing"));
    world.done(op, Outcome::Located(Entry::Folder(folder("m", "/marketing"))));
    assert_eq!(world.state.desk.listing.place.path, "/marketing");
    assert_eq!(world.said(), Vec::<&str>::new());
}

#[test]
fn the_limits_view_loads_the_associations_of_the_chosen_type() {
    let mut world = World::new();
    let op = world.asked(|request| matches!(request, Request::Limits));
    let report = serde_json::from_value(serde_json::json!({
        "overallLimit": 100, "overallUsage": 50, "overallPercentage": 50.0,
        "byObjectType": [
            { "objectTypeId": "0-1", "pluralLabel": "Contacts", "limit": 100, "usage": 10, "percentage": 10.0 },
            { "objectTypeId": "0-2", "pluralLabel": "Companies", "limit": 100, "usage": 95, "percentage": 95.0 },
        ],
    }))
    .unwrap();
    let effects = world.done(op, Outcome::Limits(report));
    assert!(
        matches!(effects.as_slice(), [Effect::Submit(_, Request::Associations { from })] if from == "0-2"),
        "the fullest type comes first: {effects:?}"
    );
    world.keys("3 j enter");
    world.asked(|request| matches!(request, Request::Associations { from } if from == "0-1"));
    assert_eq!(world.state.desk.limits.from.as_ref().map(|from| from.label.as_str()), Some("Contacts"));
}

#[test]
fn a_cursor_at_work_keeps_its_target_when_rows_come_and_go_above_it() {
    let mut world = World::new();
    world.keys("G");
    world.state.desk.listing.upsert(Entry::File(file("0", "/aa.txt", "PRIVATE", None)));
    assert_eq!(world.here(), "c.pdf");
    world.state.desk.listing.remove(&[file_target("1")].into());
    assert_eq!(world.here(), "c.pdf");
    world.state.desk.listing.remove(&[file_target("3")].into());
    assert_eq!(world.here(), "b.png", "the last row takes over");
}
