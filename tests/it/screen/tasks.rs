//! The tasks view and the activity log.

use filedeck::tui::state::{Level, View};
use insta::assert_snapshot;
use rstest::rstest;

use super::library::{browsing, not_found, with_tasks};
use super::snapshot::{draw, draw_text};

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
fn every_status_of_a_task(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    with_tasks(&mut state);
    state.view = View::Tasks;
    state.desk.ops.cursor = 1;
    assert_snapshot!(format!("tasks_{name}"), draw(&state, cols, rows));
}

#[test]
fn no_tasks_are_said_in_words() {
    let mut state = browsing();
    state.view = View::Tasks;
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("No tasks yet.") && drawn.contains("1 goes back to the files."), "{drawn}");
}

#[test]
fn the_activity_log_shows_the_whole_error_under_the_cursor() {
    let mut state = browsing();
    state.say(Level::Info, "Uploaded banner-06.png");
    state.say_failed("Delete terms.pdf failed", &not_found());
    state.toasts.clear();
    state.view = View::Activity;
    assert_snapshot!(draw(&state, 80, 24));
}
