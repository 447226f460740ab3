//! Protection from other processes of the same user: no core file, and no access to the memory that
//! holds the token.

use std::fs;
use std::process::Command;

use rstest::rstest;

use super::binary::{Binary, Serving, TOKEN};
use super::disk::works;

fn core_limit(process: &str) -> String {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap()
        .to_owned()
}

/// The command that takes away root's privilege to read everything; empty for other users.
fn powerless() -> &'static [&'static str] {
    if rustix::process::geteuid().is_root() {
        &["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    } else {
        &[]
    }
}

/// Returns `true` if a process of the same user can read the token in the service's memory, where
/// its environment lies.
fn is_read_by_others(serving: &Serving) -> bool {
    let words = [powerless(), &["cat"]].concat();
    let environment = format!("/proc/{}/environ", serving.id());
    let read = Command::new(words[0])
        .args(&words[1..])
        .arg(environment)
        .output()
        .unwrap();
    String::from_utf8_lossy(&read.stdout).contains(TOKEN)
}

#[rstest]
#[case::as_it_is("", false)]
#[case::asked_for_in_other_words("0", false)]
#[case::asked_for("1", true)]
fn core_files_and_tracers_are_let_in_only_when_asked_for(
    #[case] allow: &str,
    #[case] lets_in: bool,
) {
    let binary = Binary::new()
        .env("FILEDECK_SERVICE_TOKEN", TOKEN)
        .env("FILEDECK_ALLOW_CORE", allow);
    if !works(&[powerless(), &["cat", "/proc/self/environ"]].concat()) {
        return;
    }
    let serving = Serving::start_under(&binary, powerless(), &[]);
    let limit = core_limit(&serving.id().to_string());
    if lets_in {
        assert_eq!(limit, core_limit("self"));
    } else {
        assert_eq!(
            limit.split_whitespace().collect::<Vec<_>>(),
            ["Max", "core", "file", "size", "0", "0", "bytes"]
        );
    }
    assert_eq!(is_read_by_others(&serving), lets_in);
}
