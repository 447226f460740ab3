//! Overlays over the panes and below them: the last result, the box of possible keys; and screens
//! that are too small.

use std::collections::HashSet;

use filedeck::config::AccountSource;
use filedeck::tui::keymap::Key;
use filedeck::tui::state::{MessageLevel, State, Switch, View};
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::dialogs::press;
use super::library::{browsing, not_found, now};
use super::snapshot::{draw, draw_text};

#[test]
fn the_last_result_has_the_line_above_the_hints() {
    let mut state = browsing();
    state.say(MessageLevel::Info, "Uploaded banner-06.png");
    state.say_failed("Delete terms.pdf failed", &not_found());
    assert_snapshot!(draw(&state, 80, 24));
}

pub(super) fn which_key() -> State {
    let mut state = browsing();
    state.pending = vec![Key::char('y')];
    state.pending_since = Some(now() - SignedDuration::from_millis(300));
    state
}

#[test]
fn a_prefix_shows_what_may_follow_after_a_while() {
    let mut state = which_key();
    state.pending_since = Some(now() - SignedDuration::from_millis(200));
    assert!(!draw_text(&state, 80, 24).contains("p Path"));
    let state = which_key();
    assert_snapshot!(draw(&state, 80, 24));
    assert!(
        draw_text(&state, 80, 24).contains("c Curl command (no token) "),
        "whole"
    );
    let low = draw_text(&state, 60, 15);
    for (key, _) in state.which_key().unwrap().rows {
        assert!(low.contains(&format!(" {key} ")), "{key}: {low}");
    }
}

#[test]
fn the_menu_of_links_says_what_is_copied_and_which_link() {
    let mut state = browsing();
    let shown = |state: &mut State, keys: &str, title: &str, link: &str| {
        press(state, keys);
        let mut menu = which_key();
        (menu.session, menu.files) = (state.session.clone(), state.files.clone());
        let drawn = draw_text(&menu, 80, 24);
        assert!(drawn.contains(title) && drawn.contains(link), "{drawn}");
    };
    shown(
        &mut state,
        "",
        "─ Copy · 2 marked  y … ─",
        "y Best link: signed if not public ",
    );
    shown(
        &mut state,
        "esc",
        "─ Copy · banner-01.png  y … ─",
        "y Best link: plain (public) ",
    );
    shown(
        &mut state,
        "j j",
        "─ Copy · contract-draft.pdf  y … ─",
        "y Best link: signed (not public) ",
    );
}

#[test]
fn a_menu_on_a_wide_screen_has_no_more_columns_than_it_needs() {
    let drawn = draw_text(&which_key(), 200, 60);
    let rows: Vec<&str> = drawn
        .lines()
        .skip_while(|line| !line.contains("─ Copy "))
        .skip(1)
        .collect();
    let menu = rows.iter().take_while(|row| !row.contains('╯')).count();
    assert_eq!(menu, 6, "{drawn}");
    assert!(
        rows[0].contains("y Best link") && rows[0].contains("n Name"),
        "{drawn}"
    );
}

#[test]
fn what_can_be_copied_is_told_apart_by_its_first_word() {
    let drawn = draw_text(&which_key(), 60, 15);
    let rows = drawn
        .lines()
        .skip_while(|line| !line.contains("─ Copy "))
        .skip(1);
    let cells = rows
        .filter_map(|row| row.split('│').nth(1))
        .flat_map(|row| row.split("  "));
    let words = cells.filter_map(|cell| cell.trim().split_once(' ')?.1.split_whitespace().next());
    let (mut words, mut seen): (Vec<&str>, HashSet<&str>) = (words.collect(), HashSet::new());
    assert!(words.len() >= 11, "{drawn}");
    words.retain(|word| !seen.insert(*word));
    assert!(words.is_empty(), "{words:?} twice:\n{drawn}");
}

#[test]
fn an_account_that_is_being_opened_is_named() {
    let mut state = browsing();
    let session = state.mint_session();
    state.switch = Some(Switch {
        is_beside: false,
        session,
        source: AccountSource::Demo,
        view: View::Files,
        path: None,
        open: None,
        message: None,
    });
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("connecting to demo  esc cancels"), "{drawn}");
}

#[rstest]
#[case::narrow(49, 24, "Too small: 49x24. filedeck needs 50x12.")]
#[case::low(80, 11, "Too small: 80x11. filedeck needs 50x12.")]
#[case::tiny(9, 4, "Too")]
fn a_screen_that_is_too_small_says_so(#[case] cols: u16, #[case] rows: u16, #[case] text: &str) {
    let drawn = draw_text(&browsing(), cols, rows);
    assert!(drawn.contains(text), "{drawn}");
    assert!(!drawn.contains("banner"), "{drawn}");
}

#[test]
fn every_size_can_be_drawn_and_leaves_the_list_some_rows() {
    let state = browsing();
    for cols in [1, 2, 49, 50, 79, 99, 100, 119, 159, 160, 161, 500] {
        for rows in [1, 2, 11, 12, 13, 16, 17, 21, 22, 24, 38, 39, 60, 200] {
            let drawn = draw_text(&state, cols, rows);
            if cols >= 50 && rows >= 12 {
                let listed =
                    drawn.matches(" private ").count() + drawn.matches(" unlisted ").count();
                assert!(listed >= 4, "{cols}x{rows}\n{drawn}");
            }
        }
    }
}
