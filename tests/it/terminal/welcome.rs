//! The very first start on a machine, and the second.

use std::path::Path;

use portable_pty::CommandBuilder;

use super::pty::Pty;

fn demo(home: &Path) -> Pty {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_filedeck"));
    command.arg("--demo");
    command.cwd(home);
    for name in ["CONFIG", "DATA", "STATE"] {
        command.env(format!("FILEDECK_{name}_DIR"), home.join(name));
    }
    command.env("TERM", "xterm-256color");
    command.env_remove("TMUX");
    Pty::spawn(command, 120, 40)
}

#[test]
fn the_first_start_says_where_one_is_until_a_key_which_does_what_it_does() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = demo(home.path());
    pty.wait_for_text("Welcome.txt");
    for line in [
        "This is a demo",
        "Browse, preview, upload",
        "a tour of the screen",
        "all keys",
        "search actions, folders and the files here",
        "switch or add accounts",
    ] {
        pty.wait_for_text(line);
    }
    pty.send("j");
    pty.wait_for_text("▐ ▸ brand/");
    pty.wait_for_no_text("Welcome to filedeck");
    pty.send("q");
    assert!(pty.wait_for_end().success());
    let mut pty = demo(home.path());
    pty.wait_for_text("Welcome.txt");
    assert!(
        !pty.contents().contains("Welcome to filedeck"),
        "{}",
        pty.contents()
    );
    pty.send("q");
    assert!(pty.wait_for_end().success());
}
