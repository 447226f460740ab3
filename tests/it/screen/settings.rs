//! What the user has set, and what is wrong about it.

use filedeck::config::{Column, Dates};
use insta::assert_snapshot;
use rstest::rstest;

use super::library::browsing;
use super::snapshot::draw_text;

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn a_start_with_warnings_says_the_first_and_how_many_there_are(
    #[case] name: &str,
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = browsing();
    state.warn_at_start(
        &[
            "config.toml, line 3: symbols = \"fancy\" is none of auto, unicode, ascii, nerd; auto is used",
            "config.toml, line 9: unknown key 'sparkle' is passed over",
            "keys.toml, line 2: [files] upload = \"d\" cannot be: delete has it by default; u is kept",
        ]
        .map(str::to_owned),
    );
    let frame = draw_text(&state, cols, rows);
    let status: Vec<&str> = frame.lines().rev().skip(1).take(1).collect();
    assert_snapshot!(format!("warnings_{name}"), status.concat());
    state.view = filedeck::tui::state::View::Activity;
    assert_snapshot!(format!("warnings_listed_{name}"), draw_text(&state, cols, rows));
}

#[test]
fn the_list_has_the_columns_and_the_dates_that_were_asked_for() {
    let mut state = browsing();
    state.columns = vec![Column::Expires, Column::Created, Column::Updated, Column::Access];
    state.dates = Dates::Absolute;
    assert_snapshot!("columns_narrow", draw_text(&state, 80, 24));
    state.columns = vec![Column::Size];
    assert_snapshot!("columns_few", draw_text(&state, 80, 24));
}
