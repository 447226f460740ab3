//! Searches over the whole account: requested, shown as a list like any other, left again.

use filedeck::api::model::File;
use filedeck::config::favorites::{FavoritesChange, TypedLine};
use filedeck::engine::job::JobKind;
use filedeck::engine::message::{Entry, SortKey};
use filedeck::engine::{Event, Job, OpId, Outcome, Progress, Request};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{Pane, View};
use rstest::rstest;

use super::world::{World, after, file, file_target, folder, place};
use crate::support::changed::changed;
use filedeck::engine::Answer;
use filedeck::engine::message::Collection;
use filedeck::engine::question::{AddJobs, List, ListAll, ListPage, Locate};

fn found() -> Vec<Entry> {
    vec![
        Entry::Folder(folder("l", "/marketing/logos")),
        Entry::File(file("7", "/marketing/logos/logo.png", "PRIVATE", Some("l"))),
        Entry::File(file("8", "/sales/logo.txt", "PRIVATE", Some("s"))),
        Entry::File(file("9", "/logo.pdf", "PUBLIC_INDEXABLE", None)),
    ]
}

fn searched() -> World {
    let mut world = World::new();
    world.keys("j j f");
    world.text("logo");
    world.keys("enter");
    world.list("logo", found(), None);
    world
}

#[test]
fn a_search_is_explained_as_it_is_typed_and_shown_as_a_list() {
    let mut world = World::new();
    world.keys("f");
    world.text("name:logo type:img size:>1M access:public updated:<7d");
    let words = "Files named logo, pictures, larger than 1 MB, public, changed in the last 7 days.";
    assert!(
        world
            .drawn()
            .replace('\n', " ")
            .contains("pictures, larger than 1 MB"),
        "{words}: {}",
        world.drawn()
    );
    world.keys("enter");
    let line = "name:logo type:img size:>1M access:public updated:<7d";
    world.list(line, found().split_off(3), None);
    assert_eq!(world.rows(), ["logo.pdf"]);
    assert!(world.shows("access:public updated:<7d ─"));
    assert!(
        world.says("cannot tell public from unlisted"),
        "{:?}",
        world.said()
    );
}

#[test]
fn what_is_no_search_stays_in_its_dialog_and_says_why() {
    let mut world = World::new();
    world.keys("f");
    world.text("type:picture");
    world.keys("enter");
    assert!(
        world.shows("type takes image, document"),
        "{}",
        world.drawn()
    );
    world.keys("ctrl-u");
    world.text("ty");
    world.keys("tab");
    world.text("im");
    world.keys("tab enter");
    world.list("type:image", found(), None);
}

#[test]
fn a_search_is_left_for_where_one_was_and_can_be_gone_back_to() {
    let mut world = searched();
    assert_eq!(world.rows(), ["logos", "logo.png", "logo.txt", "logo.pdf"]);
    world.keys("j j h");
    world.list("/", super::world::root_entries(), None);
    assert_eq!(
        (world.state.files.listing.of.title(), world.here()),
        ("/", "a.txt")
    );
    world.keys("L");
    world.list("logo", found(), None);
    assert_eq!(world.here(), "logo.txt");
}

#[test]
fn enter_goes_into_a_folder_that_was_found_and_back_leads_to_the_search() {
    let mut world = searched();
    world.keys("enter");
    assert_eq!(
        *world.state.files.listing.of.base(),
        place("l", "/marketing/logos")
    );
    world.keys("H");
    assert_eq!(world.state.files.listing.of.title(), "logo");
}

#[test]
fn esc_clears_the_filter_and_the_marks_of_a_search_and_then_leads_back_to_the_folder() {
    let mut world = searched();
    assert!(world.shows("esc  leave search"), "{}", world.drawn());
    world.keys("space / o enter esc esc");
    assert_eq!(world.state.files.listing.of.title(), "logo");
    assert!(world.shows("esc  leave search"), "{}", world.drawn());
    world.keys("esc");
    assert_eq!(world.state.files.listing.of.title(), "/");
    assert!(!world.shows("leave search"), "{}", world.drawn());
}

#[rstest]
#[case::of_a_file("j j", "/sales", "logo.txt")]
#[case::of_a_folder("k", "/marketing", "logos")]
#[case::at_the_root("G", "/", "logo.pdf")]
fn a_row_leads_to_its_own_folder(#[case] keys: &str, #[case] path: &str, #[case] name: &str) {
    let mut world = searched();
    world.keys(keys);
    world.keys("g f");
    let entry = found()
        .into_iter()
        .find(|entry| entry.target() == world.state.files.listing.seek.clone().unwrap());
    world.list(path, vec![entry.unwrap()], None);
    assert_eq!(world.here(), name);
}

#[test]
fn the_rows_own_folder_keeps_its_id() {
    let mut world = searched();
    world.keys("j j g f");
    assert_eq!(*world.state.files.listing.of.base(), place("s", "/sales"));
    world.list("/sales", found().split_off(2), None);
    world.keys("g f");
    assert!(world.says("This is the folder of the row"));
}

#[rstest]
#[case::upload("u")]
#[case::import("I")]
#[case::new_folder("a")]
fn what_needs_a_folder_is_refused_softly(#[case] key: &str) {
    let mut world = searched();
    world.keys(key);
    assert!(world.state.dialogs.is_empty());
    assert!(
        world.says("This is a search: g f opens the folder of the row."),
        "{:?}",
        world.said()
    );
}

#[test]
fn what_is_cut_in_a_search_is_moved_elsewhere() {
    let mut world = searched();
    world.keys("j x p");
    assert!(world.says("This is a search"));
    world.keys("h");
    let effects = world.keys("p");
    let moved = effects.iter().find_map(|effect| match effect {
        Effect::Submit(_, Request::AddJobs(AddJobs(jobs))) => Some(jobs.clone()),
        _ => None,
    });
    let Some([Job::Move { file, .. }]) = moved.as_deref() else {
        panic!("{effects:?}")
    };
    assert_eq!(file.path, "/marketing/logos/logo.png");
}

#[test]
fn pages_go_on_as_the_cursor_comes_near_and_an_empty_one_says_how_far_it_is() {
    let mut world = World::new();
    world.keys("F p");
    world.list("public files", Vec::new(), Some(after(100)));
    assert!(
        world.shows("Nothing yet after 100 files"),
        "{}",
        world.drawn()
    );
    world.list("public files", found().split_off(3), None);
    assert_eq!(world.rows(), ["logo.pdf"]);
}

#[test]
fn a_search_that_finds_nothing_says_what_it_was_for() {
    let mut world = World::new();
    world.keys("F v");
    world.list("private files", Vec::new(), None);
    assert!(
        world.shows("No matches for files, private."),
        "{}",
        world.drawn()
    );
}

#[rstest]
#[case::public("p", "access:public", SortKey::Name, false)]
#[case::unlisted("u", "access:unlisted", SortKey::Name, false)]
#[case::private("v", "access:private", SortKey::Name, false)]
#[case::expiring("e", "expires:<7d sort:expires", SortKey::Expires, false)]
#[case::large("l", "size:>1M sort:-size", SortKey::Size, true)]
#[case::recent("r", "is:file updated:<7d sort:-updated", SortKey::Updated, true)]
fn views_ask_the_service_in_their_own_order(
    #[case] key: &str,
    #[case] line: &str,
    #[case] sort: SortKey,
    #[case] descending: bool,
) {
    let mut world = World::new();
    world.keys("o s F");
    world.keys(key);
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::List(_)))
        .unwrap();
    let Request::List(List {
        of,
        sort: asked,
        after: None,
    }) = request
    else {
        panic!("{request:?}")
    };
    assert_eq!(of.query().unwrap().line(), line);
    assert_eq!((asked.key, asked.descending), (sort, descending));
    world.keys("h");
    assert_eq!(
        world.state.files.listing.list.sort.key,
        SortKey::Size,
        "a folder is ordered as folders were before"
    );
}

#[test]
fn duplicates_are_read_whole_told_of_and_can_be_stopped() {
    let mut world = World::new();
    world.keys("F d");
    assert!(world.says("filedeck reads all files"));
    let op = world.asked(
        |request| matches!(request, Request::ListAll(ListAll { of }) if of.title() == "duplicates"),
    );
    world.send(Msg::Engine(
        op.session,
        Event::Progress {
            op,
            progress: Progress::Looked(1_200),
        },
    ));
    assert!(
        world.shows("1,200 files checked: no duplicates"),
        "{}",
        world.drawn()
    );
    world.part(op, found().split_off(3));
    assert_eq!(world.rows(), ["logo.pdf"]);
    world.keys("esc");
    assert_eq!(world.cancelled, [op]);
    assert!(world.shows("loads the rest"), "{}", world.drawn());
    assert_eq!(world.rows(), ["logo.pdf"]);
}

fn copy(id: &str, path: &str, size: u64, md5: &str) -> Entry {
    let file = file(id, path, "PRIVATE", None);
    Entry::File(changed(file, |file| {
        file.size = Some(size);
        file.file_md5 = Some(md5.repeat(32));
    }))
}

/// Three files with the same content, and two with another.
fn duplicates() -> World {
    let mut world = World::new();
    world.keys("F d");
    let op = world.asked(|request| matches!(request, Request::ListAll(_)));
    world.part(
        op,
        vec![
            copy("1", "/a.txt", 2_000, "a"),
            copy("2", "/b.txt", 9_000, "b"),
        ],
    );
    world.part(
        op,
        vec![
            copy("3", "/c.txt", 2_000, "a"),
            copy("4", "/d.txt", 9_000, "b"),
            copy("5", "/e.txt", 2_000, "a"),
        ],
    );
    world.done(op, Answer::ListAll(()));
    world
}

#[rstest]
#[case::that_rests("", 0)]
#[case::that_was_moved("j", 3)]
fn what_comes_before_it_moves_a_cursor_along_only_if_that_was_put_there(
    #[case] keys: &str,
    #[case] at: usize,
) {
    let mut world = World::new();
    world.keys("F d");
    let op = world.asked(|request| matches!(request, Request::ListAll(_)));
    world.part(
        op,
        vec![
            copy("1", "/a.txt", 2_000, "a"),
            copy("2", "/b.txt", 2_000, "a"),
        ],
    );
    world.keys(keys);
    let there = world.state.files.listing.current().unwrap().target.clone();
    world.part(
        op,
        vec![
            copy("3", "/y.txt", 9_000, "b"),
            copy("4", "/z.txt", 9_000, "b"),
        ],
    );
    world.done(op, Answer::ListAll(()));
    let list = &world.state.files.listing;
    assert_eq!(list.list.cursor().at(), at);
    assert_eq!(list.current().unwrap().target == there, at > 0);
}

#[test]
fn a_group_of_copies_says_how_many_there_are_and_what_they_could_free() {
    let world = duplicates();
    let drawn = world.drawn();
    let line = |name: &str| {
        drawn
            .lines()
            .find(|line| line.contains(&format!(" {name} ")) && line.contains(" KB"))
            .unwrap()
            .to_owned()
    };
    assert!(
        line("b.txt").contains("2×9.0 KB") && line("b.txt").contains(" 9.0 KB │"),
        "{drawn}"
    );
    assert!(
        line("a.txt").contains("3×2.0 KB") && line("a.txt").contains(" 4.0 KB"),
        "{drawn}"
    );
    assert!(
        !line("c.txt").contains('×') && line("c.txt").contains("2.0 KB"),
        "{drawn}"
    );
}

#[test]
fn the_last_of_a_group_goes_with_its_twin() {
    let mut world = duplicates();
    assert_eq!(world.rows(), ["b.txt", "d.txt", "a.txt", "c.txt", "e.txt"]);
    world.keys("j space k d right enter");
    let taken = world.take(JobKind::Delete);
    world.end_well(
        &taken,
        vec![Outcome::Deleted {
            target: file_target("4"),
            deletion: None,
        }],
    );
    assert_eq!(
        world.rows(),
        ["a.txt", "c.txt", "e.txt"],
        "b.txt is there once now"
    );
    assert_eq!(world.state.files.listing.marks.len(), 0);
    world.keys("d right enter");
    let taken = world.take(JobKind::Delete);
    world.end_well(
        &taken,
        vec![Outcome::Deleted {
            target: file_target("1"),
            deletion: None,
        }],
    );
    assert_eq!(
        world.rows(),
        ["c.txt", "e.txt"],
        "there are two of it still"
    );
}

#[test]
fn lines_that_were_typed_come_back_with_up() {
    let mut world = World::new();
    for line in ["logo", "type:image", "logo"] {
        world.keys("f ctrl-u");
        world.text(line);
        let effects = world.keys("enter");
        let kept = FavoritesChange::Typed(TypedLine::Search(line.to_owned()));
        assert!(
            matches!(effects.last(), Some(Effect::SaveFavorites(_, change)) if *change == kept),
            "{effects:?}"
        );
    }
    world.keys("f ctrl-u");
    world.text("dra");
    world.keys("up");
    assert!(world.shows("logo"));
    world.keys("up");
    assert!(
        world.shows("type:image"),
        "each is there once: {}",
        world.drawn()
    );
    world.keys("up down down");
    assert!(world.shows("dra"), "{}", world.drawn());
    world.keys("up up enter");
    assert_eq!(
        world.state.files.listing.of.query().unwrap().line(),
        "type:image"
    );
    world.keys("g i 4 2 enter g i up");
    assert!(
        world.shows("42") && world.shows("typed before"),
        "{}",
        world.drawn()
    );
    world.keys("esc g p ctrl-u");
    world.text("/sales/a");
    world.keys("enter g p ctrl-u up");
    assert!(world.shows("/sales/a"), "{}", world.drawn());
}

#[test]
fn copies_stand_together_the_largest_first() {
    let mut world = World::new();
    world.keys("F d");
    let op = world.asked(|request| matches!(request, Request::ListAll(_)));
    world.part(
        op,
        vec![
            copy("1", "/a.txt", 10, "a"),
            copy("2", "/b.txt", 20, "b"),
            copy("3", "/c.txt", 10, "c"),
        ],
    );
    world.part(
        op,
        vec![
            copy("4", "/d.txt", 10, "a"),
            copy("5", "/e.txt", 20, "b"),
            copy("6", "/f.txt", 10, "c"),
        ],
    );
    world.done(op, Answer::ListAll(()));
    let rows = world.rows().concat();
    let together =
        |one: &str, other: &str| rows.find(one).unwrap().abs_diff(rows.find(other).unwrap()) == 5;
    assert!(
        rows.starts_with("e.txtb.txt") || rows.starts_with("b.txte.txt"),
        "{rows}"
    );
    assert!(
        together("a.txt", "d.txt") && together("c.txt", "f.txt"),
        "{rows}"
    );
}

#[test]
fn a_deletion_takes_the_row_and_a_refresh_asks_again() {
    let mut world = searched();
    world.keys("ctrl-r");
    world.list("logo", found().split_off(1), None);
    assert_eq!(world.rows(), ["logo.png", "logo.txt", "logo.pdf"]);
    assert!(world.state.files.listing.row(&file_target("9")).is_some());
}

#[test]
fn the_palette_offers_the_views() {
    let mut world = World::new();
    world.keys("ctrl-p");
    world.text("expire in");
    world.keys("enter");
    world.list("expiring soon", Vec::new(), None);
}

const MD5: &str = "9f2c41c0e1b2a3948576d0c1b2a39485";

fn with_md5(file: File) -> Entry {
    Entry::File(changed(file, |file| file.file_md5 = Some(MD5.to_owned())))
}

fn duplicates_asked() -> (World, OpId) {
    let mut world = World::started();
    let here = vec![
        with_md5(file("1", "/a.txt", "PRIVATE", None)),
        Entry::File(file("2", "/b.txt", "PRIVATE", None)),
    ];
    world.list("/", here, None);
    world.keys("tab");
    assert_eq!(world.state.focus, Pane::Details);
    world.keys("g c");
    let asks = |request: &Request| matches!(request, Request::List(List { of: Collection::Found(query), .. }) if query.line() == format!("md5:{MD5}"));
    let op = world.asked(asks);
    (world, op)
}

#[test]
fn a_key_lists_where_else_the_content_of_a_file_is_and_leads_there() {
    let (mut world, op) = duplicates_asked();
    assert!(
        world.says("Searching for duplicates of a.txt."),
        "{:?}",
        world.said()
    );
    let entries = vec![
        with_md5(file("1", "/a.txt", "PRIVATE", None)),
        with_md5(file("7", "/archive/2019/a copy.txt", "PRIVATE", Some("9"))),
    ];
    world.done(
        op,
        Answer::List(ListPage {
            entries,
            next: None,
        }),
    );
    assert!(
        world.shows("Duplicates of a.txt") && world.shows("/archive/2019/a copy.txt"),
        "{}",
        world.drawn()
    );
    assert!(
        world.shows("1 other file with the same content.") && !world.shows("remove"),
        "{}",
        world.drawn()
    );
    world.keys("enter");
    world.asked(|request| *request == Request::Locate(Locate::Id("7".to_owned())));
}

#[test]
fn a_file_without_duplicates_says_so_and_more_than_a_page_says_how_to_list_all() {
    let (mut world, op) = duplicates_asked();
    world.done(op, Answer::List(ListPage::default()));
    assert!(
        world.shows("No other file in the account has this content."),
        "{}",
        world.drawn()
    );
    let (mut world, op) = duplicates_asked();
    let entries = vec![with_md5(file("7", "/c.txt", "PRIVATE", None))];
    world.done(
        op,
        Answer::List(ListPage {
            entries,
            next: Some(after(100)),
        }),
    );
    assert!(
        world.shows("There may be more: f with md5:"),
        "{}",
        world.drawn()
    );
}

#[test]
fn duplicates_that_arrive_while_a_dialog_is_open_do_not_take_the_keys() {
    let (mut world, op) = duplicates_asked();
    world.keys("g c");
    assert_eq!(
        world.count(|request| matches!(
            request,
            Request::List(List {
                of: Collection::Found(_),
                ..
            })
        )),
        1
    );
    world.keys("f");
    world.done(op, Answer::List(ListPage::default()));
    assert!(!world.shows("Duplicates of"), "{}", world.drawn());
    assert!(
        world.says("g c again lists the duplicates of a.txt."),
        "{:?}",
        world.said()
    );
}

#[test]
fn duplicates_of_what_has_no_md5_are_not_asked_for() {
    let (mut world, op) = duplicates_asked();
    world.done(op, Answer::List(ListPage::default()));
    world.keys("esc shift-tab j g c");
    assert!(
        world.says("The service gave no MD5 of b.txt"),
        "{:?}",
        world.said()
    );
}

#[rstest]
fn f_finds_from_every_view(#[values("1", "2", "3", "4")] view: &str) {
    let mut world = World::new();
    world.keys(view);
    world.keys("f");
    world.text("logo");
    world.keys("enter");
    assert_eq!(world.state.view, View::Files);
    assert!(world.state.files.listing.of.query().is_some());
}
