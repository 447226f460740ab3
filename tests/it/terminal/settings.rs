//! The program with the user's own settings, valid and invalid.

use super::session::Session;

const WRONG: &str = "\
theme = \"neon\"
symbols = \"fancy\"
sparkle = true
mouse = \"sometimes\"
limits_refresh = 0
keys = \"nowhere.toml\"

[accounts.acme]
read_only = true
";

#[test]
fn a_configuration_full_of_mistakes_does_not_end_the_start() {
    let mut session = Session::configured(WRONG);
    session.see("1 of 7 warnings: config.toml, line 2: symbols = \"fancy\" is not one of");
    session.send("4");
    for told in [
        "config.toml, line 1: theme = \"neon\" is not auto, dark",
        "config.toml, line 3: unknown key 'sparkle' is ignored",
        "config.toml, line 4: mouse = \"sometimes\" is not one of true, false; true is used",
        "config.toml, line 5: limits_refresh = 0 is not a whole number of seconds from 1 on; 60 is used",
        "config.toml, line 6: the key file that the setting names does not exist",
        "config.toml, line 8: the account 'acme' cannot be used",
    ] {
        session.see(told);
    }
    // The defaults are in force. Seen to fail when the missing theme is listed.
    session.send(",");
    for row in [
        "Theme          auto",
        "Symbols        auto",
        "Key file       not set",
    ] {
        session.see(row);
    }
    session.send("\x03q");
    session.ends_with(0);
}

#[test]
fn a_theme_of_the_users_own_is_found_beside_the_configuration() {
    let files = [
        ("config.toml", "theme = \"mine\"\n"),
        (
            "themes/mine.toml",
            "accent = \"#0a0b0c\"\nshine = \"red\"\n",
        ),
        ("keys.toml", "[files]\nupload = [\"d\"]\n"),
    ];
    let mut session = Session::with_files(&files);
    session.see("1 of 2 warnings: keys.toml, line 2: [files] upload leaves delete without a key");
    session.send("4");
    session.see("themes/mine.toml, line 2: a theme has no 'shine'; it is ignored");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_width_that_was_dragged_is_there_at_the_next_start() {
    let mut session = Session::configured("details_width = 50\n");
    session.see("╭─ Folders ────────────╮");
    session.send("\x1b[<0;24;11M\x1b[<32;30;11M\x1b[<0;30;11m");
    session.see("╭─ Folders ──────────────────╮");
    session.send("q");
    let dir = session.ends_with(0);
    let kept = std::fs::read_to_string(dir.path().join("STATE/panes.toml")).unwrap();
    assert_eq!(kept, "tree = 30\n");
}

#[test]
fn the_settings_are_listed_with_where_they_come_from() {
    let mut session = Session::configured("\ndates = \"absolute\"\n");
    session.send("\x10change settings\r");
    session.see("part of a setting");
    session.send("dates");
    session.see("config.toml, line 2");
    session.see("(dates in config.toml)");
    session.send("\t");
    session.see("Text sent to the terminal: dates = \"absolute\"");
    session.send("\x1b");
    session.pty.wait_for_no_text("copy for config.toml");
    session.send("q");
    session.ends_with(0);
}

/// Seen to fail when the choice is not saved, and when `config.toml` does not take precedence.
#[test]
fn a_theme_that_was_chosen_is_there_at_the_next_start_unless_config_toml_names_one() {
    let mut session = Session::configured("limits_refresh = 90\n");
    session.send("\x14\x1b[F\r");
    session.see("The theme is solarized-light now.");
    session.send(",symbols\r");
    session.see("chosen here");
    session.send("\x03q");
    let dir = session.ends_with(0);
    let kept = std::fs::read_to_string(dir.path().join("STATE/settings.toml")).unwrap();
    assert_eq!(kept, "symbols = \"unicode\"\ntheme = \"solarized-light\"\n");
    let mut session = Session::again(dir);
    session.send(",");
    session.see("Theme          solarized-light");
    session.see("chosen here");
    session.send("\x03q");
    let dir = session.ends_with(0);
    std::fs::write(dir.path().join("CONFIG/config.toml"), "theme = \"nord\"\n").unwrap();
    let mut session = Session::again(dir);
    session.send(",");
    session.see("Theme          nord");
    session.see("config.toml, line 1");
    session.send("\x03q");
    session.ends_with(0);
}

/// Seen to fail when the mouse mode is only set at the start.
#[test]
fn the_mouse_is_left_to_the_terminal_at_once() {
    let mut session = Session::start();
    session.send(",mouse");
    session.see("Whether filedeck uses the mouse");
    assert_eq!(session.pty.mouse_modes(), ["?1002h", "?1006h"]);
    session.send("\r");
    session.see("chosen here");
    assert_eq!(
        session.pty.mouse_modes(),
        ["?1002h", "?1006h", "?1006l", "?1002l"]
    );
    session.send("\x03q");
    session.ends_with(0);
}
