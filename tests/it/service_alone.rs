//! The abilities of a build with only the service, which a build of the whole program has, too.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

fn filedeck(dir: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_filedeck"));
    command
        .env("FILEDECK_CONFIG_DIR", dir)
        .env("FILEDECK_DATA_DIR", dir)
        .env("FILEDECK_STATE_DIR", dir);
    command.env("FILEDECK_LOG", "off");
    command
}

/// A process that is killed on drop.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_store_is_served_checked_and_copied() {
    let dir = tempfile::tempdir().unwrap();
    let mut serve = filedeck(dir.path());
    let child = serve
        .args(["serve", "--sample", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut served = Served(child);
    let mut address = String::new();
    BufReader::new(served.0.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let verified = filedeck(dir.path())
        .args(["store", "verify"])
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let copy = dir.path().join("copy");
    let copied = filedeck(dir.path())
        .args(["store", "backup"])
        .arg(&copy)
        .output()
        .unwrap();
    assert!(
        copied.status.success() && copy.join("filedeck.db").exists(),
        "{copied:?}"
    );
}

#[test]
fn manual_pages_and_completions_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    for words in [["man", "serve"], ["completions", "bash"]] {
        let printed = filedeck(dir.path()).args(words).output().unwrap();
        assert!(
            printed.status.success() && printed.stdout.len() > 200,
            "{words:?}: {printed:?}"
        );
    }
    let completed = filedeck(dir.path())
        .args(["--", "filedeck", "st"])
        .env("FILEDECK_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", "1")
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&completed.stdout).contains("store"),
        "{completed:?}"
    );
}

#[test]
fn a_token_on_the_command_line_is_refused_and_not_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let refused = filedeck(dir.path())
        .args(["serve", "--token=canary"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("FILEDECK_SERVICE_TOKEN") && !said.contains("canary"),
        "{said}"
    );
}
