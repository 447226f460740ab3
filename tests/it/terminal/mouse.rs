//! The mouse in a real terminal: its modes are set and restored, and its reports are understood.

use super::session::Session;

/// A press and a release of the left button at a cell, counted from 0.
fn click((column, row): (u16, u16)) -> String {
    let (column, row) = (column + 1, row + 1);
    format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")
}

fn find(session: &Session, text: &str) -> (u16, u16) {
    let screen = session.pty.contents();
    let found = (0..).zip(screen.lines()).find_map(|(row, line)| {
        Some((
            u16::try_from(line.split_once(text)?.0.chars().count()).unwrap(),
            row,
        ))
    });
    found.unwrap_or_else(|| panic!("{text} is not on the screen:\n{screen}"))
}

#[test]
fn rows_are_clicked_turned_and_opened() {
    let mut session = Session::start();
    let welcome = find(&session, "Welcome.txt");
    session.send(&click(welcome));
    session.see("9 of 9");
    let (column, row) = find(&session, "brand/  ");
    session.send(&format!("\x1b[<64;{};{}M", column + 1, row + 1).repeat(9));
    session.see("1 of 9");
    // In one write: a late second click would not make a double click.
    session.send(&click((column, row)).repeat(2));
    session.see("╭─ brand ─");
    session.see("Brand guide.pdf");
    assert_eq!(
        session.pty.mouse_modes(),
        ["?1002h", "?1006h"],
        "nothing is told of a mouse that only moves"
    );
    session.send("q");
    session.pty.wait_for_end();
    assert_eq!(
        session.pty.mouse_modes(),
        ["?1002h", "?1006h", "?1006l", "?1002l"]
    );
    session.ends_with(0);
}

#[test]
fn a_mouse_that_is_not_wanted_stays_the_terminals() {
    let mut session = Session::configured("mouse = false\n");
    session.send("j");
    session.see("2 of 9");
    assert_eq!(session.pty.mouse_modes(), Vec::<String>::new());
    session.send("q");
    session.ends_with(0);
}
