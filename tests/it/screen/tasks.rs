//! The tasks view and the activity log.

use std::sync::Arc;

use filedeck::api::{Error, Kind};
use filedeck::engine::message::FolderRef;
use filedeck::engine::{Batch, Job};
use filedeck::tui::state::{MessageLevel, State, TaskRow, Tasks, View};
use insta::assert_snapshot;
use rstest::rstest;

use super::library::{browsing, not_found, upload_on_the_demo, with_items, with_tasks};
use super::snapshot::{draw, draw_text};
use crate::support::queue::{ended, older, queued};

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn every_status_of_a_task(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    with_tasks(&mut state);
    state.view = View::Tasks;
    state.session.tasks.move_cursor(|cursor| cursor.go_to(1));
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
    state.session.tasks.move_cursor(|cursor| cursor.go_to(3));
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
    assert!(
        drawn.contains("In the files (1), u uploads files and I imports from an address."),
        "{drawn}"
    );
    state.session.account.read_only = true;
    let drawn = draw_text(&state, 80, 24);
    assert!(
        drawn.contains("1 returns to the files. The account is read-only."),
        "{drawn}"
    );
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
    let job = Job::CreateFolder {
        parent: FolderRef::root(),
        name: "in".to_owned(),
    };
    let task = |id| queued(id, std::slice::from_ref(&job), state.now);
    let batches = [1, 2, 3, 4, 5, 6].map(|id| {
        let failed = usize::from(id > 4);
        ended(task(id), 1 - failed, failed, state.now)
    });
    state.session.tasks.set_view(older(&batches), state.now);
    state.session.tasks.turn();
    state.view = View::Tasks;
    assert_snapshot!(format!("tasks_older_{name}"), draw(&state, cols, rows));
}

fn failed_import() -> State {
    let mut state = browsing();
    with_tasks(&mut state);
    let batch = state
        .session
        .tasks
        .all()
        .iter()
        .find(|batch| batch.has_failed() && batch.counts.total == 1);
    let mut batch = Batch::clone(batch.unwrap());
    let why = "The address http://127.0.0.1:9/none.png did not answer, so that nothing was stored";
    batch.failure = Some(("/none.png".to_owned(), Error::new(Kind::TaskFailed, why)));
    state.session.tasks.end(&Arc::new(batch.clone()));
    state.view = View::Tasks;
    let row = (0..state.session.tasks.len())
        .find(|row| matches!(state.session.tasks.at(*row), Some(TaskRow::Batch(known)) if known.id == batch.id));
    state
        .session
        .tasks
        .move_cursor(|cursor| cursor.go_to(row.unwrap()));
    state
}

#[test]
fn a_failure_has_the_room_that_names_do_not_need_and_its_details_begin_with_it() {
    let state = failed_import();
    let drawn = draw_text(&state, 200, 60);
    assert!(
        drawn.lines().any(|line| line.contains("✗ Delete")
            && line.contains("The address")
            && line.contains("nothing was stored")),
        "{drawn}"
    );
    let drawn = draw_text(&state, 80, 24);
    let line = |words: &str| {
        drawn
            .lines()
            .position(|line| line.contains(words))
            .unwrap_or(usize::MAX)
    };
    assert!(line("Failed  The address") < line("Queued "), "{drawn}");
    assert_ne!(line("retries what failed"), usize::MAX, "{drawn}");
    assert!(
        !drawn.contains("State  failed"),
        "the reason says it: {drawn}"
    );
}

#[test]
fn on_a_low_screen_the_reason_and_the_key_are_whole_beside_a_long_list() {
    let state = failed_import();
    assert!(state.session.tasks.len() > 5);
    let drawn = draw_text(&state, 60, 15);
    let text = drawn
        .replace(['|', '│', '\n'], " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let why =
        "Failed The address http://127.0.0.1:9/none.png did not answer, so that nothing was stored";
    assert!(text.contains(why), "{drawn}");
    assert!(text.contains("Next r retries what failed"), "{drawn}");
    // There are three rows beside it.
    assert!(
        drawn.lines().position(|line| line.contains("╭─ Delete")) >= Some(7),
        "{drawn}"
    );
}

#[test]
fn of_several_items_the_reason_comes_before_the_state() {
    let mut state = failed_import();
    let mut batch = state.session.tasks.selected_batch().cloned().unwrap();
    (batch.counts.total, batch.counts.done) = (5, 4);
    state.session.tasks.end(&Arc::new(batch.clone()));
    let drawn = draw_text(&state, 60, 15);
    assert!(
        drawn.contains("The address") && drawn.contains("r retries what failed"),
        "{drawn}"
    );
}

#[test]
fn a_task_that_failed_is_told_with_the_keys_that_retry_it() {
    let mut state = browsing();
    let error = Error::new(Kind::TaskFailed, "The address gave no answer");
    state.say_task_failed("Import of none.png", &error);
    let drawn = draw_text(&state, 120, 40);
    assert!(
        drawn.contains("no answer. 2, then r retries it."),
        "{drawn}"
    );
    let gone = Error::new(
        Kind::TaskFailed,
        "Got status 404 instead of a file from the url.",
    );
    let mut longer = browsing();
    longer.say_task_failed("Import of 2 addresses: 1 of 2 failed", &gone);
    let drawn = draw_text(&longer, 80, 24);
    let whole = [
        "✗ Import of 2 addresses: 1 of 2 failed: ",
        " 2, then r retries it.  4 shows all",
    ];
    assert!(whole.iter().all(|part| drawn.contains(part)), "{drawn}");
    state.view = View::Activity;
    let drawn = draw_text(&state, 120, 40);
    assert_eq!(drawn.matches("no answer").count(), 1, "{drawn}");
    assert!(drawn.contains("2, then r retries it."), "{drawn}");
    state.view = View::Tasks;
    state.say_task_failed("Import of none.png", &error);
    let drawn = draw_text(&state, 80, 24);
    assert!(
        drawn.contains("✗ Import of none.png. Press r to retry it.")
            && !drawn.contains("no answer"),
        "{drawn}"
    );
}

#[test]
fn older_tasks_stand_under_the_row_that_folds_them() {
    let mut state = failed_import();
    let batch = state.session.tasks.selected_batch().cloned().unwrap();
    let mut tasks = Tasks::default();
    tasks.set_view(older(&[batch]), state.now);
    state.session.tasks = tasks;
    let drawn = draw_text(&state, 80, 24);
    let column = |words: &str| {
        drawn
            .lines()
            .find_map(|line| Some(line.split_once(words)?.0.chars().count()))
            .unwrap()
    };
    assert_eq!(column("✗ Delete"), column("1 older task") + 2, "{drawn}");
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
        format!(
            "Canceled download: {} of 9 items done, 1 not done.",
            "a-long-name ".repeat(8)
        ),
    );
    state.view = View::Activity;
    let drawn = draw_text(&state, 80, 24);
    let pane: Vec<&str> = drawn
        .lines()
        .skip_while(|line| !line.contains("╭─ Warning, 2026-11-21 09:30:00 UTC "))
        .collect();
    assert!(
        pane[2].contains("1 not done.") && pane[3].contains('╰'),
        "{drawn}"
    );
}

#[rstest]
#[case::narrow(80, 24)]
#[case::low(100, 30)]
fn a_row_says_as_much_of_a_reason_as_it_has_room_for(#[case] cols: u16, #[case] rows: u16) {
    let mut state = failed_import();
    state.view = View::Tasks;
    let drawn = draw_text(&state, cols, rows);
    let row = drawn
        .lines()
        .find(|line| line.contains("✗ Delete"))
        .unwrap();
    assert!(
        row.contains("The address http") && row.contains('…'),
        "{drawn}"
    );
}
