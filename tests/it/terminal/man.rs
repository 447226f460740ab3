//! Manual pages in a terminal.

use std::os::unix::fs::PermissionsExt as _;

use rstest::rstest;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::Binary;

#[rstest]
#[case::shown("echo shown by $*; grep SYNOPSIS; exit 0", "shown by -l -")]
#[case::printed("exit 1", ".SH EXAMPLES")]
fn a_page_is_shown_by_man_if_that_can(#[case] script: &str, #[case] expected: &str) {
    let binary = Binary::new();
    binary.write("bin/man", format!("#!/bin/sh\n{script}\n").as_bytes());
    let man = binary.work().join("bin/man");
    std::fs::set_permissions(&man, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = binary.command(&["man", "put"]);
    let path = std::env::var("PATH").unwrap();
    command.env(
        "PATH",
        format!("{}:{path}", man.parent().unwrap().display()),
    );
    let mut pty = Pty::spawn(in_terminal(&command), 100, 200);
    pty.wait_for_text(expected);
    assert_eq!(pty.wait_for_end().exit_code(), 0);
}
