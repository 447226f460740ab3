//! Signals to the screen before it appears, and while nobody can see it.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use super::pty::Pty;

/// Runs the demo in a folder of its own, through these words if there are any.
pub(super) fn demo(dir: &Path, starter: &[&str]) -> CommandBuilder {
    let words = [starter, &[env!("CARGO_BIN_EXE_filedeck"), "--demo"]].concat();
    let mut command = CommandBuilder::from_argv(words.into_iter().map(Into::into).collect());
    command.cwd(dir);
    for name in ["CONFIG", "DATA", "STATE"] {
        command.env(format!("FILEDECK_{name}_DIR"), dir.join(name));
    }
    // The directory of the temporary store.
    command.env("TMPDIR", dir);
    command.env("TERM", "xterm-256color");
    command
}

fn pid(id: u32) -> Pid {
    Pid::from_raw(i32::try_from(id).unwrap()).unwrap()
}

/// Returns `true` if the signal ended it before its first line, by the name in the status or by the
/// exit code.
fn was_ended_by(status: &ExitStatus, signal: Signal, name: &str) -> bool {
    match status.signal() {
        Some(found) => found == name,
        None => i32::try_from(status.exit_code()) == Ok(128 + signal.as_raw()),
    }
}

#[test]
fn a_signal_ends_the_screen_whenever_it_comes_and_the_terminal_is_given_back() {
    let signals = [
        (Signal::TERM, "Terminated"),
        (Signal::HUP, "Hangup"),
        (Signal::INT, "Interrupt"),
        (Signal::QUIT, "Quit"),
    ];
    for (number, (signal, name)) in (0..40).zip(signals.into_iter().cycle()) {
        let dir = tempfile::tempdir().unwrap();
        let mut pty = Pty::spawn(demo(dir.path(), &[]), 120, 40);
        // Not a wait for an event: this is the instant of the signal.
        thread::sleep(Duration::from_millis(5 * number));
        kill_process(pid(pty.process_id()), signal).unwrap();
        let status = pty.wait_for_end();
        assert!(
            was_ended_by(&status, signal, name),
            "{signal:?} at {} ms: {status:?}",
            5 * number
        );
        pty.assert_given_back();
        let left = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left
            .filter(|name| name.to_string_lossy().starts_with("filedeck-demo-"))
            .collect();
        assert!(
            left.is_empty() || status.signal().is_some(),
            "{signal:?} at {} ms left {left:?}",
            5 * number
        );
    }
}

fn end_of(mut child: Box<dyn Child + Send + Sync>) -> ExitStatus {
    let mut killer = child.clone_killer();
    let (ended, end) = mpsc::channel();
    thread::spawn(move || ended.send(child.wait().unwrap()));
    end.recv_timeout(Duration::from_mins(1))
        .unwrap_or_else(|_| {
            let _ = killer.kill();
            panic!("the second signal was swallowed")
        })
}

#[test]
fn a_second_signal_ends_a_screen_whose_terminal_takes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let size = PtySize {
        rows: 40,
        cols: 120,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pty = native_pty_system().openpty(size).unwrap();
    let modes = || format!("{:?}", pty.master.get_termios());
    let before = modes();
    // Nobody reads the output that fills the terminal before the screen writes there.
    let child = pty
        .slave
        .spawn_command(demo(dir.path(), &["sh", "-c", r#"yes & exec "$0" "$@""#]))
        .unwrap();
    while modes() == before {
        thread::yield_now();
    }
    let pid = pid(child.process_id().unwrap());
    kill_process(pid, Signal::TERM).unwrap();
    kill_process(pid, Signal::HUP).unwrap();
    let status = end_of(child);
    assert!(
        [129, 143].contains(&status.exit_code()) && status.signal().is_none(),
        "{status:?}"
    );
    assert_eq!(modes(), before);
}
