//! `filedeck doctor` in a terminal, whose features it queries.

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};

#[test]
fn what_the_terminal_has_for_the_screen_is_told() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let mut pty = Pty::spawn(in_terminal(&binary.command(&["doctor"])), 160, 40);
    pty.wait_for_text("no task is unfinished");
    let told = pty.contents();
    for line in [
        "ok    terminal   TERM is",
        "ok    colors     ",
        "ok    pictures   drawn ",
        "ok    clipboard  copies go ",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(pty.wait_for_end().success());
}
