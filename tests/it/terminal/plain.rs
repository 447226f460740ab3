//! The screen for a screen reader in a real terminal, and terminals that cannot show a screen.

use rstest::rstest;

use super::pty::{Pty, in_terminal};
use super::session::Session;
use crate::cli::binary::Binary;

#[test]
fn lines_of_ascii_with_the_cursor_on_the_row() {
    let mut session = Session::configured("plain = true\n");
    let on_row = |name: &'static str| {
        move |screen: &vt100::Screen| {
            let (row, _) = screen.cursor_position();
            let text = screen.contents();
            !screen.hide_cursor()
                && text
                    .lines()
                    .nth(usize::from(row))
                    .is_some_and(|line| line.contains(name))
        }
    };
    session
        .pty
        .wait_until("the cursor on the first row", on_row("archive/"));
    session.send("j");
    session
        .pty
        .wait_until("the cursor on the next row", on_row("brand/"));
    let screen = session.pty.contents();
    assert!(screen.is_ascii(), "{screen}");
    assert_eq!(session.pty.mouse_modes(), Vec::<String>::new());
    session.send("q");
    session.ends_with(0);
}

#[test]
fn the_cursor_is_seen_only_where_text_is_typed() {
    let mut session = Session::configured("");
    let is_seen = |is_seen: bool| move |screen: &vt100::Screen| screen.hide_cursor() != is_seen;
    session.pty.wait_for_text("archive/");
    session
        .pty
        .wait_until("no cursor in the list", is_seen(false));
    session.send("/");
    session
        .pty
        .wait_until("a cursor in the filter", is_seen(true));
    session.send("\x1b");
    session.pty.wait_until("no cursor after it", is_seen(false));
    session.send("a");
    session
        .pty
        .wait_until("a cursor in the field of a dialog", is_seen(true));
    session.send("\x1b");
    session
        .pty
        .wait_until("no cursor after the dialog", is_seen(false));
    session.send("q");
    session.ends_with(0);
}

#[rstest]
#[case::dumb("dumb", "TERM is dumb")]
#[case::none("", "TERM is not set")]
fn a_terminal_that_cannot_move_its_cursor_is_refused_with_what_works_there(
    #[case] term: &str,
    #[case] message: &str,
    #[values(&["--demo"], &["--demo", "--plain"])] words: &[&str],
) {
    let binary = Binary::new();
    let run = binary.command(words);
    let mut command = in_terminal(&run);
    command.env("TERM", term);
    let mut pty = Pty::spawn(command, 100, 20);
    assert_eq!(pty.wait_for_end().exit_code(), 2);
    let said = pty.contents();
    assert!(
        [message, "--plain", "ls, find, put, get, rm, limits"]
            .iter()
            .all(|part| said.contains(part)),
        "{said}"
    );
    pty.assert_given_back();
}
