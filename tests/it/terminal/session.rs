//! The program on the demo's library, from its first screen to its last, with a user's keys.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::{fs, thread};

use portable_pty::CommandBuilder;
use rstest::rstest;
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};
use tempfile::TempDir;

use super::pty::Pty;

/// A run of `filedeck --demo` in a folder of its own, under a shell that reports its exit status.
pub(super) struct Session {
    pub(super) pty: Pty,
    dir: TempDir,
}

impl Session {
    pub(super) fn start() -> Self {
        Self::with(&[], "false")
    }

    /// Starts with a script as the user's editor, which gets the file as `$1`.
    fn with_editor(script: &str) -> Self {
        Self::with(&[], script)
    }

    pub(super) fn configured(config: &str) -> Self {
        Self::with(&[("config.toml", config)], "false")
    }

    pub(super) fn with_files(files: &[(&str, &str)]) -> Self {
        Self::with(files, "false")
    }

    /// Starts again in the folder of a run that has ended.
    pub(super) fn again(dir: TempDir) -> Self {
        Self::within(dir, &[], "false")
    }

    fn with(files: &[(&str, &str)], script: &str) -> Self {
        Self::within(tempfile::tempdir().unwrap(), files, script)
    }

    fn within(dir: TempDir, files: &[(&str, &str)], script: &str) -> Self {
        let editor = dir.path().join("my editor");
        fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&editor, fs::Permissions::from_mode(0o700)).unwrap();
        let mut command = CommandBuilder::new("sh");
        // The shell lets signals through to the program and survives them itself.
        command.args([
            "-c",
            r#"trap : TERM HUP INT QUIT ABRT; "$0" --demo; echo "status $?""#,
        ]);
        command.arg(env!("CARGO_BIN_EXE_filedeck"));
        command.cwd(dir.path());
        for name in ["ACCOUNT", "BASE_URL", "TOKEN"] {
            command.env_remove(format!("FILEDECK_{name}"));
        }
        for name in ["CONFIG", "DATA", "STATE"] {
            command.env(format!("FILEDECK_{name}_DIR"), dir.path().join(name));
        }
        for name in ["CONFIG/themes", "STATE"] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        for (name, content) in files {
            fs::write(dir.path().join("CONFIG").join(name), content).unwrap();
        }
        let temporary = dir.path().join("TEMPORARY");
        fs::create_dir_all(&temporary).unwrap();
        command.env("TMPDIR", temporary);
        command.env_remove("VISUAL");
        command.env("EDITOR", format!("'{}' --wait", editor.display()));
        command.env("TERM", "xterm-256color");
        command.env_remove("TMUX");
        command.env_remove("NO_COLOR");
        let session = Self {
            pty: Pty::spawn(command, 120, 40),
            dir,
        };
        session.pty.wait_for_text("Welcome.txt");
        session
    }

    pub(super) fn send(&mut self, keys: &str) {
        self.pty.send(keys);
    }

    pub(super) fn see(&self, text: &str) {
        self.pty.wait_for_text(text);
    }

    /// The shell's process id, which is the group's.
    fn group(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.pty.process_id()).unwrap()).unwrap()
    }

    fn signal(&self, signal: Signal) {
        kill_process_group(self.group(), signal).unwrap();
    }

    /// Waits for the end, and checks the terminal; returns the folder of the run.
    pub(super) fn ends_with(mut self, status: u8) -> TempDir {
        self.pty.wait_for_end();
        let (screen, told) = (self.pty.contents(), format!("status {status}"));
        assert!(
            screen.lines().any(|line| line == told),
            "never told {told}; the last screen:\n{screen}"
        );
        self.pty.assert_given_back();
        self.dir
    }
}

const ENTER: &str = "\r";
const CTRL_U: &str = "\u{15}";
const CTRL_Z: &str = "\u{1a}";

#[test]
fn browsing_goes_down_and_up_and_quits() {
    let mut session = Session::start();
    session.send("j");
    session.see("▐ ▸ brand/");
    session.send(ENTER);
    session.see("Brand guide.pdf");
    session.send("h");
    session.see("▐ ▸ brand/");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn what_is_found_leads_to_its_folder_and_a_bookmark_back_to_the_search() {
    let mut session = Session::start();
    session.send("f");
    session.see("Find in the whole account");
    session.send("guide type:document");
    session.see("Files named guide, documents.");
    session.send(ENTER);
    session.see("Found: guide type:document");
    session.see("Brand guide.pdf");
    session.send("mz");
    session.see("Bookmarked guide type:document; ' z opens it.");
    session.send("gf");
    session.see("╭─ brand ─");
    session.see("▐ ≡ Brand guide.pdf");
    session.send("'");
    session.see("guide type:document");
    session.send("z");
    session.see("Found: guide type:document");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_file_is_uploaded_and_deleted() {
    let mut session = Session::start();
    fs::write(
        session.dir.path().join("notes of today.txt"),
        "written today",
    )
    .unwrap();
    session.send("u");
    session.see("Upload files");
    session.send("\u{1b}[200~notes of today.txt\u{1b}[201~");
    session.see("notes of today.txt");
    session.send(ENTER);
    session.see(" of 10 ");
    session.send("/today");
    session.send(ENTER);
    session.see("1 of 1 · 10 in all");
    session.see("▐ ≡ notes of today.txt");
    session.send("d");
    session.see("from demo");
    session.pty.answer_on("\u{1b}[C", "Delete");
    session.see("none of 9");
    session.see("Nothing matches");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn the_account_is_changed_and_changed_back_while_the_program_runs() {
    let mut session = Session::start();
    session.send("@");
    session.see("on this machine; local in scripts");
    session.send("b");
    session.send(ENTER);
    session.see("filedeck  built-in store ");
    session.see("▐ ▸ archive/");
    session.send("a");
    session.see("New folder");
    session.send("of this machine");
    session.send(ENTER);
    session.see("▐ ▸ of this machine/");
    for (letter, account) in [("d", "filedeck  demo "), ("b", "filedeck  built-in store ")] {
        session.send("@");
        session.see("temporary sample library");
        session.send(letter);
        session.send(ENTER);
        session.see(account);
        session.pty.wait_until("its own files and tasks", |screen| {
            let shown = screen.contents();
            let is_local = letter == "b";
            shown.contains("Welcome.txt")
                && shown.contains("of this machine/") == is_local
                && shown.contains("6 older tasks") != is_local
        });
    }
    session.send("q");
    let dir = session.ends_with(0);
    assert_eq!(
        fs::read_dir(dir.path().join("TEMPORARY")).unwrap().count(),
        0,
        "both demos are gone"
    );
}

fn kept(dir: &TempDir) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
    };
    let kept = entries(dir.path().join("TEMPORARY")).flat_map(|demo| entries(demo.join("edits")));
    kept.map(|folder| folder.join("Welcome.txt"))
        .filter(|path| path.exists())
        .collect()
}

/// Returns `true` if the folder for temporary files is empty.
fn is_swept(dir: &TempDir) -> bool {
    fs::read_dir(dir.path().join("TEMPORARY")).unwrap().count() == 0
}

#[test]
fn a_text_is_edited_in_the_users_editor_and_replaced_in_place() {
    let script =
        r#"test "$1" = --wait && printf 'in the editor? '; read answer; echo "$answer" >> "$2""#;
    let mut session = Session::with_editor(script);
    session.send("G");
    session.see("▐ ≡ Welcome.txt");
    session.send("E");
    session
        .pty
        .wait_until("the editor on the main screen", |screen| {
            !screen.alternate_screen() && screen.contents().contains("in the editor?")
        });
    // The editor must get every one of these keys.
    session.send("qqq and a line\r");
    session.see("Replaced with Welcome.txt");
    session.send("s");
    session.see("Downloaded");
    assert!(
        kept(&session.dir).is_empty(),
        "what was edited is not left behind"
    );
    session.send("q");
    let dir = session.ends_with(0);
    let saved = fs::read_to_string(dir.path().join("Welcome.txt")).unwrap();
    assert!(saved.ends_with("qqq and a line\n"), "{saved}");
}

#[test]
fn several_are_renamed_in_the_users_editor() {
    let mut session = Session::with_editor(r#"sed -i 's/Welcome/Hello/' "$2""#);
    session.see("Welcome.txt");
    // All are marked.
    session.send("\x01r");
    session.see("→ Hello.txt");
    session.send("\r");
    session.see("Renamed Welcome.txt");
    session.see("≡ Hello.txt");
    session.send("q");
    let dir = session.ends_with(0);
    assert!(is_swept(&dir), "the names are not left behind");
}

#[test]
fn an_editor_that_fails_loses_nothing() {
    let mut session = Session::with_editor(r#"echo changed > "$2"; exit 3"#);
    session.send("G");
    session.see("▐ ≡ Welcome.txt");
    session.send("E");
    session.see("Nothing was replaced");
    // The line has no room for the path of the text.
    session.see("It stays until the demo ends, g e shows it.  4 shows all");
    let [left] = kept(&session.dir).try_into().unwrap();
    assert_eq!(fs::read_to_string(left).unwrap(), "changed\n");
    session.send("1E");
    session.see("start over from the file");
    session.send("\u{1b}");
    session.pty.wait_for_no_text("start over from the file");
    session.send("q");
    session.ends_with(0);
}

fn web_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/imported.txt", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let _head: Vec<_> = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .collect();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\n";
            let _ = stream.write_all(format!("{head}hello").as_bytes());
        }
    });
    address
}

#[test]
fn an_import_goes_on_to_its_end() {
    let mut session = Session::start();
    session.send("I");
    session.see("Import from addresses");
    session.send(&web_server());
    session.send(ENTER);
    session.see(" imported.txt");
    session.send("2");
    session.pty.wait_until("the import done", |screen| {
        screen
            .contents()
            .lines()
            .any(|line| line.contains("imported.txt") && line.contains("done"))
    });
    session.send("q");
    session.ends_with(0);
}

#[test]
fn tasks_of_the_past_are_done_again_and_cleared_as_all_others() {
    let mut session = Session::start();
    session.send("2");
    // Older tasks are unfolded because nothing else is listed.
    session.see("▾ 6 older tasks, 2 failed");
    session.see("168 files → /archive/2025/receipts");
    session.see("Gdańsk harbour.jpg → ");
    session.see("q3-launch → ");
    session.see("2 failed");
    // Below that row is the deletion, with one file left, which is deleted now.
    session.send("jr");
    session.see("1 failed");
    session.send("1gp");
    session.send(CTRL_U);
    session.send("/legal\r");
    // Of three files.
    session.see("1 of 2");
    session.send("2c");
    session.pty.wait_for_no_text("168 files");
    session.see("autumn poster.pdf");
    session.send("c");
    session.see("No tasks yet");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn a_folders_rename_goes_on_to_its_end() {
    let mut session = Session::start();
    session.see("▐ ▸ archive/");
    session.send("r");
    session.see("Rename");
    session.send(CTRL_U);
    session.send("attic");
    session.send(ENTER);
    session.see("attic/");
    session.send("2");
    session.pty.wait_until("the rename done", |screen| {
        screen
            .contents()
            .lines()
            .any(|line| line.contains("attic") && line.contains("done"))
    });
    session.send("1");
    session.pty.wait_until("no archive", |screen| {
        !screen.contents().contains("archive/")
    });
    session.send("q");
    session.ends_with(0);
}

#[rstest]
#[case::terminated(Signal::TERM, 143)]
#[case::hung_up(Signal::HUP, 129)]
#[case::interrupted(Signal::INT, 130)]
#[case::quit(Signal::QUIT, 131)]
// It dies of this signal, as the shell reports.
#[case::aborted(Signal::ABORT, 134)]
fn a_signal_ends_it_and_the_terminal_is_given_back(#[case] signal: Signal, #[case] status: u8) {
    let session = Session::start();
    session.signal(signal);
    session.ends_with(status);
}

#[test]
fn a_resize_is_drawn_at_once_whatever_the_size() {
    let mut session = Session::start();
    session.pty.resize(40, 10);
    session.see("Too small: 40x10");
    session.pty.resize(200, 60);
    session.see("folder /archive");
    session.pty.resize(80, 24);
    session
        .pty
        .wait_until("the peek", |screen| !screen.contents().contains("Folders"));
    session.see("Welcome.txt");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_the_program_goes_on() {
    let mut session = Session::start();
    session.send(CTRL_Z);
    session
        .pty
        .wait_until("the main screen", |screen| !screen.alternate_screen());
    // The whole job stops, including the shell: this makes an outer shell take over.
    let (_, status) = waitpid(Some(session.group()), WaitOptions::UNTRACED)
        .unwrap()
        .unwrap();
    assert!(status.stopped());
    session.signal(Signal::CONT);
    session
        .pty
        .wait_until("the alternate screen", vt100::Screen::alternate_screen);
    session.see("Welcome.txt");
    session.send("q");
    session.ends_with(0);
}

#[test]
fn the_limits_of_the_demo_have_a_past_and_can_be_written_into_a_file() {
    let mut session = Session::start();
    session.pty.wait_for_text("passed 75% since the last start");
    session.pty.send("3");
    session.pty.wait_for_text("full in about");
    session.pty.send("yc");
    session.pty.wait_for_text("Written to");
    let entries = fs::read_dir(session.dir.path()).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let table = names.find(|name| name.starts_with("limits-demo-")).unwrap();
    let table = fs::read_to_string(session.dir.path().join(table)).unwrap();
    assert!(
        table.starts_with("report,of,id,") && table.contains("\nPipelines,Deals,0-3,"),
        "{table}"
    );
}

/// An editor script that waits for input, and then leaves a pipe in place of the text.
const LEAVES_A_PIPE: &str = r#"printf 'in the editor? '; read answer; rm "$2"; mkfifo "$2""#;

/// Ends the editor, and looks for its result among all messages: the status line has room for one.
fn see_the_pipe_named(session: &mut Session) {
    session
        .pty
        .wait_until("the editor on the main screen", |screen| {
            !screen.alternate_screen() && screen.contents().contains("in the editor?")
        });
    session.send(ENTER);
    session
        .pty
        .wait_until("the screen again", vt100::Screen::alternate_screen);
    session.send("4");
    session.see("a pipe, not a regular file");
}

// Seen to freeze the screen, so that even the first SIGTERM did not end it, with `std::fs::read`.
#[test]
fn a_pipe_that_an_editor_leaves_in_the_place_of_a_text_freezes_nothing() {
    let mut session = Session::with_editor(LEAVES_A_PIPE);
    session.send("G");
    session.see("▐ ≡ Welcome.txt");
    session.send("E");
    see_the_pipe_named(&mut session);
    session.signal(Signal::TERM);
    session.ends_with(143);
}

#[test]
fn a_pipe_in_the_place_of_names_renames_nothing() {
    let mut session = Session::with_editor(LEAVES_A_PIPE);
    session.see("Welcome.txt");
    session.send("\x01r");
    see_the_pipe_named(&mut session);
    session.send("q");
    let dir = session.ends_with(0);
    assert!(is_swept(&dir), "the names are not left behind");
}
