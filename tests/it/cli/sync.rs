//! `sync` and `diff`, in both directions.

use std::fs;

use rstest::rstest;

use super::binary::{Binary, Service};

fn with_site(files: &[(&str, &str)]) -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    fs::create_dir(binary.work().join("site")).unwrap();
    for (path, content) in files {
        write(&binary, &format!("site/{path}"), content);
    }
    (service, binary)
}

fn write(binary: &Binary, path: &str, content: &str) {
    let path = binary.work().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// A clash, and a name that cannot be sent: either may be what seems to be gone.
#[cfg(unix)]
#[rstest]
#[case::a_file_in_place_of_a_folder("kept/x.txt", "kept", 5)]
#[case::a_name_that_cannot_be_sent("kept.txt", "bad\nname", 5)]
#[case::a_name_that_stands_for_one("kept.txt", "\u{201b}\u{241b}", 5)]
fn nothing_is_deleted_beside_what_is_left_out_and_the_dry_run_says_so(
    #[case] there: &str,
    #[case] here: &str,
    #[case] code: i32,
) {
    let (_service, binary) = with_site(&[("gone.txt", "gone"), (there, "kept")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    fs::remove_dir_all(binary.work().join("site")).unwrap();
    write(&binary, &format!("site/{here}"), "kept");
    write(&binary, "site/new.txt", "new");
    let dry_run = binary.run(&["sync", "--delete", "--dry-run", "site", "/web"]);
    assert!(!dry_run.expect(code).stdout.contains("- "));
    binary
        .run(&["sync", "--delete", "site", "/web"])
        .expect(code);
    binary.run(&["stat", "/web/gone.txt"]).expect(0);
    binary.run(&["stat", &format!("/web/{there}")]).expect(0);
    binary.run(&["stat", "/web/new.txt"]).expect(0);
}

#[test]
fn a_folder_goes_up_once_and_only_what_changed_follows() {
    let (_service, binary) =
        with_site(&[("a.txt", "a"), ("css/b.css", "b"), ("img/deep/c.txt", "c")]);
    fs::create_dir(binary.work().join("site/none")).unwrap();
    let diff = binary.run(&["diff", "site", "/web/new"]).expect(9);
    assert_eq!(
        diff.stdout,
        "+ a.txt\n+ css/b.css\n+ img/deep/c.txt\n+ none/\n"
    );
    assert_eq!(
        binary
            .run(&["sync", "-n", "site", "/web/new"])
            .expect(0)
            .stdout,
        diff.stdout
    );
    binary.run(&["ls", "/web"]).expect(4);
    let first = binary
        .run(&["sync", "site", "/web/new", "--access", "public"])
        .expect(0);
    assert_eq!(
        sorted(&first.stdout),
        ["+ a.txt", "+ css/b.css", "+ img/deep/c.txt", "+ none/"]
    );
    assert_eq!(first.stderr.trim_end(), "filedeck: 4 to create, 0 equal");
    assert_eq!(
        binary
            .run(&["cat", "/web/new/img/deep/c.txt"])
            .expect(0)
            .stdout,
        "c"
    );
    let stat = |path: &str| {
        binary
            .run(&["stat", path, "--json"])
            .expect(0)
            .json_lines()
            .remove(0)
    };
    let before = stat("/web/new/css/b.css");
    assert_eq!(before["access"], "PUBLIC_INDEXABLE");
    let again = binary.run(&["sync", "site", "/web/new"]).expect(0);
    assert_eq!(
        (again.stdout.as_str(), again.stderr.trim_end()),
        ("", "filedeck: 3 equal")
    );
    binary.run(&["diff", "site", "/web/new"]).expect(0);
    write(&binary, "site/css/b.css", "B");
    assert_eq!(
        binary.run(&["sync", "site", "/web/new"]).expect(0).stdout,
        "~ css/b.css\n"
    );
    let after = stat("/web/new/css/b.css");
    assert_eq!(
        (&after["id"], &after["access"]),
        (&before["id"], &before["access"])
    );
}

#[test]
fn files_of_another_level_are_counted_and_keep_it() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("b.txt", "b"), ("deep/c.txt", "c")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    binary
        .run(&["set", "/web/a.txt", "--access", "unlisted"])
        .expect(0);
    let said = |words: &[&str]| {
        binary
            .run(&[&["sync", "site", "/web"], words].concat())
            .expect(0)
            .stderr
    };
    write(&binary, "site/b.txt", "B");
    for (words, count) in [
        (["-n", "--access", "public"], "3 existing files have"),
        (["-n", "--access", "unlisted"], "2 existing files have"),
        (["--json", "--access", "private"], "1 existing file has"),
    ] {
        let said = said(&words);
        assert!(
            said.contains(&format!("{count} another level than {}", words[2])),
            "{said}"
        );
    }
    assert!(!said(&[]).contains("level"), "nobody asked");
    assert!(
        !binary
            .run(&["sync", "/web", "down", "--access", "public"])
            .expect(0)
            .stderr
            .contains("level")
    );
    let access = |path| {
        binary
            .run(&["stat", path, "--json"])
            .expect(0)
            .json_lines()
            .remove(0)["access"]
            .clone()
    };
    assert_eq!(
        (access("/web/a.txt"), access("/web/b.txt")),
        ("PUBLIC_NOT_INDEXABLE".into(), "PRIVATE".into())
    );
}

#[test]
fn what_differs_is_replaced_unless_it_is_to_be_skipped_or_to_stop_all() {
    let (_service, binary) = with_site(&[("a.txt", "old"), ("b.txt", "same")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    write(&binary, "site/a.txt", "newer");
    write(&binary, "site/c.txt", "new");
    let run = binary
        .run(&["sync", "site", "/web", "--on-clash", "stop"])
        .expect(7);
    assert!(
        run.stderr.contains("a.txt differs on both sides"),
        "{}",
        run.stderr
    );
    binary.run(&["ls", "/web/c.txt"]).expect(4);
    let run = binary
        .run(&["sync", "site", "/web", "--on-clash", "skip"])
        .expect(0);
    assert!(
        run.stderr
            .contains("1 to create, 1 equal, 1 differ and are skipped"),
        "{}",
        run.stderr
    );
    assert_eq!(binary.run(&["cat", "/web/a.txt"]).expect(0).stdout, "old");
    assert_eq!(binary.run(&["cat", "/web/c.txt"]).expect(0).stdout, "new");
    binary.run(&["sync", "site", "/web"]).expect(0);
    assert_eq!(binary.run(&["cat", "/web/a.txt"]).expect(0).stdout, "newer");
    binary
        .run(&["sync", "site", "/web", "--on-clash", "keep-both"])
        .expect(2);
}

#[test]
fn a_folder_comes_down_and_is_mirrored_on_demand_only() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("css/b.css", "b")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    let down = binary.run(&["sync", "/web", "copy"]).expect(0);
    assert_eq!(sorted(&down.stdout), ["+ a.txt", "+ css/b.css"]);
    assert_eq!(
        fs::read_to_string(binary.work().join("copy/css/b.css")).unwrap(),
        "b"
    );
    write(&binary, "copy/a.txt", "changed");
    write(&binary, "copy/mine/d.txt", "d");
    assert_eq!(
        binary.run(&["diff", "/web", "copy"]).expect(9).stdout,
        "~ a.txt\n- mine/d.txt\n"
    );
    assert_eq!(
        binary.run(&["sync", "/web", "copy"]).expect(0).stdout,
        "~ a.txt\n"
    );
    assert!(
        binary.work().join("copy/mine/d.txt").exists(),
        "nothing is deleted without --delete"
    );
    assert_eq!(
        binary
            .run(&["sync", "/web", "copy", "--delete"])
            .expect(0)
            .stdout,
        "- mine/d.txt\n"
    );
    assert!(!binary.work().join("copy/mine").exists());
    binary.run(&["diff", "/web", "copy"]).expect(0);
}

#[test]
fn a_mirror_deletes_whole_folders_last_and_not_too_many() {
    let (_service, binary) = with_site(&[
        ("a.txt", "a"),
        ("old/b.txt", "b"),
        ("old/deep/c.txt", "c"),
        ("d.txt", "d"),
    ]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    fs::remove_dir_all(binary.work().join("site/old")).unwrap();
    fs::remove_file(binary.work().join("site/d.txt")).unwrap();
    write(&binary, "site/new.txt", "new");
    let few = ["sync", "site", "/web", "--delete", "--max-delete", "4"];
    let needed = "filedeck: nothing was changed: 5 files and folders would be deleted; --max-delete 5 allows that";
    let refused = binary.run(&few).expect(1);
    assert_eq!(refused.stdout, "");
    assert!(
        refused.stderr.trim_end().ends_with(needed),
        "{}",
        refused.stderr
    );
    let dry = binary.run(&[&few[..], &["-n"]].concat()).expect(1);
    assert_eq!(sorted(&dry.stdout), ["+ new.txt", "- d.txt", "- old/"]);
    assert!(dry.stderr.trim_end().ends_with(needed), "{}", dry.stderr);
    assert_eq!(
        binary.run(&["ls", "/web"]).expect(0).stdout.lines().count(),
        3,
        "nothing was sent either"
    );
    let run = binary.run(&["sync", "site", "/web", "--delete"]).expect(0);
    assert_eq!(sorted(&run.stdout), ["+ new.txt", "- d.txt", "- old/"]);
    assert_eq!(
        run.stderr.trim_end(),
        "filedeck: 1 to create, 5 to delete, 1 equal"
    );
    assert_eq!(
        binary.run(&["ls", "/web"]).expect(0).stdout,
        "a.txt\nnew.txt\n"
    );
}

#[test]
fn a_mirror_moves_what_was_renamed_and_keeps_its_id() {
    let files = [("a.txt", "a"), ("old/b.txt", "b"), ("old/c.txt", "c")];
    let (_service, binary) = with_site(&files);
    binary.run(&["sync", "site", "/web"]).expect(0);
    let id = |path: &str| {
        let stat = binary.run(&["stat", path, "--json"]).expect(0);
        stat.json_lines().remove(0)["id"].clone()
    };
    let ids = ["/web/a.txt", "/web/old", "/web/old/b.txt"].map(id);
    let site = binary.work().join("site");
    fs::create_dir(site.join("x")).unwrap();
    fs::rename(site.join("a.txt"), site.join("x/z.txt")).unwrap();
    fs::rename(site.join("old"), site.join("new")).unwrap();
    let moves = "+ x/\n> old/ → new/\n> a.txt → x/z.txt\n";
    for words in [
        &["diff", "site", "/web"][..],
        &["sync", "-n", "site", "/web", "--delete"],
    ] {
        let planned = binary.run(words);
        assert_eq!(sorted(&planned.stdout), sorted(moves), "{planned:?}");
        assert!(
            planned.stderr.contains("2 to move to a new address"),
            "{planned:?}"
        );
    }
    let again = binary
        .run(&["sync", "-n", "site", "/web", "--delete", "--no-renames"])
        .expect(0);
    assert!(
        again.stdout.contains("+ x/z.txt") && again.stdout.contains("- old/"),
        "{again:?}"
    );
    let done = binary.run(&["sync", "site", "/web", "--delete"]).expect(0);
    assert_eq!(sorted(&done.stdout), sorted(moves));
    let now = ["/web/x/z.txt", "/web/new", "/web/new/b.txt"].map(id);
    assert_eq!(now, ids);
    binary.run(&["diff", "site", "/web"]).expect(0);
}

#[test]
fn a_source_that_is_empty_or_missing_empties_nothing() {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    fs::create_dir(binary.work().join("empty")).unwrap();
    let run = binary.run(&["sync", "empty", "/web", "--delete"]).expect(1);
    assert!(
        run.stderr.contains("empty has no files to compare"),
        "{}",
        run.stderr
    );
    binary.run(&["sync", "gone", "/web", "--delete"]).expect(1);
    binary.run(&["sync", "/gone", "site", "--delete"]).expect(4);
    binary.run(&["cat", "/web/a.txt"]).expect(0);
}

#[test]
fn what_patterns_leave_out_is_neither_sent_nor_deleted() {
    let (_service, binary) = with_site(&[
        (".gitignore", "*.log\n"),
        ("a.txt", "a"),
        ("a.log", "log"),
        ("node_modules/x.js", "x"),
    ]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    fs::remove_dir_all(binary.work().join("site/node_modules")).unwrap();
    fs::remove_file(binary.work().join("site/a.log")).unwrap();
    fs::remove_file(binary.work().join("site/a.txt")).unwrap();
    let run = binary
        .run(&[
            "sync",
            "site",
            "/web",
            "--gitignore",
            "--exclude",
            "node_modules",
            "--delete",
        ])
        .expect(0);
    assert_eq!(run.stdout, "- a.txt\n");
    assert!(
        run.stderr.contains("1 equal, 2 left out by filters"),
        "{}",
        run.stderr
    );
    assert_eq!(
        binary.run(&["ls", "/web"]).expect(0).stdout,
        "node_modules/\n.gitignore\na.log\n"
    );
    let only = binary
        .run(&["diff", "site", "/web", "--include", "*.log"])
        .expect(9);
    assert_eq!(only.stdout, "- a.log\n");
}

#[test]
fn what_cannot_be_compared_is_told_and_keeps_the_rest_from_being_deleted() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("b/c.txt", "c"), ("d.txt", "d")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    fs::remove_dir_all(binary.work().join("site/b")).unwrap();
    fs::remove_file(binary.work().join("site/d.txt")).unwrap();
    write(&binary, "site/b", "a file now");
    write(&binary, "site/e.txt", "e");
    let run = binary.run(&["sync", "site", "/web", "--delete"]).expect(5);
    assert_eq!(run.stdout, "+ e.txt\n");
    assert!(
        run.stderr
            .contains("cannot compare b: a file and a folder have this name"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("nothing was deleted"), "{}", run.stderr);
    binary.run(&["cat", "/web/d.txt"]).expect(0);
    fs::remove_file(binary.work().join("site/d.txt")).ok();
    binary.run(&["sync", "/web", "down"]).expect(0);
    fs::remove_file(binary.work().join("down/d.txt")).unwrap();
    fs::create_dir_all(binary.work().join("down/d.txt/inside/empty")).unwrap();
    write(&binary, "down/d.txt/f.txt", "f");
    binary.run(&["sync", "down", "/web"]).expect(5);
    let found = binary.run(&["find", "in:/web", "inside"]).expect(0).stdout;
    assert_eq!(found, "", "created beside the file");
}

#[test]
fn steps_are_json_lines_on_demand() {
    let (_service, binary) = with_site(&[("a.txt", "abc")]);
    let lines = binary
        .run(&["diff", "site", "/web", "--json"])
        .expect(9)
        .json_lines();
    assert_eq!(
        lines,
        [serde_json::json!({ "action": "create", "path": "a.txt", "size": 3 })]
    );
    assert_eq!(
        binary
            .run(&["sync", "site", "/web", "--quiet"])
            .expect(0)
            .stdout,
        ""
    );
}

#[rstest]
#[case::both_local(&["sync", "a", "b"], "both folders are on this machine")]
#[case::both_remote(&["diff", "/a", "/b"], "file:/a /b")]
#[case::no_pattern(&["sync", "site", "/web", "--exclude", "a["], "a[ is not a pattern")]
#[case::a_bound_of_nothing(&["sync", "site", "/web", "--max-delete", "3"], "--delete")]
fn wrong_words_are_a_usage_error(#[case] words: &[&str], #[case] says: &str) {
    let (_service, binary) = with_site(&[]);
    let run = binary.run(words).expect(2);
    assert!(run.stderr.contains(says), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
/// Odd names that are valid on a disk of this system, from a fixed seed.
fn odd_names(seed: u64) -> Vec<String> {
    const PARTS: [&str; 20] = [
        "Q3: plan",
        "con",
        "nul.tar",
        "a?b*",
        "<x>|",
        "back\\slash",
        "‛",
        "：",
        "␛",
        "／",
        "end.",
        "end ",
        " start",
        "\"q\"",
        "é",
        "%20",
        "-x",
        "~",
        "C__x",
        "\u{202e}gpj",
    ];
    let mut state = seed;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    (0..24)
        .map(|_| {
            let folder = if next(2) == 0 {
                format!("{}/", PARTS[next(PARTS.len())])
            } else {
                String::new()
            };
            format!(
                "{folder}{}{}{}",
                PARTS[next(PARTS.len())],
                PARTS[next(PARTS.len())],
                next(100)
            )
        })
        .collect()
}

#[cfg(target_os = "linux")]
#[rstest]
fn odd_names_go_down_and_up_and_nothing_changes_in_the_second_run(#[values(1, 2, 3)] seed: u64) {
    let names = odd_names(seed);
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), name.as_str()))
        .collect();
    let (_service, binary) = with_site(&files);
    binary.run(&["sync", "site", "/web"]).expect(0);
    binary.run(&["sync", "/web", "copy"]).expect(0);
    for (name, content) in &files {
        assert_eq!(
            fs::read_to_string(binary.work().join("copy").join(name))
                .ok()
                .as_deref(),
            Some(*content),
            "{name:?}"
        );
    }
    let before = binary.run(&["find", "in:/web", "--json"]).expect(0).stdout;
    assert_eq!(
        binary
            .run(&["sync", "copy", "/web", "--delete"])
            .expect(0)
            .stdout,
        ""
    );
    assert_eq!(
        binary
            .run(&["sync", "/web", "copy", "--delete"])
            .expect(0)
            .stdout,
        ""
    );
    assert_eq!(
        binary.run(&["find", "in:/web", "--json"]).expect(0).stdout,
        before
    );
    binary.run(&["diff", "site", "/web"]).expect(0);
    binary.run(&["get", "/web", "--output", "."]).expect(0);
    assert_eq!(
        binary
            .run(&["get", "/web", "--output", "."])
            .expect(0)
            .stdout,
        "",
        "nothing comes twice"
    );
    binary
        .run(&["put", "web", "/", "--on-clash", "stop"])
        .expect(0);
    assert_eq!(
        binary.run(&["find", "in:/web", "--json"]).expect(0).stdout,
        before
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_same_accents_in_another_form_are_one_name_that_keeps_its_form() {
    let (composed, apart) = ("Gr\u{f6}\u{df}e", "Gro\u{308}\u{df}e");
    let (_service, binary) = with_site(&[(&format!("{composed}/{composed}.txt"), "1")]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    write(&binary, &format!("mac/{apart}/{apart}.txt"), "1");
    assert_eq!(binary.run(&["diff", "mac", "/web"]).expect(0).stdout, "");
    write(&binary, &format!("mac/{apart}/{apart}.txt"), "22");
    write(&binary, &format!("mac/{apart}/new.txt"), "3");
    let up = binary
        .run(&["sync", "mac", "/web", "--delete"])
        .expect(0)
        .stdout;
    assert_eq!(
        sorted(&up),
        [
            format!("+ {composed}/new.txt"),
            format!("~ {composed}/{composed}.txt")
        ]
    );
    binary
        .run(&[
            "put",
            &format!("mac/{apart}/new.txt"),
            &format!("/web/{composed}/two.txt"),
        ])
        .expect(0);
    assert_eq!(
        binary
            .run(&["sync", "/web", "mac", "--delete"])
            .expect(0)
            .stdout,
        format!("+ {composed}/two.txt\n")
    );
    assert_eq!(fs::read_dir(binary.work().join("mac")).unwrap().count(), 1);
    write(&binary, &format!("mac/{composed}/{composed}.txt"), "4");
    let run = binary.run(&["sync", "mac", "/web", "--delete"]).expect(5);
    assert!(
        run.stderr
            .contains("differ by the encoding of their accents only"),
        "{}",
        run.stderr
    );
}
