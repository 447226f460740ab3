use std::io::Write as _;
use std::process::Stdio;

use filedeck::api::ids::FileId;
use filedeck::engine::ThumbnailCache;
use filedeck::engine::preview::Picture;
use filedeck::engine::thumbnail_cache::ThumbnailKey;
use jiff::Timestamp;

use super::binary::{Binary, Run, Service, TOKEN};

pub(super) fn run_with(binary: &Binary, input: &str, words: &[&str]) -> Run {
    let mut child = binary
        .command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    Run::of(child.wait_with_output().unwrap())
}

fn with_an_account() -> (Service, Binary) {
    let (service, binary) = (Service::start(), Binary::new());
    run_with(
        &binary,
        &format!("{TOKEN}\n"),
        &["account", "add", "acme", "--base-url", &service.base_url()],
    )
    .expect(0);
    (service, binary)
}

#[test]
fn an_account_is_added_with_a_token_from_standard_input_and_used() {
    let (_service, binary) = with_an_account();
    binary.run(&["ls", "--account", "acme"]).expect(0);
    assert_eq!(
        binary.run(&["account", "test", "acme"]).expect(0).stdout,
        "acme works\n"
    );
    let token = binary.config_dir().join("tokens/acme.token");
    assert!(std::fs::read_dir(token.parent().unwrap()).unwrap().count() > 0);
}

#[test]
fn a_name_that_is_taken_is_refused_before_a_token_is_asked_for() {
    let (service, binary) = with_an_account();
    let words = ["account", "add", "acme", "--base-url", &service.base_url()];
    let run = run_with(&binary, "", &words).expect(2);
    assert!(
        run.stderr
            .contains("there is an account 'acme' already; remove it first"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_token_that_does_not_work_is_not_kept() {
    let (service, binary) = (Service::start(), Binary::new());
    let words = ["account", "add", "acme", "--base-url", &service.base_url()];
    let run = run_with(&binary, "wrong\n", &words).expect(3);
    assert!(!run.stderr.contains("wrong"), "{}", run.stderr);
    assert!(
        !binary
            .run(&["account", "list"])
            .expect(0)
            .stdout
            .contains("acme")
    );
    run_with(&binary, "", &words).expect(2);
}

#[test]
fn the_accounts_are_listed_and_shown_without_tokens() {
    let (service, binary) = with_an_account();
    let list = binary.run(&["account", "list"]).expect(0);
    assert_eq!(
        list.stdout,
        format!("\tacme\tfile\t\t{}\n*\tlocal\tnone\n", service.base_url())
    );
    let shown = binary
        .run(&["account", "show", "acme", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (shown["name"].as_str(), shown["keptIn"].as_str()),
        (Some("acme"), Some("accounts.toml"))
    );
    binary.run(&["account", "show", "nobody"]).expect(2);
}

#[test]
fn the_account_in_use_is_the_one_of_commands_that_name_none() {
    let (_service, binary) = with_an_account();
    binary.write("a.txt", b"a");
    binary.run(&["account", "use", "acme"]).expect(0);
    binary.run(&["put", "a.txt", "/"]).expect(0);
    assert_eq!(
        binary.run(&["ls", "--account", "acme"]).expect(0).stdout,
        "a.txt\n"
    );
    binary.run(&["account", "use", "local"]).expect(0);
    assert!(
        !binary
            .run(&["account", "list"])
            .expect(0)
            .stdout
            .starts_with('*'),
        "acme is the first one"
    );
    binary.run(&["account", "use", "nobody"]).expect(2);
}

#[test]
fn an_account_that_is_removed_is_gone_with_its_token_and_its_thumbnails_and_no_longer_used() {
    let (service, binary) = with_an_account();
    binary.run(&["account", "use", "acme"]).expect(0);
    let run = binary.run(&["account", "remove", "acme"]).expect(2);
    assert!(run.stderr.contains("--yes"), "{}", run.stderr);
    let kept = ThumbnailCache::new(
        &binary.home.path().join("state"),
        &format!("acme {}", service.base_url()),
    );
    let key = ThumbnailKey {
        file: FileId::new("1"),
        changed_at: Timestamp::UNIX_EPOCH,
        room: (2, 2),
    };
    kept.keep(
        &key,
        &Picture {
            width: 2,
            height: 2,
            rgba: vec![9; 16].into(),
        },
    )
    .unwrap();
    binary
        .run(&["account", "remove", "acme", "--yes"])
        .expect(0);
    assert_eq!(kept.read(&key), None);
    assert_eq!(
        binary.run(&["account", "list"]).expect(0).stdout,
        "*\tlocal\tnone\n"
    );
    assert_eq!(
        std::fs::read_dir(binary.config_dir().join("tokens"))
            .unwrap()
            .count(),
        0
    );
    binary
        .run(&["account", "remove", "local", "--yes"])
        .expect(2);
}

#[test]
fn an_unreadable_list_of_accounts_leaves_the_account_to_use_in_doubt() {
    let binary = Binary::new();
    std::fs::write(binary.config_dir().join("accounts.toml"), "account = 7\n").unwrap();
    let run = binary.run(&["ls"]).expect(2);
    assert!(
        run.stderr.contains("accounts.toml, line 1"),
        "{}",
        run.stderr
    );
}
