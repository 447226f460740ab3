//! The tasks view and the activity log.

use filedeck::tui::state::{MessageLevel, View};
use insta::assert_snapshot;
use rstest::rstest;

use super::library::{browsing, not_found, upload_on_the_demo, with_items, with_tasks};
use super::snapshot::{draw, draw_text};
use crate::support::queue::older;

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn every_status_of_a_task(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    with_tasks(&mut state);
    state.view = View::Tasks;
    state.current.tasks.move_to(1);
    assert_snapshot!(format!("tasks_{name}"), draw(&state, cols, rows));
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn every_status_of_an_item(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    with_items(&mut state);
    state.view = View::Tasks;
    state.current.tasks.move_to(3);
    assert_snapshot!(format!("items_{name}"), draw(&state, cols, rows));
}

#[rstest]
#[case::view("view", View::Tasks, 80, 24)]
#[case::strip("strip", View::Files, 120, 40)]
#[case::line("line", View::Files, 80, 24)]
fn tasks_of_an_account_that_was_left_have_its_name(
    #[case] name: &str,
    #[case] view: View,
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = browsing();
    upload_on_the_demo(&mut state);
    state.view = view;
    assert_snapshot!(format!("tasks_away_{name}"), draw(&state, cols, rows));
}

#[test]
fn no_tasks_are_said_in_words() {
    let mut state = browsing();
    state.view = View::Tasks;
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("No tasks yet."), "{drawn}");
    assert!(drawn.contains("In the files (1), u uploads files and I imports from an address."), "{drawn}");
    state.current.account.read_only = true;
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("1 returns to the files. The account is read-only."), "{drawn}");
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
fn where_all_tasks_are_older_their_row_says_what_failed_and_the_rest_how_to_begin(
    #[case] name: &str,
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = browsing();
    state.current.tasks.take(older(6, 2), state.now);
    state.view = View::Tasks;
    assert_snapshot!(format!("tasks_older_{name}"), draw(&state, cols, rows));
}

#[test]
fn the_activity_log_shows_the_error_behind_the_row_under_the_cursor() {
    let mut state = browsing();
    state.say(MessageLevel::Info, "Uploaded banner-06.png");
    state.say_failed("Delete terms.pdf failed", &not_found());
    state.status.clear();
    state.view = View::Activity;
    assert_snapshot!(draw(&state, 80, 24));
    assert_snapshot!("activity_medium", draw_text(&state, 120, 40));
    assert_snapshot!("activity_wide", draw_text(&state, 200, 60));
}

#[test]
fn a_row_that_says_everything_has_no_pane_below_it() {
    let mut state = browsing();
    state.say(MessageLevel::Info, "Uploaded banner-06.png");
    state.view = View::Activity;
    let drawn = draw_text(&state, 80, 24);
    assert_eq!(drawn.matches('╭').count(), 1, "{drawn}");
}

#[test]
fn a_row_that_is_cut_is_whole_in_a_pane_as_tall_as_its_text() {
    let mut state = browsing();
    state.say(
        MessageLevel::Warn,
        format!("Canceled download: {} of 9 items done, 1 not done.", "a-long-name ".repeat(8)),
    );
    state.view = View::Activity;
    let drawn = draw_text(&state, 80, 24);
    let pane: Vec<&str> =
        drawn.lines().skip_while(|line| !line.contains("╭─ Warning, 2026-11-21 09:30:00 UTC ")).collect();
    assert!(pane[2].contains("1 not done.") && pane[3].contains('╰'), "{drawn}");
}
