//! `copy`: files and folders from one account to another, and within one.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use rstest::rstest;
use serde_json::Value;
use tokio::sync::watch;

use super::binary::{Run, Service, end};
use super::two_accounts::TwoAccounts;
use crate::support::proxy::{Calls, End, Fault, Passed, Relayed, Rule, Which};

const IMPORT: &str = "/files/v3/files/import-from-url/async";

#[test]
fn a_folder_comes_with_everything_in_it_and_only_once() {
    let accounts = TwoAccounts::new();
    let large: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    accounts.store(
        &[
            ("a.txt", b"a"),
            ("img/large.bin", &large),
            ("empty.txt", b""),
        ],
        &["--access", "public-not-indexable", "--ttl", "P1M"],
    );
    let words = ["copy", "@one:/site", "@two:/there"];
    let dry_run = accounts
        .binary
        .run(&[&words[..], &["--dry-run"]].concat())
        .expect(0);
    assert!(
        dry_run
            .stdout
            .contains("would copy @one:/site/img/large.bin → @two:/there/site/img"),
        "{}",
        dry_run.stdout
    );
    assert_eq!(accounts.sums(), BTreeMap::new());

    let copied = accounts.binary.run(&words).expect(0);
    assert_eq!(copied.stdout.lines().count(), 3, "{}", copied.stdout);
    let (one, two) = (accounts.files("one"), accounts.files("two"));
    for (path, file) in &one {
        let copy = &two[&format!("/there{path}")];
        for field in ["fileMd5", "size", "access", "expiresAt"] {
            assert_eq!(copy[field], file[field], "{path} {field}");
        }
        assert!(!file["expiresAt"].is_null() && file["access"] == "PUBLIC_NOT_INDEXABLE");
    }
    assert_eq!(two.len(), 3);

    let again = accounts.binary.run(&words).expect(0);
    assert_eq!(again.stdout, "");
    assert_eq!(accounts.files("two"), two);
}

#[rstest]
#[case::stop("stop", 7)]
#[case::skip("skip", 0)]
#[case::replace("replace", 0)]
#[case::keep_both("keep-both", 0)]
fn a_name_that_is_taken_is_dealt_with_by_the_rule(#[case] rule: &str, #[case] code: i32) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"new"), ("b.txt", b"b")], &[]);
    accounts.binary.write("a.txt", b"old");
    let old = ["put", "--account", "two", "a.txt", "/site/"];
    accounts.binary.run(&old).expect(0);
    let before = accounts.files("two");
    let words = ["copy", "@one:/site", "@two:/", "--on-clash", rule];
    accounts.binary.run(&words).expect(code);
    let (after, path) = (accounts.files("two"), "/site/a.txt");
    let names: Vec<&str> = after.keys().map(String::as_str).collect();
    match rule {
        "stop" => assert_eq!(after, before, "nothing at all is copied"),
        "skip" => assert_eq!(
            (names, &after[path]),
            (vec![path, "/site/b.txt"], &before[path])
        ),
        "replace" => {
            assert_eq!(names, [path, "/site/b.txt"]);
            assert_eq!(after[path]["id"], before[path]["id"]);
            assert_eq!(
                after[path]["fileMd5"],
                accounts.files("one")[path]["fileMd5"]
            );
        }
        _ => {
            assert_eq!(names, ["/site/a-1.txt", path, "/site/b.txt"]);
            assert_eq!(after[path], before[path]);
        }
    }
}

#[test]
fn one_file_can_get_another_name() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let words = ["copy", "@one:/site/a.txt", "@two:/in/b.txt"];
    accounts.binary.run(&words).expect(0);
    let id = accounts.files("one")["/site/a.txt"]["id"].clone();
    let by_id = format!("@one:id:{}", id.as_str().unwrap());
    accounts
        .binary
        .run(&["copy", &by_id, "@two:/in/"])
        .expect(0);
    let sums = accounts.sums();
    let paths: Vec<&str> = sums.keys().map(String::as_str).collect();
    assert_eq!(paths, ["/in/a.txt", "/in/b.txt"]);
}

#[rstest]
#[case::into_a_folder("@one:/site", "new", "new/site/a.txt")]
#[case::a_file_into_a_folder("@one:/site/a.txt", "new/", "new/a.txt")]
#[case::under_another_name("@one:/site/a.txt", "new/deep/b.txt", "new/deep/b.txt")]
#[case::beside("@one:/site/a.txt", "b.txt", "b.txt")]
fn this_machine_can_be_the_target(#[case] source: &str, #[case] dest: &str, #[case] path: &str) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    for _ in 0..2 {
        accounts.binary.run(&["copy", source, dest]).expect(0);
    }
    let bytes = fs::read(accounts.binary.work().join(path)).unwrap();
    assert_eq!(bytes, b"a");
}

#[rstest]
#[case::into_a_folder("site", "@two:/in", "/in/site/a.txt")]
#[case::under_another_name("./site/a.txt", "@two:/in/b.txt", "/in/b.txt")]
fn this_machine_can_be_the_source(#[case] source: &str, #[case] dest: &str, #[case] path: &str) {
    let accounts = TwoAccounts::new();
    fs::create_dir(accounts.binary.work().join("site")).unwrap();
    accounts.binary.write("site/a.txt", b"a");
    accounts.binary.run(&["copy", source, dest]).expect(0);
    accounts.binary.write("site/a.txt", b"other");
    accounts.binary.run(&["copy", source, dest]).expect(7);
    let replace = ["copy", source, dest, "--on-clash", "replace"];
    accounts.binary.run(&replace).expect(0);
    let files = accounts.files("two");
    let sizes: Vec<_> = files
        .iter()
        .map(|(path, file)| (&**path, &file["size"]))
        .collect();
    assert_eq!(sizes, [(path, &Value::from(5))]);
}

/// Stores a file that pages may not use, and returns the words that copy it.
fn unusable(accounts: &TwoAccounts) -> [&'static str; 3] {
    accounts.store(&[("a.txt", b"a"), ("large.bin", &large(1))], &[]);
    for path in ["/site/a.txt", "/site/large.bin"] {
        let words = ["set", "--account", "one", path, "--usable", "no"];
        accounts.binary.run(&words).expect(0);
    }
    ["copy", "@one:/site", "@two:/"]
}

#[track_caller]
fn assert_unusable(accounts: &TwoAccounts) {
    for (path, file) in accounts.files("two") {
        assert_eq!(file["isUsableInContent"], false, "{path}");
    }
}

#[test]
fn pages_may_not_use_the_copy_of_a_file_that_they_may_not_use() {
    let accounts = TwoAccounts::new();
    let words = unusable(&accounts);
    accounts.binary.run(&words).expect(0);
    assert_unusable(&accounts);
}

#[rstest]
#[case::by_the_same_command(false)]
#[case::by_a_retry(true)]
fn a_copy_that_pages_can_still_use_is_named(#[case] is_retried: bool) {
    let accounts = TwoAccounts::new();
    let words = unusable(&accounts);
    let change = Calls::to("PATCH", "/files/v3/files/");
    let refused = Rule::new(change, Which::All, Fault::status(403, &[]));
    accounts.target.rules(vec![refused]);
    let run = accounts.binary.run(&words);
    let names_it = |run: &Run| run.stderr.contains("pages can use it");
    assert!(run.code != 0 && names_it(&run), "{run:#?}");
    accounts.target.rules(Vec::new());
    if is_retried {
        retry(&accounts);
        assert_unusable(&accounts);
    } else {
        let again = accounts.binary.run(&words);
        assert!(names_it(&again), "{again:#?}");
    }
}

/// Retries what the last task of `two` has left.
fn retry(accounts: &TwoAccounts) {
    let listed = ["tasks", "--account", "two", "--json"];
    let listed = accounts.binary.run(&listed).expect(0).json_lines();
    let task = listed[0]["number"].to_string();
    let retry = ["tasks", "retry", &task, "--account", "two"];
    accounts.binary.run(&retry).expect(0);
}

#[test]
fn files_without_an_md5_are_compared_by_size_and_that_is_said() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let without = Fault::changed(|_, answer| {
        let body = String::from_utf8_lossy(&answer.body).replace("fileMd5", "other");
        answer.body = body.into_bytes();
    });
    let all = Calls::to("GET", "/files/v3/");
    accounts
        .proxy
        .rules(vec![Rule::new(all, Which::All, without)]);
    let words = ["copy", "@one:/site", "@two:/", "--map", "map.csv"];
    let run = accounts.binary.run(&words).expect(0);
    assert!(
        run.stderr.contains("1 file compared by size only"),
        "{}",
        run.stderr
    );
    let map = fs::read_to_string(accounts.binary.work().join("map.csv")).unwrap();
    assert!(map.trim_end().ends_with(",copied,size"), "{map}");
}

#[test]
fn a_level_that_cannot_be_set_becomes_private_and_is_named() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let sensitive = Fault::changed(|_, answer| {
        let body = String::from_utf8_lossy(&answer.body).replace("PRIVATE", "SENSITIVE");
        answer.body = body.into_bytes();
    });
    let all = Calls::to("GET", "/files/v3/");
    accounts
        .proxy
        .rules(vec![Rule::new(all, Which::All, sensitive)]);
    let run = accounts
        .binary
        .run(&["copy", "@one:/site", "@two:/"])
        .expect(0);
    assert!(
        run.stderr.contains("site/a.txt") && run.stderr.contains("private"),
        "{}",
        run.stderr
    );
    assert_eq!(accounts.files("two")["/site/a.txt"]["access"], "PRIVATE");
}

#[rstest]
#[case::into_itself(&["@one:/site", "@one:/site/copy/"], 1, "cannot be copied into itself")]
#[case::unknown_account(&["@nobody:/site", "@two:/"], 2, "there is no account \"nobody\"")]
#[case::unknown_target(&["@one:/site", "@nobody:/"], 2, "there is no account \"nobody\"")]
#[case::no_colon(&["@one", "@two:/"], 2, "with a colon after the name")]
#[case::missing(&["@one:/gone", "@two:/"], 4, "cannot copy @one:/gone")]
#[case::two_accounts(&["@one:/site", "@two:/site", "@two:/in"], 2, "on several sides")]
#[case::two_sides(&["./site", "@one:/site", "@two:/in"], 2, "on several sides")]
#[case::here(&["./site", "./in"], 2, "both sides are on this machine")]
#[case::two_readings(&["/site", "@two:/in"], 2, "'file:/site @two:/in' or '@NAME:/site @two:/in'")]
#[case::a_map_of_an_upload(&["./site", "@two:/in", "--map", "map.csv"], 2, "between accounts")]
#[case::a_flag_for_nothing(&["@one:/site", "@two:/", "--account", "one"], 2, "leave out --account")]
fn what_cannot_be_copied_says_why(#[case] words: &[&str], #[case] code: i32, #[case] says: &str) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let run = accounts
        .binary
        .run(&[&["copy"], words].concat())
        .expect(code);
    assert!(run.stderr.contains(says), "{}", run.stderr);
    assert_eq!(accounts.sums(), BTreeMap::new());
    assert_eq!(accounts.files("one").len(), 1);
}

#[test]
fn a_read_only_account_is_a_source_and_no_target() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    accounts.configure("read_only = true\n");
    let run = accounts
        .binary
        .run(&["copy", "@one:/site", "@two:/"])
        .expect(1);
    assert!(
        run.stderr.contains("'two' is configured as read_only"),
        "{}",
        run.stderr
    );
    assert_eq!(accounts.sums(), BTreeMap::new());
    accounts
        .binary
        .run(&["copy", "@two:/", "@one:/back"])
        .expect(0);
}

#[rstest]
#[case::reset(Which::First(2), Fault::cut(End::Reset), 0)]
#[case::close(Which::First(2), Fault::cut(End::Close), 0)]
#[case::gone(Which::All, Fault::status(404, &[]), 1)]
#[case::refused(Which::All, Fault::status(403, &[]), 1)]
#[case::other_bytes(Which::All, Fault::changed(|_, answer| answer.body[7] ^= 1), 1)]
#[case::fewer_bytes(Which::All, Fault::changed(|_, answer| answer.body.truncate(100)), 1)]
#[case::more_bytes(Which::All, Fault::changed(|_, answer| answer.body.extend([b'.'; 100])), 1)]
fn a_source_that_fails_under_way_leaves_no_other_bytes(
    #[case] which: Which,
    #[case] fault: Fault,
    #[case] code: i32,
) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.bin", &b"content ".repeat(50_000))], &[]);
    let bytes = Calls::to("GET", "/files/v3/files/").naming("/download");
    accounts.proxy.rules(vec![Rule::new(bytes, which, fault)]);
    let run = accounts.binary.run(&["copy", "@one:/site", "@two:/"]);
    assert_eq!(run.code == 0, code == 0, "{run:#?}");
    accounts.proxy.rules(Vec::new());
    let copied: Vec<String> = accounts.sums().into_values().collect();
    let sum = accounts.files("one")["/site/a.bin"]["fileMd5"].clone();
    let expected: &[Value] = if code == 0 { &[sum] } else { &[] };
    assert_eq!(copied, expected, "{run:#?}");
    if code != 0 {
        assert!(run.stderr.contains("/site/a.bin"), "{}", run.stderr);
    }
}

#[test]
fn a_task_finishes_with_its_source_and_ends_when_that_is_removed() {
    let accounts = TwoAccounts::new();
    accounts.store(
        &[("a.bin", &b"content ".repeat(50_000)), ("b.txt", b"b")],
        &[],
    );
    let bytes = Calls::to("GET", "/files/v3/files/").naming("/download");
    let silence = Rule::new(bytes, Which::All, Fault::hang());
    accounts.proxy.rules(vec![silence]);
    let mut command = accounts.binary.command(&["copy", "@one:/site", "@two:/"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let is_asked = |log: &[Relayed]| log.iter().any(|relayed| bytes.hold(&relayed.seen));
    accounts.one.block_on(accounts.proxy.until(is_asked));
    assert_eq!(end(&mut child, "INT"), 130);
    accounts.proxy.rules(Vec::new());

    let listed = accounts
        .binary
        .run(&["tasks", "--account", "two", "--json"]);
    let task = listed.expect(0).json_lines().remove(0)["number"].to_string();
    let retry = ["tasks", "retry", &task, "--account", "two"];

    let both = fs::read_to_string(accounts.binary.config_dir().join("config.toml")).unwrap();
    let only_two = both.replace("[accounts.one]", "[accounts.other]");
    fs::write(accounts.binary.config_dir().join("config.toml"), only_two).unwrap();
    let run = accounts.binary.run(&retry);
    assert!(
        run.code != 0 && run.stderr.contains("'one' cannot be opened"),
        "{run:#?}"
    );
    assert_eq!(accounts.sums(), BTreeMap::new());

    fs::write(accounts.binary.config_dir().join("config.toml"), both).unwrap();
    accounts.binary.run(&retry).expect(0);
    let sums = accounts.sums();
    let copied: Vec<&str> = sums.keys().map(String::as_str).collect();
    assert_eq!(copied, ["/site/a.bin", "/site/b.txt"]);
}

#[test]
fn the_account_of_a_path_is_used_by_sync_and_diff() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    accounts
        .binary
        .run(&["sync", "site", "@two:/web", "--quiet"])
        .expect(0);
    accounts
        .binary
        .run(&["diff", "site", "@two:/web"])
        .expect(0);
    accounts
        .binary
        .run(&["diff", "@one:/site", "site"])
        .expect(0);
    let run = accounts
        .binary
        .run(&["sync", "site", "@two:/web", "--account", "one"])
        .expect(2);
    assert!(
        run.stderr.contains("leave out --account one"),
        "{}",
        run.stderr
    );
    assert_eq!(accounts.sums().keys().collect::<Vec<_>>(), ["/web/a.txt"]);
}

#[rstest]
#[case::csv("map.csv")]
#[case::json_lines("map.jsonl")]
fn the_map_has_both_addresses_of_every_file(#[case] name: &str) {
    let accounts = TwoAccounts::new();
    let access = ["--access", "public-not-indexable"];
    accounts.store(&[("a, b.txt", b"a")], &access);
    let words = ["copy", "@one:/site", "@two:/", "--map", name];
    accounts.binary.run(&words).expect(0);
    accounts.store(&[("c.txt", b"c")], &access);
    accounts.binary.run(&words).expect(0);
    let map = fs::read_to_string(accounts.binary.work().join(name)).unwrap();
    let (one, two) = (accounts.files("one"), accounts.files("two"));
    let lines: Vec<&str> = map.lines().collect();
    let lines = if name == "map.csv" {
        assert!(lines[0].starts_with("source account,source id,"), "{map}");
        &lines[1..]
    } else {
        &lines[..]
    };
    let paths = ["/site/a, b.txt", "/site/c.txt"];
    assert_eq!(lines.len(), paths.len(), "{map}");
    for ((path, line), state) in paths.iter().zip(lines).zip(["already there", "copied"]) {
        for file in [&one[*path], &two[*path]] {
            for field in ["id", "url"] {
                let text = file[field].as_str().unwrap();
                assert!(line.contains(text), "{field} {text}: {line}");
            }
        }
        assert!(line.contains(state) && line.contains("one") && line.contains("two"));
    }
}

#[test]
fn a_map_that_cannot_be_written_is_refused_before_anything_is_copied() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let words = ["copy", "@one:/site", "@two:/", "--map", "gone/map.csv"];
    let run = accounts.binary.run(&words);
    assert!(
        run.code != 0 && run.stderr.contains("gone/map.csv"),
        "{run:#?}"
    );
    assert_eq!(accounts.sums(), BTreeMap::new());
}

#[rstest]
#[case::stop("stop", 7, &[])]
#[case::skip("skip", 7, &[])]
#[case::replace("replace", 7, &[])]
#[case::keep_both("keep-both", 0, &["/in/x-1.txt", "/in/x.txt"])]
fn two_sources_of_one_name_do_not_become_one(
    #[case] rule: &str,
    #[case] code: i32,
    #[case] expected: &[&str],
) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a/x.txt", b"1"), ("b/x.txt", b"2")], &[]);
    let words = [
        "copy",
        "@one:/site/a/x.txt",
        "@one:/site/b/x.txt",
        "@two:/in/",
        "--on-clash",
        rule,
    ];
    accounts.binary.run(&words).expect(code);
    assert_eq!(accounts.sums().keys().collect::<Vec<_>>(), expected);
}

#[test]
fn patterns_apply_below_the_folders_that_are_named() {
    let accounts = TwoAccounts::new();
    accounts.store(
        &[("a/x.txt", b"1"), ("a/x.png", b"2"), ("ab/img/y.png", b"3")],
        &[],
    );
    let sources = ["@one:/site/a", "@one:/site/ab"];
    let options = ["--include", "img/*.png", "--include", "/x.txt"];
    let words = [&["copy"], &sources[..], &["@two:/"], &options[..]].concat();
    accounts.binary.run(&words).expect(0);
    assert_eq!(
        accounts.sums().keys().collect::<Vec<_>>(),
        ["/a/x.txt", "/ab/img/y.png"]
    );
}

#[test]
fn a_number_is_given_once_however_often_both_are_kept() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"new")], &[]);
    accounts.binary.write("a.txt", b"old");
    let old = ["put", "--account", "two", "a.txt", "/site/"];
    accounts.binary.run(&old).expect(0);
    let words = ["copy", "@one:/site", "@two:/", "--on-clash", "keep-both"];
    for _ in 0..2 {
        accounts.binary.run(&words).expect(0);
        assert_eq!(
            accounts.sums().keys().collect::<Vec<_>>(),
            ["/site/a-1.txt", "/site/a.txt"]
        );
    }
}

/// A content that the service fetches itself.
fn large(byte: u8) -> Vec<u8> {
    vec![byte; 4 << 20]
}

/// The uploads that `two` was sent.
fn uploads(accounts: &TwoAccounts) -> usize {
    let log = accounts.target.log();
    let is_upload = |relayed: &&Relayed| {
        relayed.seen.method == "POST" && relayed.seen.target == "/files/v3/files"
    };
    log.iter().filter(is_upload).count()
}

fn imports(accounts: &TwoAccounts) -> usize {
    accounts.target.count(Calls::to("POST", IMPORT))
}

#[track_caller]
fn assert_same(accounts: &TwoAccounts) {
    let (one, two) = (accounts.files("one"), accounts.files("two"));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        two.keys().collect::<Vec<_>>()
    );
    for (path, file) in &one {
        for field in ["fileMd5", "size", "access", "expiresAt"] {
            assert_eq!(two[path][field], file[field], "{path} {field}");
        }
    }
}

#[test]
fn a_large_file_is_fetched_by_the_service_itself() {
    let accounts = TwoAccounts::new();
    accounts.store(
        &[("a.bin", &large(1)), ("b.txt", b"b"), ("c.v1", &large(3))],
        &["--access", "public-not-indexable", "--ttl", "P1M"],
    );
    let words = ["copy", "@one:/site", "@two:/", "--jobs", "1"];
    let copied = accounts.binary.run(&words).expect(0);
    assert_same(&accounts);
    assert_eq!((imports(&accounts), uploads(&accounts)), (2, 1));
    let lines = copied.stdout.lines().count();
    assert_eq!((lines, copied.stderr.contains("signed")), (3, false));
    for file in fs::read_dir(accounts.binary.home.path().join("state")).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap_or_default();
        let leaks = bytes.windows(8).any(|bytes| bytes == b"/signed/");
        assert!(!leaks, "{}", path.display());
    }
}

#[rstest]
#[case::refused(Some(Fault::status(400, &[])))]
#[case::refused_network(None)]
fn what_cannot_be_imported_is_streamed_after_one_attempt(#[case] fault: Option<Fault>) {
    let accounts = TwoAccounts::with_target(Service::start());
    accounts.store(
        &[
            ("a.bin", &large(1)),
            ("b.bin", &large(2)),
            ("c.bin", &large(3)),
        ],
        &["--access", "public-not-indexable", "--ttl", "P1M"],
    );
    let rule = fault.map(|fault| Rule::new(Calls::to("POST", IMPORT), Which::All, fault));
    accounts.target.rules(rule.into_iter().collect());
    let words = ["copy", "@one:/site", "@two:/", "--jobs", "2"];
    accounts.binary.run(&words).expect(0);
    assert_same(&accounts);
    assert_eq!((imports(&accounts), uploads(&accounts)), (1, 3));
}

#[test]
fn an_import_whose_answer_is_lost_is_not_repeated() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.bin", &large(1))], &[]);
    let lost = Fault::Reset(Passed::Now);
    let rule = Rule::new(Calls::to("POST", IMPORT), Which::All, lost);
    accounts.target.rules(vec![rule]);
    accounts
        .binary
        .run(&["copy", "@one:/site", "@two:/"])
        .expect(0);
    assert_same(&accounts);
    assert_eq!((imports(&accounts), uploads(&accounts)), (1, 0));
}

#[test]
fn a_file_of_the_same_content_is_copied_too() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.bin", &large(1)), ("b.bin", &large(1))], &[]);
    let words = ["copy", "@one:/site", "@two:/", "--jobs", "1"];
    accounts.binary.run(&words).expect(0);
    assert_same(&accounts);
}

#[test]
fn an_import_of_other_bytes_is_an_error() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.bin", &large(1))], &[]);
    let other = Fault::changed(|_, answer| {
        let mut task: Value = serde_json::from_slice(&answer.body).unwrap();
        if let Some(sum) = task.pointer_mut("/result/fileMd5") {
            *sum = "0".repeat(32).into();
            answer.body = serde_json::to_vec(&task).unwrap();
        }
    });
    let status = Calls::to("GET", IMPORT);
    accounts
        .target
        .rules(vec![Rule::new(status, Which::All, other)]);
    let run = accounts
        .binary
        .run(&["copy", "@one:/site", "@two:/"])
        .expect(1);
    assert!(run.stderr.contains("by MD5"), "{}", run.stderr);
}

#[rstest]
#[case::never_started("POST", Passed::Never)]
#[case::started("POST", Passed::Now)]
#[case::started_late("POST", Passed::After(2))]
#[case::running("GET", Passed::Now)]
fn a_copy_that_is_killed_while_it_is_imported_is_stored_once(
    #[case] method: &'static str,
    #[case] passed: Passed,
) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.bin", &large(1)), ("b.txt", b"b")], &[]);
    let calls = Calls::to(method, IMPORT);
    let rule = Rule::new(calls, Which::Nth(1), Fault::Silence(passed));
    accounts.target.rules(vec![rule]);
    let words = ["copy", "@one:/site", "@two:/", "--jobs", "1"];
    let mut child = accounts.binary.command(&words).spawn().unwrap();
    let is_asked = |log: &[Relayed]| log.iter().any(|relayed| calls.hold(&relayed.seen));
    accounts.one.block_on(accounts.target.until(is_asked));
    assert_eq!(end(&mut child, "KILL"), -1);

    retry(&accounts);
    assert_same(&accounts);
}

// Seen to store a second file without the guard: the service numbers the one that comes later.
#[test]
fn a_copy_that_is_repeated_while_the_service_still_imports_is_stored_once() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.bin", &large(1))], &[]);
    let [(import, import_hurries), (stream, stream_hurries)] =
        [watch::channel(false), watch::channel(false)];
    let (signed, bytes) = (
        Calls::to("GET", "/signed/"),
        Calls::to("GET", "/files/v3/files/").naming("/download"),
    );
    let (own, proxied) = (accounts.one.base_url(), accounts.proxy.url.to_string());
    let through_proxy = Fault::changed(move |_, answer| {
        let body = String::from_utf8_lossy(&answer.body);
        answer.body = body
            .replace(own.trim_end_matches('/'), proxied.trim_end_matches('/'))
            .into_bytes();
    });
    let address = Calls::to("GET", "/files/v3/files/").naming("/signed-url");
    accounts.proxy.rules(vec![
        Rule::new(address, Which::All, through_proxy),
        Rule::new(signed, Which::All, Fault::slow(import_hurries)),
        Rule::new(bytes, Which::All, Fault::slow(stream_hurries)),
    ]);
    let words = ["copy", "@one:/site", "@two:/"];
    let mut killed = accounts.binary.command(&words).spawn().unwrap();
    let status = Calls::to("GET", IMPORT);
    let is_watched = |log: &[Relayed]| log.iter().any(|relayed| status.hold(&relayed.seen));
    accounts.one.block_on(accounts.target.until(is_watched));
    assert_eq!(end(&mut killed, "KILL"), -1);

    let refused = Fault::status(403, &[]);
    accounts.target.rules(vec![Rule::new(
        Calls::to("POST", IMPORT),
        Which::All,
        refused,
    )]);
    let mut repeated = accounts.binary.command(&words).spawn().unwrap();
    let is_streamed = |log: &[Relayed]| log.iter().any(|relayed| bytes.hold(&relayed.seen));
    accounts.one.block_on(accounts.proxy.until(is_streamed));
    import.send_replace(true);
    while accounts.files("two").is_empty() {}
    stream.send_replace(true);
    assert!(repeated.wait().unwrap().success());
    assert_same(&accounts);
}

#[rstest]
#[case::a_name(400, Which::Nth(1), 1)]
#[case::too_large(413, Which::Nth(1), 1)]
#[case::a_scope(403, Which::All, 0)]
#[case::full(507, Which::All, 0)]
fn what_the_target_refuses_is_named_and_both_sides_stay(
    #[case] status: u16,
    #[case] which: Which,
    #[case] stored: usize,
) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a"), ("b.txt", b"b")], &[]);
    let before = accounts.files("one");
    let refused = Rule::new(
        Calls::to("POST", "/files/v3/files"),
        which,
        Fault::status(status, &[]),
    );
    accounts.target.rules(vec![refused]);
    let words = [
        "copy",
        "@one:/site",
        "@two:/",
        "--jobs",
        "1",
        "--map",
        "map.csv",
    ];
    let run = accounts.binary.run(&words);
    assert!(
        run.code != 0 && run.stderr.contains("@one:/site/a.txt"),
        "{run:#?}"
    );
    assert_eq!(accounts.files("one"), before);
    assert_eq!(accounts.sums().len(), stored);
    let map = fs::read_to_string(accounts.binary.work().join("map.csv")).unwrap();
    assert_eq!(map.lines().count(), 1 + stored, "{map}");

    accounts.target.rules(Vec::new());
    accounts.binary.run(&words).expect(0);
    assert_same(&accounts);
}

#[test]
fn a_target_that_is_limited_gets_all_files_later() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a"), ("b.txt", b"b")], &[]);
    let limited = Rule::new(
        Calls::to("POST", "/files/v3/files"),
        Which::First(2),
        Fault::status(429, &[("retry-after", "0")]),
    );
    accounts.target.rules(vec![limited]);
    accounts
        .binary
        .run(&["copy", "@one:/site", "@two:/"])
        .expect(0);
    assert_same(&accounts);
}
