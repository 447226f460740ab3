//! Signals at every instant of a run: the exit status names the signal that ended it, and nothing
//! is left behind.

use std::fs::OpenOptions;
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};

use super::binary::{Binary, Serving, TOKEN};

/// Far more than any shutdown takes; only a swallowed signal waits this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// Delays after the start; at the first of them a run can hardly have begun.
fn instants() -> impl Iterator<Item = Duration> {
    (0..30).map(|number| Duration::from_millis(2 * number))
}

fn spawn(binary: &Binary, words: &[&str]) -> Child {
    binary
        .command(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn end(child: Child, signal: Signal) -> Output {
    let pid = Pid::from_child(&child);
    kill_process(pid, signal).unwrap();
    let (ended, end) = mpsc::channel();
    thread::spawn(move || ended.send(child.wait_with_output().unwrap()));
    let start = Instant::now();
    // A signal that is ignored at the start is ignored until the first line of `main`: sent again,
    // it takes effect.
    let wait = if is_ignored(signal) {
        Duration::from_secs(2)
    } else {
        PATIENCE
    };
    while start.elapsed() < PATIENCE {
        if let Ok(output) = end.recv_timeout(wait) {
            return output;
        }
        let _ = kill_process(pid, signal);
    }
    let _ = kill_process(pid, Signal::KILL);
    panic!("{signal:?} was swallowed")
}

/// Returns `true` if the tests were started with this signal ignored, for example by `nohup`; the
/// runs inherit that.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
}

/// The exit code of a run that the signal ended; `None` if that was before its first line.
#[track_caller]
fn code(status: ExitStatus, signal: Signal) -> Option<i32> {
    let number = signal.as_raw();
    assert!(
        status.code() == Some(128 + number) || status.signal() == Some(number),
        "{signal:?}: {status}"
    );
    status.code()
}

#[rstest]
#[case::terminated(Signal::TERM)]
#[case::hung_up(Signal::HUP)]
#[case::interrupted(Signal::INT)]
#[case::quit(Signal::QUIT)]
fn a_verb_tells_which_signal_ended_it_whenever_it_came(#[case] signal: Signal) {
    // Accepts connections and never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", silent.local_addr().unwrap());
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", &base_url)
        .env("FILEDECK_TOKEN", TOKEN);
    for instant in instants() {
        let child = spawn(&binary, &["ls"]);
        // Not a wait for an event: this is the instant of the signal.
        thread::sleep(instant);
        code(end(child, signal).status, signal);
    }
    silent.set_nonblocking(true).unwrap();
    while silent.accept().is_ok() {}
    silent.set_nonblocking(false).unwrap();
    let child = spawn(&binary, &["ls"]);
    silent.accept().unwrap();
    assert_eq!(
        code(end(child, signal).status, signal),
        Some(128 + signal.as_raw())
    );
}

#[rstest]
#[case::terminated(Signal::TERM)]
#[case::hung_up(Signal::HUP)]
#[case::interrupted(Signal::INT)]
fn a_signal_while_a_service_starts_ends_it_and_leaves_a_store_that_starts(#[case] signal: Signal) {
    let binary = Binary::new();
    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        "store",
        "--sample",
    ];
    for instant in instants() {
        let child = spawn(&binary, &words);
        thread::sleep(instant);
        let ended = end(child, signal);
        if ended.stdout.is_empty() {
            code(ended.status, signal);
        } else {
            // It had printed its address, so it stopped gracefully.
            assert_eq!(ended.status.code(), Some(0), "{signal:?}");
        }
    }
    Serving::start(&binary, &["--data-dir", "store", "--sample"]).end("TERM");
    binary
        .run(&["store", "verify", "--data-dir", "store"])
        .expect(0);
}

#[rstest]
#[case::a_verb(&["ls"])]
#[case::the_service(&["serve"])]
#[case::the_care_for_a_store(&["store", "verify"])]
fn a_signal_ends_a_run_that_is_held_up_before_it_began(#[case] words: &[&str]) {
    let binary = Binary::new();
    let config = binary.config_dir().join("config.toml");
    assert!(
        Command::new("mkfifo")
            .arg(&config)
            .status()
            .unwrap()
            .success()
    );
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let child = spawn(&binary, words);
        // Opens when the run opens its configuration, and then provides no data.
        let _held = OpenOptions::new().write(true).open(&config).unwrap();
        assert_eq!(
            code(end(child, signal).status, signal),
            Some(128 + signal.as_raw())
        );
    }
}
