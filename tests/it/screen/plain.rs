//! The screen for a screen reader: lines of ASCII, the terminal's cursor on the row, and as few
//! changes as possible.

use filedeck::tui::message::Msg;
use filedeck::tui::state::{PictureSupport, State, View};
use filedeck::tui::style::theme::Depth;
use filedeck::tui::update::update;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{browsing, now, with_tasks};
use super::preview::prose;
use super::snapshot::draw_plain;

fn plain(cols: u16, rows: u16) -> State {
    let mut state = browsing();
    with_tasks(&mut state);
    (state.panes.plain, state.size, state.picture_support) =
        (true, (cols, rows).into(), PictureSupport::None);
    state.settings.depth = Depth::Mono;
    update(&mut state, Msg::Clock(now()));
    state
}

fn press(state: &mut State, keys: &str) {
    for key in keys.split_whitespace() {
        update(
            state,
            Msg::Clock(state.now + SignedDuration::from_millis(200)),
        );
        update(state, Msg::Key(key.parse().unwrap()));
    }
}

fn rows(state: &State) -> (Vec<String>, (usize, usize)) {
    let drawn = draw_plain(state, state.size.width, state.size.height);
    let (text, rest) = drawn.split_once("\ncursor ").unwrap();
    let (x, y) = rest.lines().next().unwrap().split_once(',').unwrap();
    (
        text.lines().map(str::to_owned).collect(),
        (x.parse().unwrap(), y.parse().unwrap()),
    )
}

#[rstest]
#[case::files("files", "")]
#[case::folders("tree", "T")]
#[case::details("details", "i")]
#[case::tasks("tasks", "2")]
#[case::limits("limits", "3")]
#[case::activity("activity", "4")]
#[case::a_question("delete", "d")]
#[case::a_form("upload", "u")]
fn a_pane_or_a_dialog_has_the_screen_to_itself(#[case] name: &str, #[case] keys: &str) {
    let mut state = plain(80, 24);
    press(&mut state, keys);
    assert_snapshot!(format!("plain_{name}"), draw_plain(&state, 80, 24));
}

#[rstest]
#[case::help("?")]
#[case::settings(",")]
#[case::palette("ctrl-p")]
fn a_character_stands_before_the_chosen_row_of_a_dialog(#[case] key: &str) {
    let mut state = plain(80, 24);
    press(&mut state, key);
    let chosen = |state: &State| {
        let (lines, _) = rows(state);
        let chosen = lines
            .iter()
            .filter(|line| line.trim_start_matches(['|', ' ']).starts_with("> "))
            .cloned();
        chosen.collect::<Vec<_>>()
    };
    let first = chosen(&state);
    press(&mut state, "down");
    let second = chosen(&state);
    assert_eq!((first.len(), second.len()), (1, 1), "{:#?}", rows(&state));
    assert_ne!(first, second);
}

#[test]
fn the_way_out_of_a_dialog_is_never_left_out() {
    for keys in ["e", "?", "u", ",", "d"] {
        let mut state = plain(80, 24);
        press(&mut state, &format!("G {keys}"));
        let (lines, _) = rows(&state);
        assert!(
            lines.iter().any(|line| line.contains(" esc ")),
            "{keys}: {lines:#?}"
        );
    }
}

#[test]
fn a_text_has_the_room_of_facts_that_decide_nothing_until_the_preview_is_hidden() {
    let mut state = prose();
    (state.panes.plain, state.size, state.settings.depth) = (true, (80, 24).into(), Depth::Mono);
    press(&mut state, "i");
    let facts = |state: &State| {
        let labels = [
            "access:", "size:", "type:", "updated:", "created:", "id:", "md5:", "link:",
        ];
        let (lines, _) = rows(state);
        let has = |label: &&str| {
            lines.iter().any(|line| {
                line.trim_start_matches(['|', ' '])
                    .starts_with(&format!("{label} "))
            })
        };
        labels.into_iter().filter(has).collect::<Vec<_>>()
    };
    assert_eq!(facts(&state), ["access:", "size:", "type:", "updated:"]);
    assert!(
        rows(&state)
            .0
            .iter()
            .any(|line| line.contains("P shows all facts")),
        "{:#?}",
        rows(&state)
    );
    let mut alone = state.clone();
    press(&mut alone, "P");
    assert_eq!(facts(&alone).len(), 8, "{:#?}", rows(&alone));
    press(&mut state, "+");
    let zoomed = rows(&state).0.join("\n");
    assert!(
        [" id ", "created ", "path ", "md5 "]
            .iter()
            .all(|fact| zoomed.contains(fact)),
        "{zoomed}"
    );
}

#[test]
fn signs_that_say_what_words_say_are_left_out() {
    let mut state = plain(80, 24);
    let (lines, _) = rows(&state);
    assert!(
        lines[1].contains(" by name ") && !lines[1].contains('^'),
        "{lines:#?}"
    );
    press(&mut state, "2");
    let (lines, _) = rows(&state);
    let line = |words: &str| lines.iter().find(|line| line.contains(words)).unwrap();
    assert!(
        line("37 of 60 MB").starts_with("|       Upload"),
        "{lines:#?}"
    );
    assert!(
        line("Delete /terms.pdf").starts_with("|     x Delete"),
        "{lines:#?}"
    );
    assert!(line("waiting 7 s").contains("   waiting"), "{lines:#?}");
    press(&mut state, "3");
    let (lines, _) = rows(&state);
    let overall = lines
        .iter()
        .position(|line| line.contains("3,088 of 8,000"))
        .unwrap();
    assert!(lines[overall + 2].contains("by object type"), "{lines:#?}");
}

#[rstest]
fn nothing_is_drawn_that_cannot_be_said(
    #[values((50, 12), (80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
    #[values(
        "",
        "T",
        "i",
        "/ n o",
        "2",
        "2 j j j l",
        "3",
        "4",
        "d",
        "D",
        "u",
        "u down down down down",
        "I",
        "e",
        "?",
        "@",
        "g",
        "y u",
        ",",
        "ctrl-t",
        "ctrl-t j j",
        "ctrl-p",
        "g t",
        "g t enter enter"
    )]
    keys: &str,
) {
    let mut state = plain(cols, rows);
    press(&mut state, keys);
    let (lines, (x, y)) = self::rows(&state);
    let drawn = lines.join("\n");
    let strange = drawn.chars().find(|c| !c.is_ascii());
    assert_eq!(strange, None, "{drawn}");
    assert!(
        !drawn.contains("---") && !drawn.contains("###"),
        "lines and bars:\n{drawn}"
    );
    assert!((x, y) != (0, 0), "the cursor is somewhere:\n{drawn}");
}

#[rstest]
#[case::in_the_list("", "j", 0)]
#[case::a_mark("", "space", 2)]
#[case::in_the_tree("T", "k", 0)]
#[case::tasks("2", "j", 0)]
#[case::limits("3", "j", 0)]
#[case::buttons("d", "tab", 1)]
#[case::a_letter("/", "n", 24)]
fn a_key_changes_few_rows_and_the_cursor_goes_along(
    #[case] before: &str,
    #[case] key: &str,
    #[case] most: usize,
) {
    let mut state = plain(80, 24);
    press(&mut state, before);
    let (old, old_cursor) = rows(&state);
    press(&mut state, key);
    let (new, new_cursor) = rows(&state);
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    assert!(
        changed <= most,
        "{changed} rows changed:\n{}\n{}",
        old.join("\n"),
        new.join("\n")
    );
    assert_ne!(old_cursor, new_cursor);
}

#[test]
fn rows_stay_until_their_page_is_left() {
    let mut state = plain(80, 24);
    let (old, (_, first)) = rows(&state);
    press(&mut state, "j j j j j j j j j j");
    let (new, (_, last)) = rows(&state);
    assert_eq!((old, last - first), (new, 10));
    press(&mut state, "j j j j j j j j j j");
    let (next, (_, at)) = rows(&state);
    assert!(
        next[at].contains(&*state.files.listing.current().unwrap().name),
        "{}",
        next.join("\n")
    );
}

#[test]
fn what_works_moves_nothing() {
    let mut state = plain(80, 24);
    assert!(state.is_moving());
    for view in [View::Files, View::Limits, View::Activity] {
        state.view = view;
        let wake = state.next_wake().unwrap();
        assert!(
            wake.duration_since(state.now) >= SignedDuration::from_secs(1),
            "{view:?}: {wake}"
        );
    }
}

#[test]
fn a_picture_is_not_asked_for() {
    let mut state = plain(80, 24);
    press(&mut state, "i");
    assert_eq!(state.previewed(), None);
    assert!(draw_plain(&state, 80, 24).contains("Without colors there are no pictures"));
}

#[test]
fn what_is_cut_ends_in_three_dots() {
    let mut state = plain(80, 24);
    for keys in ["", "2", "3 enter"] {
        press(&mut state, keys);
        let (lines, _) = rows(&state);
        let is_cut =
            |line: &String| line.contains('~') && !line.contains(" ~ ") && !line.contains("~/");
        assert!(!lines.iter().any(is_cut), "{lines:#?}");
    }
    press(&mut state, "2");
    let (lines, _) = rows(&state);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("Import https://cdn.exa... ")),
        "{lines:#?}"
    );
}

#[rstest]
#[case::help("?", "enter run")]
#[case::limits("3", "enter open")]
fn the_keys_that_count_come_first(#[case] keys: &str, #[case] expected: &str) {
    let mut state = plain(80, 24);
    press(&mut state, keys);
    let (lines, _) = rows(&state);
    assert!(
        lines.iter().any(|line| line.contains(expected)),
        "{lines:#?}"
    );
}

#[test]
fn copies_name_the_keys_that_they_are_found_for() {
    let mut state = super::search::duplicates();
    (state.panes.plain, state.size) = (true, (80, 24).into());
    let keys = |state: &State| rows(state).0.pop().unwrap();
    assert!(
        keys(&state).contains("space mark    d delete"),
        "{}",
        keys(&state)
    );
    state.session.account.read_only = true;
    assert!(!keys(&state).contains("d delete"), "{}", keys(&state));
}

#[test]
fn how_bad_it_is_and_where_it_goes_is_said_without_signs() {
    let mut state = plain(80, 24);
    press(&mut state, "3");
    let (lines, _) = rows(&state);
    let line = |words: &str| lines.iter().find(|line| line.contains(words)).unwrap();
    assert!(
        line("Subscriptions  ").contains(" !!  100% ") && line("Contacts  ").contains(" !    87% "),
        "{lines:#?}"
    );
}
