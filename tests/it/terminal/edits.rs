//! Texts whose editor is interrupted: they are kept, readable only by their owner, offered at the
//! next start, and removed once uploaded or discarded.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service, TOKEN};

struct Setup {
    binary: Binary,
    _service: Service,
}

/// An editor script that writes a line, and waits for input.
const WRITES_AND_WAITS: &str = r#"echo half a text > "$1"; printf 'in the editor? '; read answer"#;

impl Setup {
    fn new() -> Self {
        let service = Service::start();
        let binary = Binary::on(&service);
        binary.write("notes.txt", b"as it was\n");
        binary.run(&["put", "notes.txt", "/in/"]).expect(0);
        Self {
            binary,
            _service: service,
        }
    }

    /// The screen in the folder of the text, with a script as the user's editor.
    fn screen(&self, script: &str) -> Pty {
        let editor = self.binary.home.path().join("editor");
        fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&editor, fs::Permissions::from_mode(0o700)).unwrap();
        let mut command = in_terminal(&self.binary.command(&[]));
        command.env("TERM", "xterm-256color");
        command.env("EDITOR", editor);
        for name in ["TMUX", "NO_COLOR", "VISUAL"] {
            command.env_remove(name);
        }
        let pty = Pty::spawn(command, 120, 40);
        pty.wait_for_text("▸ in/");
        pty
    }

    fn screen_on_the_text(&self, script: &str) -> Pty {
        let mut pty = self.screen(script);
        pty.send("j\r");
        pty.wait_for_text("▐ ≡ notes.txt");
        pty
    }

    /// Ends the screen after an editor has written a text and while it is still running.
    fn cut_short(&self, signal: Signal) {
        let mut pty = self.screen_on_the_text(WRITES_AND_WAITS);
        pty.send("E");
        pty.wait_for_text("in the editor?");
        kill_process(
            Pid::from_raw(i32::try_from(pty.process_id()).unwrap()).unwrap(),
            signal,
        )
        .unwrap();
        pty.wait_for_end();
    }

    fn kept(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.binary.home.path().join("state/edits")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| {
                path.file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .starts_with("filedeck-edit-")
            })
            .collect()
    }

    fn stored(&self) -> String {
        let into = tempfile::tempdir().unwrap();
        self.binary
            .run(&[
                "get",
                "/in/notes.txt",
                "--output",
                into.path().to_str().unwrap(),
            ])
            .expect(0);
        fs::read_to_string(into.path().join("notes.txt")).unwrap()
    }
}

fn quit(mut pty: Pty) {
    pty.send("q");
    assert!(pty.wait_for_end().success());
    pty.assert_given_back();
}

#[rstest]
#[case::killed(Signal::KILL)]
#[case::terminated(Signal::TERM)]
#[case::hung_up(Signal::HUP)]
fn a_text_whose_screen_ends_under_its_editor_is_kept_and_goes_on_at_the_next_start(
    #[case] signal: Signal,
) {
    let current = Setup::new();
    current.cut_short(signal);
    let folder = current
        .kept()
        .into_iter()
        .find(|path| path.is_dir())
        .unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(folder.join("notes.txt")), mode(folder.clone())),
        (0o600, 0o700)
    );
    assert_eq!(
        fs::read_to_string(folder.join("notes.txt")).unwrap(),
        "half a text\n"
    );

    // An editor that only saves.
    let mut pty = current.screen("exit 0");
    pty.wait_for_text("Unsaved edit of /in/notes.txt is kept from before: g e shows it.");
    pty.send("j\r");
    pty.wait_for_text("▐ ≡ notes.txt");
    pty.send("E");
    pty.wait_for_text("start over from the file");
    pty.send("\r");
    pty.wait_for_text("Replaced with ");
    quit(pty);
    assert_eq!(current.stored(), "half a text\n");
    assert_eq!(current.kept(), Vec::<PathBuf>::new());
}

#[test]
fn a_kept_text_is_discarded_on_a_key_and_the_file_stays_as_it_is() {
    let current = Setup::new();
    current.cut_short(Signal::KILL);
    let mut pty = current.screen("exit 3");
    pty.wait_for_text("is kept from before");
    pty.send("ge");
    pty.wait_for_text("start over from the file");
    pty.send("D");
    pty.wait_for_text("Discard the edit of /in/notes.txt");
    pty.answer_on("\t", "Discard");
    pty.wait_for_text("Discarded the edit of /in/notes.txt.");
    quit(pty);
    assert_eq!(current.kept(), Vec::<PathBuf>::new());
    assert_eq!(current.stored(), "as it was\n");
}

#[test]
fn a_text_that_another_screen_edits_is_not_offered() {
    let current = Setup::new();
    let mut first = current.screen_on_the_text(WRITES_AND_WAITS);
    first.send("E");
    first.wait_for_text("in the editor?");
    let mut second = current.screen("exit 3");
    second.send("ge");
    second.wait_for_text("No unsaved edits");
    quit(second);
    first.send("\r");
    first.wait_for_text("Replaced with ");
    quit(first);
    assert_eq!(
        (current.stored().as_str(), current.kept()),
        ("half a text\n", Vec::new())
    );
}

#[test]
fn the_editor_is_given_no_token() {
    let mut current = Setup::new();
    current.binary = current.binary.env("FILEDECK_SERVICE_TOKEN", TOKEN);
    let seen = current.binary.home.path().join("seen");
    let mut pty = current.screen_on_the_text(&format!(
        "env > '{}'; echo changed > \"$1\"",
        seen.display()
    ));
    pty.send("E");
    pty.wait_for_text("Replaced with ");
    quit(pty);
    let environment = fs::read_to_string(seen).unwrap();
    assert!(
        environment.contains("FILEDECK_BASE_URL=") && !environment.contains(TOKEN),
        "{environment}"
    );
}
