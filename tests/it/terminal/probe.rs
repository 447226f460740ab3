//! The queries to the terminal at the start: responses in time, too late or never, and keys in
//! between.

use std::time::{Duration, Instant};

use super::early::demo;
use super::pty::Pty;

const ANSWERS: &str = "\u{1b}]11;rgb:dddd/dddd/dddd\u{1b}\\\u{1b}[6;20;10t\u{1b}[?62;c\u{1b}[0n";

/// A run that has just sent its queries.
fn asking(dir: &std::path::Path) -> Pty {
    let mut command = demo(dir, &[]);
    command.env_remove("TMUX");
    command.env_remove("NO_COLOR");
    let pty = Pty::spawn(command, 120, 40);
    pty.wait_until("the screen is taken", vt100::Screen::alternate_screen);
    pty
}

fn quit(mut pty: Pty) {
    pty.send("q");
    assert!(pty.wait_for_end().success());
    pty.assert_given_back();
}

// Other work on the machine delays some starts, a silent terminal would delay all.
#[test]
fn a_terminal_that_never_answers_neither_holds_the_start_up_nor_costs_a_key() {
    let start = || {
        let dir = tempfile::tempdir().unwrap();
        let mut pty = asking(dir.path());
        let asked = Instant::now();
        pty.send("3");
        pty.wait_for_text("Custom properties");
        let took = asked.elapsed();
        quit(pty);
        took
    };
    let mut starts = (0..5).map(|_| start());
    assert!(
        starts.any(|took| took < Duration::from_secs(2)),
        "five first screens took longer"
    );
}

#[test]
fn keys_between_answers_are_pressed_and_answers_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = asking(dir.path());
    let (background, rest) = ANSWERS.split_at(ANSWERS.find("\u{1b}[6").unwrap());
    pty.send(&format!("{background}3{rest}"));
    pty.wait_for_text("Custom properties");
    quit(pty);
}

#[test]
fn answers_that_come_late_press_no_keys() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = asking(dir.path());
    pty.wait_for_text("Welcome.txt");
    // Read as keys, they would ask for a deletion: 1 opens the files view, d deletes.
    pty.send(&format!("{ANSWERS}3"));
    pty.wait_for_text("Custom properties");
    assert!(!pty.contents().contains("Cancel"), "{}", pty.contents());
    quit(pty);
}
