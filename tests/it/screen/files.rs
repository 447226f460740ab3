//! The files view: list, tree, details, and the messages when there is nothing to show.

use filedeck::api::ids::FileId;
use filedeck::api::model::Access;
use filedeck::config::AccountSource;
use filedeck::engine::message::{Entry, FolderRef, Sort, SortKey};
use filedeck::tui::input::text_field::TextField;
use filedeck::tui::message::Msg;
use filedeck::tui::state::{Cut, CutOrigin, ListFilter, ListPurpose, ListRead, Pane, State};
use filedeck::tui::style::theme::Theme;
use filedeck::tui::update::update;
use insta::assert_snapshot;
use rstest::rstest;

use super::library::{blank, browsing, entries, file, listing, not_found, op, place, with_tasks};
use super::snapshot::{draw, draw_in, draw_text};
use crate::support::changed::changed;

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn a_folder_with_marks_and_tasks(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    with_tasks(&mut state);
    assert_snapshot!(format!("browsing_{name}"), draw(&state, cols, rows));
}

#[test]
fn without_colors_the_cursor_and_marks_still_stand_out() {
    assert_snapshot!(draw_in(&browsing(), 80, 24, &Theme::default()));
}

#[test]
fn without_colors_heavy_lines_are_around_the_pane_with_the_focus_alone() {
    for (pane, corner) in [(Pane::Tree, "┏━ Folders ━"), (Pane::List, "┏━ marketing ")] {
        let mut state = browsing();
        state.focus = pane;
        let drawn = draw_in(&state, 120, 40, &Theme::default());
        assert!(
            drawn.contains(corner) && drawn.matches('┏').count() == 1,
            "{drawn}"
        );
        assert!(
            !draw_text(&state, 120, 40).contains('┏'),
            "the color says it"
        );
    }
}

#[test]
fn the_tree_lies_over_the_list_on_a_narrow_screen() {
    let mut state = browsing();
    state.panes.tree_overlay = true;
    state.focus = Pane::Tree;
    assert_snapshot!(draw(&state, 80, 24));
}

#[test]
fn all_tabs_are_in_the_header_of_a_small_screen() {
    let mut state = browsing();
    state.session.account.production = true;
    let screen = draw_text(&state, 60, 15);
    let header = screen.lines().next().unwrap().trim_end_matches(['|', ' ']);
    assert_eq!(
        header,
        "| ▲ acme-prod   1 Files  2 Tasks  3 Limits 100%  4 Activity"
    );
}

#[test]
fn a_private_file_says_that_its_address_answers_nobody() {
    let mut state = browsing();
    state.files.listing.clear_marks();
    state.files.listing.move_to(3);
    state.focus = Pane::Details;
    assert_snapshot!("private_narrow", draw_text(&state, 80, 24));
    assert_snapshot!("private_medium", draw_text(&state, 120, 40));
}

#[test]
fn a_folder_under_the_cursor_shows_its_own_details() {
    let mut state = browsing();
    state.files.listing.clear_marks();
    state.files.listing.move_to(0);
    assert_snapshot!("folder_narrow", draw_text(&state, 80, 24));
    assert_snapshot!("folder_medium", draw_text(&state, 120, 40));
}

#[rstest]
#[case::medium(120, 40, None, "2y ago · 2024-08-04", "past · 2024-08-05")]
#[case::as_narrow_as_it_can_be(120, 40, Some(24), "2y ago", "past")]
#[case::wide(200, 60, None, "2y ago · 2024-08-04 14:02", "past · 2024-08-05 14:03")]
fn a_date_in_the_details_is_as_long_as_there_is_room_and_never_wraps(
    #[case] cols: u16,
    #[case] rows: u16,
    #[case] width: Option<u16>,
    #[case] created: &str,
    #[case] expires: &str,
) {
    let mut state = browsing();
    state.panes.dragged.details = width;
    state.panes.preview = false;
    let old = changed(
        file("old.png", &Access::PublicNotIndexable, 1_000, 3),
        |file| {
            file.created_at = Some("2024-08-04T14:02:00Z".parse().unwrap());
            file.expires_at = Some("2024-08-05T14:03:00Z".parse().unwrap());
            file.size = Some(1_234_567_890_123);
        },
    );
    state.files.listing.clear_marks();
    state
        .files
        .listing
        .take_first(vec![Entry::File(old)], None, state.now);
    state.files.listing.move_to(0);
    let drawn = draw_text(&state, cols, rows);
    let left = 1 + usize::from(cols - width.unwrap_or(if cols < 160 { 36 } else { 68 }));
    let details: Vec<String> = drawn
        .lines()
        .map(|line| line.chars().skip(left).collect())
        .collect();
    let fact = |label: &str| {
        let line = details
            .iter()
            .find(|line| line.contains(label))
            .unwrap_or_else(|| panic!("{label}:\n{drawn}"));
        line.split_once(label)
            .unwrap()
            .1
            .trim_end_matches(['│', '|'])
            .trim()
            .to_owned()
    };
    assert_eq!(
        (fact("created ").as_str(), fact("expires ").as_str()),
        (created, expires),
        "{drawn}"
    );
    let values = |line: &String| {
        line.chars()
            .skip(12)
            .take_while(|c| *c != '│')
            .collect::<String>()
    };
    let record = details
        .iter()
        .map(values)
        .collect::<String>()
        .replace(' ', "");
    assert!(
        record.contains("1,234,567,890,123bytes"),
        "no figure is cut:\n{drawn}"
    );
}

fn reading() -> State {
    let mut state = blank();
    state.files.listing.ask(op(1), ListRead::First);
    state
}

fn empty() -> State {
    let mut state = blank();
    state.files.listing = listing(Vec::new(), false);
    state
}

fn empty_and_read_only() -> State {
    let mut state = empty();
    state.session.account.read_only = true;
    state
}

fn failed() -> State {
    let mut state = blank();
    state.files.listing.of = place().into();
    state.files.listing.fail(not_found());
    state
}

fn nothing_matches() -> State {
    let mut state = browsing();
    state.files.listing.list.filter = Some(ListFilter {
        input: TextField::new("zzz"),
        editing: true,
        ..ListFilter::default()
    });
    state.files.listing.narrow();
    state
}

#[rstest]
#[case::reading("reading", reading())]
#[case::empty("empty", empty())]
#[case::empty_and_read_only("empty_and_read_only", empty_and_read_only())]
#[case::failed("failed", failed())]
#[case::nothing_matches("nothing_matches", nothing_matches())]
fn a_list_without_rows_says_why(#[case] name: &str, #[case] state: State) {
    assert_snapshot!(format!("no_rows_{name}"), draw(&state, 80, 24));
}

#[test]
fn counts_are_not_claimed_while_pages_are_missing() {
    let mut state = browsing();
    state.files.listing = listing(entries(), true);
    let top = draw_text(&state, 80, 24);
    assert!(top.contains("1 of 34+"), "{top}");
    state.files.listing.move_to(33);
    let bottom = draw_text(&state, 80, 24);
    assert!(bottom.contains("loading more …"), "{bottom}");
    state.files.listing.fail(not_found());
    let failed = draw_text(&state, 80, 24);
    assert!(
        failed.contains("Loading the rest failed: Folder 412 was not found"),
        "{failed}"
    );
}

#[test]
fn a_folder_that_is_read_whole_says_how_far_and_what_stops_it() {
    let mut state = browsing();
    state.files.listing = listing(entries(), true);
    state.files.listing.begin_whole();
    state
        .files
        .listing
        .ask(op(1), ListRead::Whole(ListPurpose::Filter));
    let file = |n: u64| {
        let file = file(&format!("b{n:04}.txt"), &Access::Private, n, 3);
        Entry::File(changed(file, |file| file.id = FileId::new(n.to_string())))
    };
    state
        .files
        .listing
        .take_part((0..2_000).map(file).collect(), state.now);
    assert_snapshot!("reading_whole_narrow", draw_text(&state, 80, 24));
    assert_snapshot!("reading_whole_medium", draw_text(&state, 120, 40));
    state.files.listing.pending = None;
    state.files.listing.stop_whole();
    state.files.listing.move_to(usize::MAX);
    let stopped = draw_text(&state, 80, 24);
    assert!(
        stopped.contains("of 2,034+") && stopped.contains("G loads the rest"),
        "{stopped}"
    );
}

#[test]
fn what_is_not_counted_is_not_claimed_while_rows_are_read_again() {
    let mut state = browsing();
    state.files.listing = listing(entries(), true);
    state.files.listing.ask(op(1), ListRead::Look);
    let drawn = draw_text(&state, 120, 40);
    assert!(
        drawn.contains("1 of 34+") && drawn.contains("reading …"),
        "{drawn}"
    );
}

#[test]
fn a_filter_shows_what_it_matched_and_how_much() {
    let mut state = browsing();
    state.files.listing.list.filter = Some(ListFilter {
        input: TextField::new("bn2"),
        editing: true,
        ..ListFilter::default()
    });
    state.files.listing.narrow();
    assert_snapshot!(draw(&state, 80, 24));
}

#[test]
fn rows_that_are_busy_or_cut_are_signed() {
    let mut state = browsing();
    state.files.listing.clear_marks();
    let row = |at: usize| state.files.listing.at(at).unwrap().1.clone();
    let (busy, cut) = (row(1), row(3));
    state.session.tasks.busy.ask(op(7), [busy.target]);
    let origin = CutOrigin {
        folder: place(),
        updated: None,
    };
    state.session.cut = Some(Cut::new([(cut.item(&place()), origin)]));
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains(" ◐ banner-01.png"), "{drawn}");
    assert!(drawn.contains("  → contract-draft.pdf"), "{drawn}");
    assert!(drawn.contains(" p  move here"), "{drawn}");
}

#[test]
fn the_list_says_what_it_is_sorted_by() {
    let mut state = browsing();
    state.files.listing.list.sort = Sort {
        key: SortKey::Created,
        descending: true,
    };
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("created ↓"), "{drawn}");
}

#[rstest]
#[case::access("a", "Access")]
#[case::size("s", "Size")]
#[case::kind("k", "Type")]
#[case::update("u", "Updated")]
#[case::creation("c", "Created")]
#[case::expiry("e", "Expires")]
fn the_column_that_the_list_is_sorted_by_stays(
    #[case] key: &str,
    #[case] heading: &str,
    #[values((80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
    #[values("", "t tab")] before: &str,
) {
    let mut state = browsing();
    for key in before.split_whitespace().chain(["o", key]) {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    let drawn = draw_text(&state, cols, rows);
    let headings = drawn
        .lines()
        .find_map(|line| Some(line.rsplit_once(" Name ")?.1));
    assert!(headings.unwrap().contains(heading), "{drawn}");
    assert!(
        drawn.contains("banner-01.png"),
        "names keep their room:\n{drawn}"
    );
}

#[rstest]
fn the_local_list_keeps_the_time_that_it_is_sorted_by(
    #[values((80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
) {
    let mut state = browsing();
    for key in ["t", "o", "u"] {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    let drawn = draw_text(&state, cols, rows);
    let headings = drawn.lines().find(|line| line.contains(" Name ")).unwrap();
    let (local, _) = headings.split_at(headings.rfind(" Name ").unwrap());
    assert!(local.contains("Updated"), "{drawn}");
}

#[test]
fn long_wide_and_hostile_names_stay_in_their_column() {
    let names = [
        "an-extraordinarily-long-name-that-nobody-would-type-but-exports-have.final.v2.pdf",
        "四半期報告書-最終版-レビュー済み-二〇二六年度第三四半期.pdf",
        "gpj\u{202e}exe.png",
        "clear\u{1b}[2Jscreen.txt",
        "zero\u{200b}width\u{feff}.txt",
        "👩\u{200d}💻 team.png",
        "../../etc/passwd",
        "line\nbreak.txt",
    ];
    let entry = |(at, name): (usize, &str)| {
        let file = file(name, &Access::Private, 1_000, 3);
        Entry::File(changed(file, |file| {
            file.id = FileId::new((8_000 + at).to_string());
        }))
    };
    let entries = names.into_iter().enumerate().map(entry).collect();
    let mut state = browsing();
    state.files.listing = listing(entries, false);
    state.session.account.source = AccountSource::Configured("acme\u{1b}]0;owned\u{7}".to_owned());
    state.files.listing.of = FolderRef {
        path: "/a\u{202e}b".to_owned(),
        ..place()
    }
    .into();
    assert_snapshot!("hostile_narrow", draw_text(&state, 80, 24));
    assert_snapshot!("hostile_medium", draw_text(&state, 120, 40));
    for cursor in 0..names.len() {
        state.files.listing.move_to(cursor);
        for (cols, rows) in [(80, 24), (120, 40)] {
            let drawn = draw_text(&state, cols, rows);
            let bad = drawn
                .chars()
                .find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{200b}'));
            assert_eq!(bad, None, "{drawn}");
        }
    }
}

#[test]
fn a_list_of_three_thousand_rows_shows_the_rows_around_the_cursor() {
    let entry = |n: u64| {
        let file = file(&format!("f{n:04}.txt"), &Access::Private, n, 3);
        Entry::File(changed(file, |file| file.id = FileId::new(n.to_string())))
    };
    let entries = (0..3_000).map(entry).collect();
    let mut state = browsing();
    state.files.listing = listing(entries, false);
    state.files.listing.move_to(1_500);
    let drawn = draw_text(&state, 80, 24);
    assert!(
        drawn.contains("▐ ≡ f1500.txt") && drawn.contains("f1495") && drawn.contains("f1505"),
        "{drawn}"
    );
}
