//! The screen on bad days, and on the first day.

use filedeck::api::{Error, Kind};
use filedeck::engine::JobKind;
use filedeck::tui::state::State;
use insta::assert_snapshot;
use jiff::SignedDuration;
use rstest::rstest;

use super::library::{browsing, now};
use super::snapshot::{draw, draw_plain, draw_text};
use crate::support::changed::changed;

fn denied() -> State {
    let error = changed(Error::new(Kind::Forbidden, "no"), |error| {
        error.category = Some("MISSING_SCOPES".to_owned());
        error.details = vec!["requiredGranularScopes: files, files.write".to_owned()];
    });
    let mut state = browsing();
    state
        .session
        .denied_actions
        .record(JobKind::Upload, Some(&error));
    state
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn what_the_token_may_not_do_is_grayed(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    assert_snapshot!(format!("denied_{name}"), draw(&denied(), cols, rows));
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn the_first_start_says_where_one_is(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    let mut state = browsing();
    state.is_first_run = true;
    assert_snapshot!(format!("first_run_{name}"), draw(&state, cols, rows));
}

#[test]
fn a_screen_reader_hears_five_lines_of_the_first_start() {
    let mut state = browsing();
    (state.is_first_run, state.panes.plain) = (true, true);
    assert_snapshot!("first_run_plain", draw_plain(&state, 80, 24));
}

#[rstest]
#[case::offline(Kind::Unreachable, "offline")]
#[case::portal(Kind::Portal, "sign in")]
#[case::day(Kind::DaySpent, "day limit")]
fn the_head_says_why_nothing_comes(#[case] kind: Kind, #[case] words: &str) {
    let mut state = browsing();
    state.session.connection.record(Some(kind), now());
    for (cols, rows) in [(80, 24), (120, 40), (200, 60)] {
        let drawn = draw_text(&state, cols, rows);
        assert!(drawn.lines().next().unwrap().contains(words), "{drawn}");
    }
}

#[test]
fn ages_are_those_of_the_services_clock_where_ours_is_wrong() {
    let right = browsing();
    let mut wrong = right.clone();
    wrong.session.clock_ahead = SignedDuration::from_hours(30);
    wrong.now = now() - SignedDuration::from_hours(30);
    let rows = |state: &State| {
        let drawn = draw_text(state, 120, 40);
        drawn
            .lines()
            .filter(|line| line.contains("banner"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&wrong), rows(&right));
    wrong.session.clock_ahead = SignedDuration::ZERO;
    assert_ne!(rows(&wrong), rows(&right));
}
