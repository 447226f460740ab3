//! The question before hidden files of a folder are published, and its answers.

use rstest::rstest;

use super::pty::{Pty, in_terminal};
use crate::cli::binary::{Binary, Service};

#[rstest]
#[case::put_yes("put", "y", true)]
#[case::put_no("put", "n", false)]
#[case::sync_yes("sync", "yes", true)]
#[case::sync_no("sync", "", false)]
fn hidden_files_are_published_after_a_yes_only(
    #[case] command: &str,
    #[case] answer: &str,
    #[case] is_sent: bool,
) {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::create_dir_all(binary.work().join("site/in")).unwrap();
    for name in ["site/.env", "site/a.txt", "site/in/.key"] {
        binary.write(name, name.as_bytes());
    }
    let command = binary.command(&[command, "site", "/web/site/", "--access", "public"]);
    let mut pty = Pty::spawn(in_terminal(&command), 100, 20);
    pty.wait_for_text("Type y to send them, too:");
    let asked = pty.contents();
    assert!(
        asked.contains("These are hidden, and anybody could read them:"),
        "{asked}"
    );
    let listed: Vec<&str> = asked
        .lines()
        .filter(|line| line.starts_with("  "))
        .map(str::trim)
        .collect();
    let listed: Vec<&str> = listed
        .iter()
        .map(|path| path.trim_start_matches("site/"))
        .collect();
    assert_eq!(listed, [".env", "in/.key"], "{asked}");
    assert_eq!(
        binary.run(&["find", "is:file"]).expect(0).stdout,
        "",
        "nothing is sent before the answer"
    );
    pty.send(&format!("{answer}\r"));
    assert!(pty.wait_for_end().success());
    let found = binary.run(&["find", "is:file", "access:public"]).expect(0);
    let found: Vec<&str> = found
        .stdout
        .lines()
        .map(|path| path.rsplit('/').next().unwrap())
        .collect();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        if is_sent {
            vec![".env", ".key", "a.txt"]
        } else {
            vec!["a.txt"]
        }
    );
}
