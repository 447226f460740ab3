//! The limits view, and the badge that warns from elsewhere.

use filedeck::api::model::AssociationLimits;
use filedeck::tui::state::{State, View};
use insta::assert_snapshot;
use rstest::rstest;

use super::library::{blank, browsing, not_found};
use super::snapshot::{draw, draw_text};

fn limits() -> State {
    let mut state = browsing();
    state.view = View::Limits;
    state
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn both_reports(#[case] name: &str, #[case] cols: u16, #[case] rows: u16) {
    assert_snapshot!(format!("limits_{name}"), draw(&limits(), cols, rows));
}

#[test]
fn no_type_near_its_limit_is_said_in_words() {
    let mut state = limits();
    state.desk.limits.associations.data = Some(AssociationLimits { results: Vec::new() });
    let drawn = draw_text(&state, 120, 40);
    assert!(drawn.contains("None near the limit."), "{drawn}");
}

#[test]
fn reports_that_are_on_their_way_or_failed_say_so() {
    let mut state = blank();
    state.view = View::Limits;
    let drawn = draw_text(&state, 80, 24);
    assert!(drawn.contains("Reading the limits …"), "{drawn}");
    state.desk.limits.properties.problem = Some(not_found());
    assert_snapshot!(draw(&state, 80, 24));
}
