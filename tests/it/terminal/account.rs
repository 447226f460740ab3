//! An account is added on the screen, with a wrong token first.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use portable_pty::CommandBuilder;

use super::pty::Pty;
use crate::cli::binary::{Service, TOKEN};

#[test]
fn an_account_is_kept_once_the_service_takes_its_token() {
    let (service, home) = (Service::start(), tempfile::tempdir().unwrap());
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_filedeck"));
    command.arg("--demo");
    command.cwd(home.path());
    for name in ["CONFIG", "DATA", "STATE"] {
        command.env(format!("FILEDECK_{name}_DIR"), home.path().join(name));
    }
    for name in ["ACCOUNT", "BASE_URL", "TOKEN"] {
        command.env_remove(format!("FILEDECK_{name}"));
    }
    fs::create_dir(home.path().join("STATE")).unwrap();
    command.env("TERM", "xterm-256color");
    command.env_remove("TMUX");
    let mut pty = Pty::spawn(command, 120, 40);
    pty.wait_for_text("Welcome.txt");
    pty.send("@");
    pty.wait_for_text("Accounts");
    pty.send("a");
    pty.wait_for_text("Add an account");
    pty.send(&format!("mine\t\x15{}\twrong\r", service.base_url()));
    // What the service says of a token that it does not know.
    pty.wait_for_text("credentials");
    assert!(!home.path().join("CONFIG/accounts.toml").exists());
    pty.send(&format!("\x15{TOKEN}\r"));
    pty.wait_for_text("mine is kept.");
    pty.wait_until("the account in the header", |screen| {
        screen.contents().lines().next().is_some_and(|header| header.contains(" mine "))
    });
    assert!(!pty.contents().contains(TOKEN));
    for (name, mode) in [("accounts.toml", 0o600), ("tokens", 0o700), ("tokens/mine.token", 0o600)] {
        let found = fs::metadata(home.path().join("CONFIG").join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{name}");
    }
    assert_eq!(fs::read_to_string(home.path().join("CONFIG/tokens/mine.token")).unwrap().trim(), TOKEN);
    pty.send("q");
    assert!(pty.wait_for_end().success());
    pty.assert_given_back();
}
