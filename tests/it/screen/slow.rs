//! The screen while a response is late: waits are shown as waits, and no outdated figure is shown.

use std::time::Duration;

use filedeck::api::Kind;
use filedeck::engine::message::{FolderRef, Progress, WaitReason};
use filedeck::tui::message::Msg;
use filedeck::tui::state::{ListRead, MessageLevel, PageRead, State, View};
use filedeck::tui::update::update;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{blank, browsing, not_found, with_tasks};
use super::snapshot::draw_text;

fn reading(progress: &Progress) -> State {
    let mut state = blank();
    let op = state.session.ops.read(PageRead);
    state.files.listing.of = FolderRef::root().into();
    state.files.listing.ask(op, ListRead::First);
    let now = state.now;
    state.session.ops.advance_read(op, progress, now);
    state
}

fn wait(reason: WaitReason) -> Progress {
    Progress::Waiting {
        wait: Duration::from_secs(7),
        reason,
    }
}

#[rstest]
#[case::no_answer(Progress::Started, 12, "Reading / … 12 s without an answer")]
#[case::rate_limit(
    wait(WaitReason::RateLimit),
    0,
    "Reading /: waiting 7 s for the rate limit"
)]
#[case::counted_down(
    wait(WaitReason::RateLimit),
    5,
    "Reading /: waiting 2 s for the rate limit"
)]
#[case::retry(
    wait(WaitReason::Retry(Kind::Timeout)),
    0,
    "Reading /: no answer came in time, trying again in 7 s"
)]
fn a_folder_that_is_late_says_why(
    #[case] progress: Progress,
    #[case] seconds: i64,
    #[case] words: &str,
) {
    let mut state = reading(&progress);
    state.now += SignedDuration::from_secs(seconds);
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains(words), "{drawn}");
}

#[test]
fn the_header_says_that_rows_are_read_again_and_what_that_waits_for() {
    let mut state = browsing();
    let op = state.session.ops.read(PageRead);
    state.files.listing.ask(op, ListRead::First);
    assert!(draw_text(&state, 80, 24).contains("reading …"));
    let now = state.now;
    state
        .session
        .ops
        .advance_read(op, &wait(WaitReason::RateLimit), now);
    let drawn = draw_text(&state, 120, 40);
    assert!(drawn.contains("waiting 7 s for the rate limit"), "{drawn}");
}

#[test]
fn a_transfer_that_stands_still_shows_no_speed() {
    let mut state = browsing();
    with_tasks(&mut state);
    state.view = View::Tasks;
    assert!(draw_text(&state, 120, 40).contains("3.1 MB/s"));
    state.now += SignedDuration::from_secs(20);
    let drawn = draw_text(&state, 120, 40);
    assert!(drawn.contains("nothing moves for 20 s"), "{drawn}");
    assert!(
        !drawn.contains("MB/s") && !drawn.contains("left ─"),
        "{drawn}"
    );
}

#[test]
fn the_first_names_have_their_place_before_they_come() {
    let waiting = reading(&Progress::Started);
    let drawn = super::snapshot::draw(&waiting, 80, 24);
    assert!(
        !drawn.contains("Reading") && drawn.contains("on track"),
        "{drawn}"
    );
}

#[test]
fn the_activity_log_is_not_covered_by_what_it_says() {
    let mut state = browsing();
    state.say_failed("Delete terms.pdf failed", &not_found());
    state.say(MessageLevel::Info, "Uploaded /a.txt");
    state.view = View::Activity;
    assert_eq!(
        draw_text(&state, 80, 24).matches("Uploaded /a.txt").count(),
        1,
        "in the list alone"
    );
}

#[test]
fn a_request_budget_goes_from_the_screen_when_it_is_old() {
    let mut state = browsing();
    state
        .session
        .take_budget(state.session.budget.unwrap(), state.now);
    let due = state.next_wake().unwrap();
    assert!(draw_text(&state, 120, 40).contains("api 96/100"));
    update(&mut state, Msg::Clock(due));
    assert!(!draw_text(&state, 120, 40).contains("api "));
    assert!(state.next_wake() > Some(due), "nothing more of it is due");
}
