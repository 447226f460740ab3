//! Folders read in pages: reading ahead of the cursor, and the way to the last row.

use filedeck::api::Position;
use filedeck::engine::Request;
use filedeck::engine::message::{Cursor, Entry, Stage as Part};
use rstest::rstest;

use super::large_lists::{is_list_all, is_page, partial};
use super::world::{World, after, file, file_target, many};
use filedeck::engine::Answer;
use filedeck::engine::question::List;

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
    let Request::List(List { after: from, .. }) = request else {
        panic!()
    };
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
    world.fail(
        op,
        filedeck::api::Error::new(filedeck::api::Kind::Network, "connection refused"),
    );
    assert_eq!(world.rows().len(), 20);
    assert!(world.state.files.listing.problem().is_some());
    assert!(world.says("connection refused"), "{:?}", world.said());
    world.keys("j");
    assert_eq!(
        world.count(|request| matches!(request, Request::List(_))),
        0,
        "it does not hammer"
    );
    world.keys("ctrl-r");
    world.list("/", many(0..20), None);
    assert!(world.state.files.listing.problem().is_none());
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
    assert!(
        world.state.files.listing.is_whole(),
        "nothing is known to be missing"
    );
    world.part(op, many(101..202));
    world.done(op, Answer::ListAll(()));
    assert_eq!(world.rows().len(), 201);
    assert_eq!(world.rows().first(), Some(&"0001.txt"));
    assert_eq!(world.here(), "0199.txt");
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
    world.done(op, Answer::ListAll(()));
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
    assert!(
        world.cancelled.contains(&first),
        "all of it is read, not the first page"
    );
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

#[rstest]
#[case::the_cursor_gets_there("G ctrl-f")]
#[case::a_new_order("o s")]
fn past_the_end_of_the_services_orders_the_folder_is_read_whole(#[case] keys: &str) {
    let mut world = World::started();
    let end = Cursor {
        stage: Part::Files,
        position: Position {
            offset: 0,
            from_id: Some(1),
        },
    };
    world.list("/", many(0..60), Some(end));
    world.keys(keys);
    world.list_all("/", many(0..300));
    assert_eq!(world.count(is_page), 0);
    assert!(world.state.files.listing.is_whole());
}

#[test]
fn a_cursor_that_does_not_rest_is_read_ahead_of_further_each_time() {
    let mut world = partial();
    for page in 1..=4_u32 {
        world.state.files.listing.move_to(usize::MAX);
        world.keys("j");
        let from = page as usize * 100;
        world.list("/", many(from..from + 100), Some(after(100 * (page + 1))));
    }
    // 400 rows ahead are wanted, so the next page is requested while this one arrives.
    assert_eq!(world.count(is_page), 1);
    world.list("/", many(500..600), Some(after(600)));
    world.keys("g g");
    world.list("/", many(600..700), Some(after(700)));
    assert_eq!(
        world.count(is_page),
        0,
        "a cursor that has gone elsewhere needs none of it"
    );
}

#[test]
fn the_next_page_starts_where_the_service_has_it_after_a_deletion() {
    let mut world = partial();
    world
        .state
        .files
        .listing
        .remove(&[file_target("f3"), file_target("f4")].into());
    world.state.files.listing.move_to(usize::MAX);
    world.keys("j");
    let (_, request) = world.asked_for(is_page).unwrap();
    assert!(
        matches!(
            request,
            Request::List(List {
                after: Some(Cursor {
                    position: Position { offset: 98, .. },
                    ..
                }),
                ..
            })
        ),
        "{request:?}"
    );
}

fn numbered(numbers: &[u32]) -> Vec<Entry> {
    let entry = |number: &u32| {
        let path = format!("/img{number}.png");
        Entry::File(file(&format!("f{number}"), &path, "PRIVATE", None))
    };
    numbers.iter().map(entry).collect()
}

#[test]
fn numbers_in_names_are_sorted_by_their_value_once_no_page_follows() {
    let mut world = World::started();
    world.list("/", numbered(&[1, 10, 100]), Some(after(3)));
    assert_eq!(world.rows(), ["img1.png", "img10.png", "img100.png"]);
    // A file that was uploaded meanwhile, which the next page has again.
    let uploaded = numbered(&[2]).remove(0);
    world.state.files.listing.upsert(uploaded);
    assert_eq!(
        world.rows(),
        ["img1.png", "img10.png", "img100.png", "img2.png"]
    );
    world.keys("j");
    world.list("/", numbered(&[2, 20, 3]), None);
    let natural = [
        "img1.png",
        "img2.png",
        "img3.png",
        "img10.png",
        "img20.png",
        "img100.png",
    ];
    assert_eq!(world.rows(), natural);
    assert_eq!(world.here(), "img10.png", "the cursor stays on its row");
    world.keys("O");
    assert_eq!(world.rows(), natural.into_iter().rev().collect::<Vec<_>>());
    world.keys("O , n a t u r a l enter esc");
    let by_digit = [
        "img1.png",
        "img10.png",
        "img100.png",
        "img2.png",
        "img20.png",
        "img3.png",
    ];
    assert_eq!(world.rows(), by_digit);
    world.keys("ctrl-r");
    world.list("/", numbered(&[1, 10, 100, 2, 20, 3]), None);
    assert_eq!(world.rows(), by_digit, "also after a refresh");
}

#[test]
fn all_rows_of_a_long_folder_are_sorted_by_the_numbers_in_their_names() {
    let mut world = World::started();
    world.list("/", numbered(&[1, 10]), Some(after(2)));
    world.keys("G");
    world.list_all("/", numbered(&[1, 10, 11, 100, 2]));
    let natural = [
        "img1.png",
        "img2.png",
        "img10.png",
        "img11.png",
        "img100.png",
    ];
    assert_eq!(world.rows(), natural);
}
