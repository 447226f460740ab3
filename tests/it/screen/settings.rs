//! The user's settings, and the errors in them.

use filedeck::config::{Column, ConfigFile, Dates, TomlText};
use filedeck::tui::message::Msg;
use filedeck::tui::state::effect::Effect;
use filedeck::tui::state::{MessageLevel, State, View};
use filedeck::tui::update::update;
use insta::assert_snapshot;
use rstest::rstest;

use super::library::browsing;
use super::snapshot::{draw, draw_text};

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
            "config.toml, line 3: symbols = \"fancy\" is not one of auto, unicode, ascii, nerd; auto is used",
            "config.toml, line 9: unknown key 'sparkle' is ignored",
            "keys.toml, line 2: [files] upload = \"d\" is not possible: delete uses it by default; u is kept",
        ]
        .map(str::to_owned),
    );
    state.say(
        MessageLevel::Warn,
        "Limits passed 75% since the last start: Deals.",
    );
    let frame = draw_text(&state, cols, rows);
    let status: Vec<&str> = frame.lines().rev().skip(1).take(1).collect();
    assert_snapshot!(format!("warnings_{name}"), status.concat());
    state.view = View::Activity;
    assert_snapshot!(
        format!("warnings_listed_{name}"),
        draw_text(&state, cols, rows)
    );
}

#[test]
fn the_list_has_the_columns_and_the_dates_that_were_asked_for() {
    let mut state = browsing();
    state.columns = vec![
        Column::Expires,
        Column::Created,
        Column::Updated,
        Column::Access,
    ];
    state.dates = Dates::Absolute;
    assert_snapshot!("columns_narrow", draw_text(&state, 80, 24));
    state.columns = vec![Column::Size];
    assert_snapshot!("columns_few", draw_text(&state, 80, 24));
}

fn press(state: &mut State, keys: &str) -> Vec<Effect> {
    keys.split(' ')
        .flat_map(|key| update(state, Msg::Key(key.parse().unwrap())))
        .collect()
}

/// Settings from several sources, with the cursor on the third one.
pub(super) fn page() -> State {
    let mut state = browsing();
    let text = "theme = \"nord\"\n\ncolumns = [\"size\", \"updated\"]\naccount = \"acme-prod\"\ntree_width = 30\n";
    let found = ConfigFile::read(Ok(Some(TomlText::new("config.toml", text))));
    let others = [("plain", ("true".to_owned(), "--plain"))].into();
    state.settings.rows = found.config.in_force(&found.lines, &others);
    state.settings.config = found.config;
    press(&mut state, ", down down");
    state
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn the_page_of_settings_says_where_each_comes_from(
    #[case] name: &str,
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = page();
    assert_snapshot!(format!("settings_{name}"), draw_text(&state, cols, rows));
    assert_eq!(
        press(&mut state, "d e t a i l s tab"),
        [Effect::Copy("details_width = 36".to_owned())]
    );
    assert_snapshot!(
        format!("settings_copied_{name}"),
        draw_text(&state, cols, rows)
    );
}

#[rstest]
#[case::narrow("narrow", 80, 24)]
#[case::medium("medium", 120, 40)]
#[case::wide("wide", 200, 60)]
fn the_list_of_themes_leaves_the_screen_beside_it_as_it_is(
    #[case] name: &str,
    #[case] cols: u16,
    #[case] rows: u16,
) {
    let mut state = browsing();
    let before = draw(&state, cols, rows);
    press(&mut state, "ctrl-t j j j j j j j j j");
    assert_eq!(state.settings.theme(&state.dialogs), "nord");
    let drawn = draw(&state, cols, rows);
    // The header is neither covered nor shaded. Seen to fail when the screen behind is dimmed.
    let style_of_header = |drawn: &str| {
        drawn
            .lines()
            .find(|line| line.starts_with("0: "))
            .map(str::to_owned)
    };
    assert_eq!(style_of_header(&drawn), style_of_header(&before));
    assert_snapshot!(format!("themes_{name}"), drawn);
}

#[test]
fn what_a_setting_is_for_stands_beside_its_value_where_there_is_room() {
    let mut state = browsing();
    press(&mut state, ",");
    let [narrow, medium, wide] =
        [(80, 24), (100, 30), (120, 40)].map(|(cols, rows)| draw_text(&state, cols, rows));
    for drawn in [&narrow, &medium, &wide] {
        assert!(drawn.contains(" 19 settings "), "{drawn}");
    }
    let row = |drawn: &str| {
        drawn
            .lines()
            .find(|line| line.contains("  Mouse "))
            .unwrap()
            .to_owned()
    };
    assert!(!row(&narrow).contains("uses the mouse"), "{narrow}");
    for drawn in [&medium, &wide] {
        assert!(
            row(drawn).contains("on  ") && row(drawn).contains("Whether filedeck uses the mouse"),
            "{drawn}"
        );
    }
    // A setting without a source uses that space for its description.
    assert!(
        medium.contains("The most bytes a second of all transfers together"),
        "{medium}"
    );
    // The line between the two kinds of settings has a blank row above it.
    let rule = wide
        .lines()
        .position(|line| line.contains("─ only in "))
        .unwrap();
    assert!(
        !wide
            .lines()
            .nth(rule - 1)
            .unwrap()
            .contains(char::is_alphanumeric),
        "{wide}"
    );
}
