//! Attachments to an issue: the log of a session on the screen, and the output of doctor.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use rstest::rstest;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service, TOKEN};
use crate::support::disk::{files_below, holds};

/// Uploads a text, copies a signed link to it, and opens it in an editor that records its
/// environment and arguments.
fn session(binary: &Binary) {
    let editor = binary.home.path().join("editor");
    let script = "#!/bin/sh\ntr '\\0' '\\n' </proc/self/environ >\"$HOME/environment\"; tr '\\0' ' ' </proc/$$/cmdline >\"$HOME/words\"\n";
    fs::write(&editor, script).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o700)).unwrap();
    binary.write("secret-plan.txt", b"the plan\n");
    let mut command = in_terminal(&binary.command(&[]));
    command.env("TERM", "xterm-256color");
    command.env("EDITOR", editor);
    for name in ["TMUX", "NO_COLOR", "VISUAL"] {
        command.env_remove(name);
    }
    let mut pty = Pty::spawn(command, 120, 40);
    let mut press = |keys: &str, seen: &str| {
        pty.send(keys);
        pty.wait_for_text(seen);
    };
    press("", "secret-folder/");
    press("u", "Upload files");
    press("secret-plan.txt\r", "Uploaded /secret-plan.txt");
    press("G", "▐ ≡ secret-plan.txt");
    press("yy", "Signed link sent to the terminal");
    press("E", "secret-plan.txt was not changed.");
    press("f", "Find in the whole account");
    press("secret-plan\r", "Found: secret-plan");
    pty.send("q");
    assert!(pty.wait_for_end().success());
}

// Seen to fail with the URL of a link in the log.
#[rstest]
#[case::as_an_issue_asks_for_it("filedeck=debug")]
#[case::of_everything("trace")]
fn the_log_of_a_session_has_no_token_no_signature_and_no_name_of_a_file(#[case] level: &str) {
    let service = Service::start();
    let binary = Binary::on(&service).env("FILEDECK_LOG", level);
    binary.run(&["mkdir", "/secret-folder"]).expect(0);
    session(&binary);

    let logs = files_below(&binary.home.path().join("state/log"));
    assert_eq!(logs.len(), 1, "{logs:?}");
    let log = fs::read_to_string(&logs[0]).unwrap();
    assert!(level != "trace" || log.contains("TRACE"), "{log}");
    for secret in [TOKEN, "signature", "secret-"] {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
    assert!(
        fs::read_to_string(binary.home.path().join("environment"))
            .unwrap()
            .contains("HOME=")
    );
    assert!(
        fs::read_to_string(binary.home.path().join("words"))
            .unwrap()
            .contains("secret-plan")
    );
    assert!(
        !holds(binary.home.path(), TOKEN.as_bytes()),
        "neither a file nor a child has the token"
    );

    let told = binary.run(&["doctor"]).expect(0);
    for secret in [TOKEN, "signature", "secret-"] {
        assert!(!told.stdout.contains(secret), "{}", told.stdout);
    }
}
