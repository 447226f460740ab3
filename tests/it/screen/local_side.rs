//! The local list beside the account's.

use std::ffi::OsString;

use filedeck::api::{Error, Kind};
use filedeck::engine::local_entry::LocalEntry;
use filedeck::engine::preview::{Class, Preview, PreviewText};
use filedeck::tui::message::Msg;
use filedeck::tui::state::{Beside, Mode, Pane, PreviewState, State};
use filedeck::tui::update::update;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{browsing, now};
use super::preview::sunset;
use super::snapshot::{draw, draw_plain, draw_text};

pub(super) fn entry(name: impl Into<OsString>, size: Option<u64>, hours: i64) -> LocalEntry {
    let updated_at = Some(now() - SignedDuration::from_hours(hours));
    LocalEntry {
        name: name.into(),
        is_folder: size.is_none(),
        size,
        updated_at,
    }
}

#[cfg(unix)]
pub(super) fn no_text() -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(b"caf\xe9 \xff.txt".to_vec())
}

fn entries() -> Vec<LocalEntry> {
    vec![
        entry("drafts", None, 30),
        entry("banners", None, 700),
        entry("hero-banner@2x.jpg", Some(1_702_113), 2),
        entry("launch-plan.md", Some(15_004), 5),
        entry("prices.csv", Some(3_012), 200),
        entry("teaser.mp4", Some(38_000_000), 26),
        entry(".env", Some(12), 9),
        entry("clear\u{1b}[2J.txt", Some(9), 1),
        entry("gpj\u{202e}exe.sh", Some(9), 1),
        #[cfg(unix)]
        entry(no_text(), Some(1), 1),
    ]
}

/// The list is open with the focus on it; two of its rows are marked.
pub(super) fn open() -> State {
    let mut state = browsing();
    state.mode = Mode::Lists(Beside::ThisMachine);
    state.local_side.folder = "/home/ada/launch".into();
    state.local_side.store_entries(entries());
    (state.local_side.is_stale, state.local_side.has_details) = (false, true);
    state.focus = Pane::Local;
    for _ in 0..2 {
        let to = state.local_side.list.cursor().at() + 1;
        state.local_side.list.move_to(to);
        state.local_side.list.toggle_mark();
    }
    state
}

fn press(state: &mut State, keys: &str) {
    for key in keys.split_whitespace() {
        update(state, Msg::Key(key.parse().unwrap()));
    }
}

#[rstest]
fn it_has_the_place_of_the_tree(
    #[values((80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
) {
    let mut state = open();
    state.size = (cols, rows).into();
    assert_snapshot!(format!("local_{cols}x{rows}"), draw(&state, cols, rows));
}

#[rstest]
#[case::other_side("other_side", "tab")]
#[case::filtered("filtered", "/ p l a n")]
#[case::details("details", "G k enter")]
fn it_has_states(#[case] name: &str, #[case] keys: &str) {
    let mut state = open();
    press(&mut state, keys);
    assert_snapshot!(format!("local_{name}"), draw(&state, 80, 24));
}

#[test]
fn a_folder_that_cannot_be_read_says_why() {
    let mut state = open();
    state.local_side.clear_marks();
    state.local_side.fail(Error::new(
        Kind::Local,
        "Cannot list /home/ada/\u{1b}[2J: permission denied",
    ));
    assert_snapshot!("local_failed", draw(&state, 80, 24));
}

#[test]
fn read_aloud_it_has_the_screen_to_itself() {
    let mut state = open();
    state.panes.plain = true;
    assert_snapshot!("local_plain", draw_plain(&state, 80, 24));
}

#[rstest]
fn files_are_chosen_for_a_dialog(
    #[values((80, 24), (120, 40), (200, 60))] (cols, rows): (u16, u16),
) {
    let mut state = browsing();
    state.size = (cols, rows).into();
    press(&mut state, "u ctrl-o");
    state.local_side.store_entries(entries());
    press(&mut state, "j space space");
    assert_snapshot!(
        format!("local_choosing_{cols}x{rows}"),
        draw(&state, cols, rows)
    );
}

#[rstest]
fn a_local_picture_is_previewed(#[values((120, 40), (200, 60))] (cols, rows): (u16, u16)) {
    let mut state = open();
    state.size = (cols, rows).into();
    state.local_side.clear_marks();
    press(&mut state, "/ h e r o enter");
    if cols < 200 {
        press(&mut state, "enter");
    }
    let key = state.previewed().unwrap();
    state.files.previews.keep(
        key,
        PreviewState::Seen(Preview::Picture(sunset())),
        state.now,
    );
    assert_snapshot!(
        format!("local_preview_{cols}x{rows}"),
        draw(&state, cols, rows)
    );
}

#[test]
fn a_local_text_that_goes_on_names_the_keys_that_show_the_rest() {
    let mut state = open();
    state.size = (200, 60).into();
    state.local_side.clear_marks();
    press(&mut state, "/ h e r o enter");
    let key = state.previewed().unwrap();
    let text = |lines: usize| {
        let lines = (0..lines)
            .map(|line| vec![(Class::Plain, format!("line {line}"))])
            .collect();
        PreviewState::Seen(Preview::Text(PreviewText {
            lines,
            is_prose: false,
            cut: None,
        }))
    };
    state.files.previews.keep(key.clone(), text(90), state.now);
    let drawn = draw_text(&state, 200, 60);
    assert!(drawn.contains("─ J K scroll ─"), "{drawn}");
    state.files.previews.keep(key, text(2), state.now);
    assert!(!draw_text(&state, 200, 60).contains("J K scroll"));
}

/// The styles of the row with this name in the choice that a dialog opens.
fn styles_in_choice(dialog: &str, name: &str) -> String {
    let mut state = browsing();
    for key in ["esc", dialog, "ctrl-o"] {
        update(&mut state, Msg::Key(key.parse().unwrap()));
    }
    state.local_side.store_entries(entries());
    let drawn = draw(&state, 120, 40);
    let row = drawn.lines().position(|line| line.contains(name)).unwrap();
    let row = format!("{row}: ");
    drawn
        .lines()
        .find(|line| line.starts_with(&row))
        .unwrap()
        .to_owned()
}

#[test]
fn files_that_cannot_replace_another_are_dim_in_the_choice() {
    for (name, can_replace) in [("teaser.mp4", false), ("banners", true)] {
        let is_same = styles_in_choice("R", name) == styles_in_choice("u", name);
        assert_eq!(is_same, can_replace, "{name}");
    }
}
