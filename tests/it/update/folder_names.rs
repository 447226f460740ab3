//! The names of the account's folders: when they are read, what the dialogs offer of them, and what
//! changes them.

use filedeck::api::{Error, Kind};
use filedeck::config::AccountSource;
use filedeck::engine::job::JobKind;
use filedeck::engine::message::{FolderRef, RequestBudget};
use filedeck::engine::question::{FolderNamesPage, ListFolderNames, Locate};
use filedeck::engine::{Answer, OpId, Outcome, Request, SessionId};
use rstest::rstest;

use super::world::{World, folder, folder_target, place};

/// The open request for a page, and where the page begins.
fn asked(world: &World) -> Option<(OpId, Option<u64>)> {
    let (op, request) =
        world.asked_for(|request| matches!(request, Request::ListFolderNames(_)))?;
    let Request::ListFolderNames(ListFolderNames { from }) = request else {
        return None;
    };
    Some((op, from))
}

fn page(folders: &[FolderRef], next: u64, is_last: bool) -> Answer {
    Answer::ListFolderNames(FolderNamesPage {
        folders: folders.to_vec(),
        next: Some(next),
        is_last,
    })
}

fn answer(world: &mut World, folders: &[FolderRef], next: u64, is_last: bool) {
    let (op, _) = asked(world).unwrap();
    world.done(op, page(folders, next, is_last));
}

fn paths(world: &World) -> Vec<&str> {
    world.state.session.folder_names.paths().collect()
}

/// A world with all folders read: `/legal/q3` beside those of the tree.
fn read() -> World {
    let mut world = World::new();
    world.keys("g p esc");
    answer(
        &mut world,
        &[
            place("m", "/marketing"),
            place("s", "/sales"),
            place("9", "/legal/q3"),
        ],
        10,
        true,
    );
    world
}

#[rstest]
#[case::path("g p")]
#[case::palette("ctrl-p")]
fn a_dialog_offers_what_is_known_and_the_rest_as_it_comes(#[case] keys: &str) {
    let mut world = World::new();
    world.wait(10_000);
    assert_eq!(asked(&world), None, "nobody has looked for a folder");
    world.keys(keys);
    assert!(world.shows("reading folders …"), "{}", world.drawn());
    world.text("/");
    assert!(
        world.shows("/marketing") && !world.shows("/legal/q3"),
        "{}",
        world.drawn()
    );
    assert_eq!(asked(&world).unwrap().1, None);
    answer(
        &mut world,
        &[place("m", "/marketing"), place("9", "/legal/q3")],
        10,
        false,
    );
    assert!(
        world.shows("/legal/q3") && world.shows("reading folders …"),
        "{}",
        world.drawn()
    );
    assert_eq!(asked(&world).unwrap().1, Some(10), "page after page");
    answer(&mut world, &[place("12", "/legal/q4")], 13, true);
    assert!(
        world.shows("/legal/q4") && !world.shows("reading folders"),
        "{}",
        world.drawn()
    );
    assert_eq!(asked(&world), None);
}

#[test]
fn the_palette_opens_a_folder_that_was_never_on_the_screen() {
    let mut world = read();
    world.keys("ctrl-p");
    world.text("legal/q");
    world.keys("enter");
    world.listing_of("/legal/q3");
}

#[test]
fn the_cursor_of_the_palette_stays_on_its_row_while_folders_come() {
    let mut world = World::new();
    world.keys("ctrl-p");
    world.text("mark");
    let before = world.drawn();
    let row = before
        .lines()
        .find(|line| line.contains('▐'))
        .unwrap()
        .to_owned();
    answer(
        &mut world,
        &[place("m", "/marketing"), place("9", "/mark")],
        10,
        true,
    );
    assert!(world.shows("Go to /mark "), "{}", world.drawn());
    assert_eq!(
        world.drawn().matches("Go to /marketing").count(),
        1,
        "{}",
        world.drawn()
    );
    assert_eq!(
        world.drawn().lines().find(|line| line.contains('▐')),
        Some(row.as_str())
    );
}

#[test]
fn a_path_is_found_by_letters_of_a_folder_that_was_never_open() {
    let mut world = read();
    world.keys("g p");
    world.text("lgl");
    world.keys("tab");
    assert!(world.shows("/legal/q3/"), "{}", world.drawn());
}

fn selected(world: &World) -> Option<String> {
    let drawn = world.drawn();
    let row = drawn
        .lines()
        .find_map(|line| Some(line.split_once('▐')?.1.to_owned()))?;
    row.split_whitespace().next().map(str::to_owned)
}

fn goes_to(world: &World, wanted: &str) -> bool {
    world
        .asked_for(
            |request| matches!(request, Request::Locate(Locate::Path(path)) if path == wanted),
        )
        .is_some()
}

/// Seen to fail when enter takes a row other than the selected one.
#[rstest]
#[case::letters("lgl", "", "/legal/q3")]
#[case::the_start_of_a_path("/leg", "", "/legal/q3")]
#[case::a_path_as_it_is_typed("/leg", "up", "/leg")]
#[case::a_path_that_is_known("/sales", "", "/sales")]
#[case::the_next_row("a", "down", "/legal/q3")]
#[case::the_last_row("a", "down down down down up", "/legal/q3")]
fn enter_takes_the_selected_row(#[case] typed: &str, #[case] keys: &str, #[case] to: &str) {
    let mut world = read();
    world.keys("g p");
    world.text(typed);
    world.keys(keys);
    assert!(world.shows("↑↓  choose"), "{}", world.drawn());
    let row = selected(&world);
    assert_eq!(row.as_deref().unwrap_or(typed), to, "{}", world.drawn());
    world.keys("enter");
    assert!(goes_to(&world, to));
}

#[test]
fn while_folders_are_read_a_path_is_taken_as_it_is_typed() {
    let mut world = World::new();
    world.keys("g p");
    answer(&mut world, &[place("9", "/legal/q3")], 10, false);
    world.text("/leg");
    assert_eq!(selected(&world), None, "{}", world.drawn());
    world.keys("enter");
    assert!(goes_to(&world, "/leg"));
}

/// The first row of the dialog that goes to a path, and its height.
fn box_of(world: &World) -> (usize, usize) {
    let drawn = world.drawn();
    let rows: Vec<Vec<char>> = drawn.lines().map(|line| line.chars().collect()).collect();
    let title: Vec<char> = "╭─ Go to ─".chars().collect();
    let (top, column) = (0..rows.len())
        .find_map(|row| {
            Some((
                row,
                rows[row]
                    .windows(title.len())
                    .position(|cells| cells == title)?,
            ))
        })
        .unwrap();
    (
        top,
        rows[top..]
            .iter()
            .position(|row| row[column] == '╰')
            .unwrap()
            + 1,
    )
}

#[test]
fn the_dialog_is_as_tall_as_what_it_lists_and_grows_downwards() {
    let mut world = read();
    world.keys("g p");
    let (top, height) = box_of(&world);
    // The box with its padding, the field, two lines of help, and the keys below a blank line.
    assert_eq!(height, 4 + 1 + 2 + 2, "{}", world.drawn());
    world.text("/");
    assert_eq!(
        box_of(&world),
        (top, height + 3),
        "four folders and a blank line: {}",
        world.drawn()
    );
    world.text("zzz");
    assert_eq!(
        box_of(&world),
        (top, height + 3),
        "it stays until it is closed: {}",
        world.drawn()
    );
    world.keys("esc g p");
    assert_eq!(box_of(&world), (top, height));
}

#[test]
fn names_are_read_on_when_somebody_looks_again_and_nothing_is_said_of_that() {
    let mut world = read();
    world.wait(60_000);
    assert_eq!(asked(&world), None);
    world.keys("ctrl-p");
    assert_eq!(asked(&world).unwrap().1, Some(10));
    assert!(!world.shows("reading folders"), "{}", world.drawn());
}

#[test]
fn half_of_the_requests_stay_free() {
    let mut world = World::new();
    world.state.session.take_budget(
        RequestBudget {
            remaining: 49,
            max: 100,
        },
        world.state.now,
    );
    world.keys("g p");
    assert_eq!(asked(&world), None);
    world.wait(11_000);
    assert_eq!(asked(&world).unwrap().1, None, "the budget was given back");
}

#[test]
fn the_first_screen_comes_first() {
    let mut world = World::started();
    world.keys("g p");
    assert_eq!(asked(&world), None);
    world.list("/", Vec::new(), None);
    assert_eq!(asked(&world).unwrap().1, None);
}

#[test]
fn a_refusal_is_said_in_the_dialog_and_the_next_one_tries_again() {
    let mut world = World::new();
    world.keys("g p");
    let (op, _) = asked(&world).unwrap();
    world.fail(op, Error::new(Kind::Forbidden, "not for you"));
    assert!(
        world.shows("some folders could not be read") && !world.says("not for you"),
        "{}",
        world.drawn()
    );
    assert_eq!(asked(&world), None, "not at once");
    world.keys("esc ctrl-p");
    assert_eq!(asked(&world).unwrap().1, None);
}

#[test]
fn a_lost_service_is_waited_for() {
    let mut world = World::new();
    world.answer_limits();
    world.keys("g p");
    answer(&mut world, &[place("9", "/legal")], 10, false);
    let (op, _) = asked(&world).unwrap();
    world.fail(op, Error::new(Kind::Unreachable, "no line"));
    assert_eq!(asked(&world), None);
    world.wait(4_000);
    world.list("/", Vec::new(), None);
    assert_eq!(asked(&world).unwrap().1, Some(10));
}

#[test]
fn another_account_has_folders_of_its_own() {
    let mut world = read();
    world.keys("@ D enter");
    world.connect(SessionId(2), AccountSource::Demo);
    assert_eq!(paths(&world), [""; 0]);
    world.list("/", Vec::new(), None);
    assert_eq!(asked(&world), None);
    world.keys("g p");
    assert_eq!(asked(&world).unwrap().1, None);
}

#[test]
fn folders_that_are_created_renamed_and_deleted_here_change_the_names() {
    let mut world = read();
    world.keys("a");
    world.text("new");
    world.keys("enter");
    let taken = world.take(JobKind::CreateFolder);
    world.end_well(&taken, vec![Outcome::FolderCreated(folder("n", "/new"))]);
    assert_eq!(paths(&world), ["/legal/q3", "/marketing", "/new", "/sales"]);
    let mut world = read();
    world
        .state
        .session
        .folder_names
        .insert(&place("q", "/marketing/q3"));
    world.keys("r ctrl-u z enter");
    let taken = world.take(JobKind::RenameFolder);
    world.end_well(&taken, vec![Outcome::FolderUpdated(folder("m", "/z"))]);
    assert_eq!(paths(&world), ["/legal/q3", "/sales", "/z", "/z/q3"]);
    let mut world = read();
    world
        .state
        .session
        .folder_names
        .insert(&place("q", "/marketing/q3"));
    world.keys("d right enter");
    let taken = world.take(JobKind::Delete);
    world.end_well(
        &taken,
        vec![Outcome::Deleted {
            target: folder_target("m"),
            deletion: None,
        }],
    );
    assert_eq!(paths(&world), ["/legal/q3", "/sales"]);
}

#[test]
fn what_the_tree_reads_again_changes_the_names() {
    let mut world = read();
    world.keys("ctrl-r");
    let op = world.asked(|request| matches!(request, Request::ListFolders(_)));
    world.done(op, Answer::ListFolders(vec![folder("s", "/sold")]));
    assert_eq!(paths(&world), ["/legal/q3", "/sold"]);
}
