//! Marks, the filter and the order of the list.

use filedeck::config::favorites::{FavoritesChange, TypedLine};
use filedeck::engine::Request;
use filedeck::engine::message::{Entry, SortKey};
use filedeck::tui::dialog::Dialog;
use filedeck::tui::state::ListStage;
use filedeck::tui::state::effect::Effect;
use rstest::rstest;

use super::large_lists::{is_list_all, looked_at, partial, row, row_of, whole};
use super::world::{World, after, many};
use crate::support::changed::changed;
use filedeck::engine::Answer;
use filedeck::engine::question::{List, Located, Refreshed};

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
fn marks_of_rows_that_are_gone_are_dropped_by_a_refresh() {
    let mut world = World::new();
    world.keys("j j space space");
    assert_eq!(world.marked(), ["a.txt", "b.png"]);
    world.keys("ctrl-r");
    let entries = super::world::root_entries()
        .into_iter()
        .enumerate()
        .filter(|(at, _)| *at != 2);
    world.list("/", entries.map(|(_, entry)| entry).collect(), None);
    assert_eq!(world.state.files.listing.marks.len(), 1);
    assert_eq!(world.marked(), ["b.png"]);
}

#[test]
fn marks_outlast_a_new_order_of_which_only_a_part_is_read() {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys("space space o s");
    world.list("/", many(100..200), Some(after(100)));
    assert_eq!(world.rows().len(), 100);
    world.keys("d");
    assert!(
        matches!(world.dialog(), Dialog::Confirm(confirm) if confirm.names == ["0000.txt", "0001.txt"])
    );
    world.keys("esc G");
    // One of them was deleted elsewhere meanwhile.
    world.list_all("/", many(1..200));
    assert_eq!(world.marked(), ["0001.txt"]);
    assert_eq!(world.state.files.listing.marks.bytes(), 1024);
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
fn filters_that_were_kept_come_back_with_up_while_nothing_else_is_typed() {
    let mut world = World::new();
    for line in ["png", "a.t", "png"] {
        world.keys("/");
        world.text(line);
        let effects = world.keys("enter");
        let kept = FavoritesChange::Typed(TypedLine::Filter(line.to_owned()));
        assert!(
            effects.iter().any(
                |effect| matches!(effect, Effect::SaveFavorites(_, change) if *change == kept)
            ),
            "{effects:?}"
        );
        world.keys("esc");
    }
    world.keys("/");
    assert!(world.shows("typed before"), "{}", world.drawn());
    world.keys("up");
    assert_eq!(world.rows(), ["b.png"]);
    world.keys("up up");
    assert_eq!(
        world.rows(),
        ["a.txt"],
        "each is there once, and the oldest stays"
    );
    world.keys("down down");
    assert_eq!(world.rows().len(), 5);
    world.text("p");
    assert!(!world.shows("typed before"), "{}", world.drawn());
    world.keys("down");
    assert_eq!(
        (world.rows(), world.here()),
        (vec!["b.png", "c.pdf"], "c.pdf"),
        "they move in what is found"
    );
    world.keys("up");
    assert_eq!(world.here(), "b.png");
    world.keys("ctrl-u up enter");
    assert_eq!(world.rows(), ["b.png"]);
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
    assert_eq!(world.state.files.listing.stage, ListStage::Partial);
}

#[rstest]
#[case::name("o n", SortKey::Name, false)]
#[case::size("o s", SortKey::Size, true)]
#[case::kind("o k", SortKey::Kind, false)]
#[case::created("o c", SortKey::Created, true)]
#[case::updated("o u", SortKey::Updated, true)]
#[case::reversed("O", SortKey::Name, true)]
#[case::reversed_back("O o r", SortKey::Name, false)]
fn the_service_sorts_what_is_not_whole(
    #[case] keys: &str,
    #[case] key: SortKey,
    #[case] descending: bool,
) {
    let mut world = World::started();
    world.list("/", many(0..100), Some(after(100)));
    world.keys(keys);
    let (_, request) = world
        .asked_for(|request| matches!(request, Request::List(_)))
        .unwrap();
    let Request::List(List {
        sort, after: None, ..
    }) = request
    else {
        panic!("{request:?}")
    };
    assert_eq!((sort.key, sort.descending), (key, descending));
}

#[rstest]
#[case::access("o a", &["public.txt", "unlisted.txt", "private.txt", "soon.txt"])]
#[case::expiry("o e", &["soon.txt", "private.txt", "public.txt", "unlisted.txt"])]
fn an_order_that_the_service_lacks_takes_the_whole_folder(
    #[case] keys: &str,
    #[case] expected: &[&str],
) {
    let mut world = partial();
    world.keys(keys);
    let levels = [
        ("private.txt", "PRIVATE"),
        ("public.txt", "PUBLIC_INDEXABLE"),
        ("soon.txt", "PRIVATE"),
        ("unlisted.txt", "PUBLIC_NOT_INDEXABLE"),
    ];
    let files = levels.iter().map(|(name, access)| {
        let mut file = super::world::file(name, &format!("/{name}"), access, None);
        file.expires_at = (*name == "soon.txt").then_some(world.state.now);
        Entry::File(file)
    });
    let files = files.collect();
    world.list_all("/", files);
    assert_eq!(world.rows(), expected);
    world.keys("O");
    assert_eq!(
        world.rows()[0],
        "private.txt",
        "reversed here, without another request"
    );
}

#[test]
fn a_filter_goes_by_the_new_name_whatever_the_order_is() {
    let mut world = whole(300);
    world.keys("o s /");
    world.text("0007");
    world.keys("enter");
    world.state.files.listing.upsert(row(7, "/many/spring.txt"));
    world.state.files.listing.upsert(row(8, "/many/0007b.txt"));
    assert_eq!(world.rows(), ["0007b.txt"]);
    world.keys("f5");
    let op = world.asked(is_list_all);
    world.part(
        op,
        vec![row(8, "/many/summer.txt"), row(9, "/many/0007c.txt")],
    );
    assert_eq!(world.rows(), ["0007c.txt"]);
}

#[test]
fn a_whole_folder_is_sorted_here_without_a_request() {
    let mut world = whole(300);
    let larger = changed(row_of("f7", "/many/0007.txt"), |file| {
        file.size = Some(9_999);
    });
    world.state.files.listing.upsert(Entry::File(larger));
    for keys in ["o s", "O", "o u", "o k", "o n"] {
        assert_eq!(world.keys(keys), []);
    }
    world.keys("o s g g");
    assert_eq!(world.here(), "0007.txt");
    world.keys("O G");
    assert_eq!(world.here(), "0007.txt");
}

#[test]
fn a_marked_row_that_a_new_order_has_no_place_for_yet_can_be_gone_to() {
    let mut world = partial();
    world.state.files.listing.move_to(10);
    world.keys("space o s");
    world.list("/", many(100..200), Some(after(100)));
    assert!(!world.rows().contains(&"0010.txt") && world.state.files.listing.marks.len() == 1);
    world.keys("g p");
    world.text("many/0010.txt");
    world.keys("enter");
    let op = world.asked(|request| matches!(request, Request::Locate(_)));
    world.done(
        op,
        Answer::Locate(Located::Entry(row(10, "/many/0010.txt"))),
    );
    let (op, ..) = looked_at(&world);
    assert_eq!(
        world.done(
            op,
            Answer::Refresh(Refreshed {
                found: vec![row(10, "/many/0010.txt")],
                gone: Vec::new()
            })
        ),
        []
    );
    assert_eq!(world.here(), "0010.txt");
}
