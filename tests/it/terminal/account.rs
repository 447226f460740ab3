//! Accounts added on the screen: first with a wrong token, and on a machine without a keyring. The
//! account that was open last is opened at the next start.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use portable_pty::CommandBuilder;
use tempfile::TempDir;

use super::pty::Pty;
use crate::cli::binary::{Service, TOKEN};

fn screen(home: &Path, words: &[&str]) -> Pty {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_filedeck"));
    command.args(words);
    command.cwd(home);
    for name in ["CONFIG", "DATA", "STATE"] {
        command.env(format!("FILEDECK_{name}_DIR"), home.join(name));
    }
    for name in ["ACCOUNT", "BASE_URL", "TOKEN"] {
        command.env_remove(format!("FILEDECK_{name}"));
    }
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus");
    command.env("TERM", "xterm-256color");
    command.env_remove("TMUX");
    Pty::spawn(command, 120, 40)
}

/// A home directory where filedeck has run before.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("STATE")).unwrap();
    home
}

fn wait_for_account(pty: &Pty, name: &str) {
    pty.wait_until("the account in the header", |screen| {
        screen
            .contents()
            .lines()
            .next()
            .is_some_and(|header| header.contains(&format!(" {name} ")))
    });
}

fn adding(home: &Path) -> Pty {
    let mut pty = screen(home, &["--demo"]);
    pty.wait_for_text("Welcome.txt");
    pty.send("@");
    pty.wait_for_text("Accounts");
    pty.send("a");
    pty.wait_for_text("Add an account");
    pty
}

fn quit(mut pty: Pty) {
    pty.send("q");
    assert!(pty.wait_for_end().success());
    pty.assert_given_back();
}

#[test]
fn an_account_is_kept_once_the_service_takes_its_token() {
    let (service, home) = (Service::start(), home());
    let mut pty = adding(home.path());
    pty.send(&format!("mine\t\x15{}\twrong\r", service.base_url()));
    pty.wait_for_text("refused the token");
    assert!(!home.path().join("CONFIG/accounts.toml").exists());
    pty.send(&format!("\x15{TOKEN}\r"));
    pty.wait_for_text("Saved mine.");
    wait_for_account(&pty, "mine");
    assert!(!pty.contents().contains(TOKEN));
    for (name, mode) in [
        ("accounts.toml", 0o600),
        ("tokens", 0o700),
        ("tokens/mine.token", 0o600),
    ] {
        let found = fs::metadata(home.path().join("CONFIG").join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777;
        assert_eq!(found, mode, "{name}");
    }
    assert_eq!(
        fs::read_to_string(home.path().join("CONFIG/tokens/mine.token"))
            .unwrap()
            .trim(),
        TOKEN
    );
    quit(pty);

    let pty = screen(home.path(), &[]);
    wait_for_account(&pty, "mine");
    quit(pty);
    fs::remove_file(home.path().join("CONFIG/tokens/mine.token")).unwrap();
    let mut pty = screen(home.path(), &[]);
    pty.wait_for_text("--account local opens the built-in store");
    assert!(
        !pty.wait_for_end().success(),
        "it goes to no other account by itself"
    );
    let pty = screen(home.path(), &["--account", "local"]);
    wait_for_account(&pty, "built-in store");
    quit(pty);
    let pty = screen(home.path(), &[]);
    wait_for_account(&pty, "built-in store");
    quit(pty);
}

#[cfg(all(feature = "keyring", target_os = "linux"))]
#[test]
fn without_a_keyring_an_account_is_kept_and_its_token_is_said_to_be_in_a_file() {
    let (service, home) = (Service::start(), home());
    let mut pty = adding(home.path());
    pty.send(&format!("mine\t\x15{}\t{TOKEN}\t", service.base_url()));
    pty.wait_for_text("A file that only you can read.");
    pty.send("\x1b[C\r");
    pty.wait_for_text(
        "Saved mine. Its token is in a file that only you can read, not in the keyring",
    );
    wait_for_account(&pty, "mine");
    assert!(!pty.contents().contains(TOKEN));
    let token = home.path().join("CONFIG/tokens/mine.token");
    assert_eq!(
        fs::metadata(&token).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(fs::read_to_string(token).unwrap().trim(), TOKEN);
    quit(pty);
}
