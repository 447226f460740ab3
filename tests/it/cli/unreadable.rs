//! Unread does not mean gone: mirrors of trees with links, pipes, and unreadable files and folders.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rstest::rstest;

use super::binary::{Binary, Service};
use super::disk::works;
use super::watch::Watching;

/// A change to a local file or folder after both sides were alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Removed,
    Link,
    Pipe,
    Unreadable,
}

pub(super) const FILES: [&str; 9] = [
    "a.txt",
    "b/c.txt",
    "b/d/e.txt",
    "b/d/f.txt",
    "b.txt",
    "g/h/i/j.txt",
    "g/k.txt",
    "l/m.txt",
    "l/n.txt",
];
pub(super) const PATHS: [&str; 15] = [
    "a.txt",
    "b",
    "b/c.txt",
    "b/d",
    "b/d/e.txt",
    "b/d/f.txt",
    "b.txt",
    "g",
    "g/h",
    "g/h/i",
    "g/h/i/j.txt",
    "g/k.txt",
    "l",
    "l/m.txt",
    "l/n.txt",
];

pub(super) fn fates() -> impl Strategy<Value = Vec<(usize, Fate)>> {
    let fate = prop_oneof![3 => Just(Fate::Removed), 1 => Just(Fate::Link), 1 => Just(Fate::Pipe), 1 => Just(Fate::Unreadable)];
    proptest::collection::vec((0..PATHS.len(), fate), 1..5)
}

pub(super) fn is_at_or_below(path: &str, folder: &str) -> bool {
    path == folder
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Applies the fates, an outer one instead of those inside, and returns those applied. Links lead
/// to `outside`, next to the folder, if a test has created it.
pub(super) fn befall(site: &Path, fates: &[(usize, Fate)]) -> Vec<(&'static str, Fate)> {
    let mut wanted: Vec<(&str, Fate)> = fates
        .iter()
        .map(|(path, fate)| (PATHS[*path], *fate))
        .collect();
    wanted.sort_by_key(|(path, _)| path.len());
    let mut done: Vec<(&str, Fate)> = Vec::new();
    for (path, fate) in wanted {
        if done.iter().any(|(outer, _)| is_at_or_below(path, outer)) {
            continue;
        }
        let at = site.join(path);
        if fate == Fate::Unreadable {
            fs::set_permissions(&at, fs::Permissions::from_mode(0o000)).unwrap();
        } else {
            let removed = if at.is_dir() {
                fs::remove_dir_all(&at)
            } else {
                fs::remove_file(&at)
            };
            removed.unwrap();
        }
        match fate {
            Fate::Link => std::os::unix::fs::symlink(site.with_file_name("outside"), &at).unwrap(),
            Fate::Pipe => assert!(Command::new("mkfifo").arg(&at).status().unwrap().success()),
            Fate::Removed | Fate::Unreadable => {}
        }
        done.push((path, fate));
    }
    done
}

/// Drops root's right to read everything, if the tests have it.
pub(super) const WITHOUT_RIGHTS: [&str; 3] = [
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
];

pub(super) fn files(binary: &Binary, folder: &str) -> BTreeSet<String> {
    let tree = binary
        .run(&["tree", folder, "--json"])
        .expect(0)
        .json_lines();
    let files = tree.iter().filter(|line| line.get("size").is_some());
    let below = format!("{folder}/");
    files
        .map(|line| {
            line["path"]
                .as_str()
                .unwrap()
                .strip_prefix(&below)
                .unwrap()
                .to_owned()
        })
        .collect()
}

/// Seen to fail when an unreadable folder counts as one without files.
#[test]
fn a_mirror_deletes_only_what_is_clearly_gone() {
    if !works(&[&WITHOUT_RIGHTS[..], &["true"]].concat()) {
        return;
    }
    let service = Service::start();
    let binary = Binary::on(&service);
    let (cases, site) = (Cell::new(0), binary.work().join("site"));
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config {
        cases: 32,
        failure_persistence: None,
        ..Config::default()
    };
    let ended = TestRunner::new_with_rng(config, rng).run(&fates(), |fates| {
        let case = cases.get();
        cases.set(case + 1);
        let web = format!("/web{case}");
        for file in FILES {
            let at = site.join(file);
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            fs::write(at, format!("{file} {case}")).unwrap();
        }
        binary.run(&["sync", "site", &web]).expect(0);
        let fates = befall(&site, &fates);
        let unread = fates.iter().any(|(_, fate)| *fate == Fate::Unreadable);
        let diff = binary.run_under(&WITHOUT_RIGHTS, &["diff", "site", &web]);
        let run = binary.run_under(
            &WITHOUT_RIGHTS,
            &["sync", "site", &web, "--delete", "--json"],
        );
        for (path, _) in fates.iter().filter(|(_, fate)| *fate == Fate::Unreadable) {
            fs::set_permissions(site.join(path), fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::remove_dir_all(&site).unwrap();
        let left = files(&binary, &web);
        let all_gone = left.is_empty() || run.code == 1;
        for file in FILES {
            let fate = fates
                .iter()
                .find(|(path, _)| is_at_or_below(file, path))
                .map(|(_, fate)| *fate);
            let is_to_go = fate == Some(Fate::Removed) && !unread && !all_gone;
            prop_assert_eq!(
                left.contains(file),
                !is_to_go || all_gone,
                "{} {:?} {:?}",
                file,
                &fates,
                &run
            );
        }
        for (path, fate) in &fates {
            let is_named = run
                .json_lines()
                .iter()
                .any(|line| line["action"] == "leave-out" && line["path"] == *path);
            prop_assert_eq!(is_named, *fate != Fate::Removed, "{} {:?}", path, &run);
        }
        prop_assert_eq!(
            run.code,
            if unread { 5 } else { i32::from(all_gone) },
            "{:?} {:?}",
            &fates,
            &run
        );
        let has_gone = fates.iter().any(|(_, fate)| *fate == Fate::Removed);
        prop_assert_eq!(
            diff.code,
            if unread {
                5
            } else if has_gone {
                9
            } else {
                0
            },
            "{:?} {:?}",
            &fates,
            &diff
        );
        Ok(())
    });
    ended.unwrap();
}

#[test]
fn a_bad_rule_is_skipped_and_an_unreadable_one_sends_nothing() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let site = binary.work().join("site");
    fs::create_dir_all(site.join("b")).unwrap();
    for (path, content) in [
        (".gitignore", "\u{feff}.env\n[z-a]\n*.key\n"),
        (".env", "s"),
        ("c.key", "s"),
        ("a.txt", "a"),
        ("b/d.txt", "d"),
    ] {
        fs::write(site.join(path), content).unwrap();
    }
    fs::create_dir(site.join("b/.gitignore")).unwrap();
    let run = binary
        .run(&["sync", "site", "/web", "--gitignore"])
        .expect(5);
    assert!(
        run.stderr.contains("line 2 is no pattern"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("b: it cannot be read"),
        "{}",
        run.stderr
    );
    assert_eq!(
        files(&binary, "/web"),
        [".gitignore", "a.txt"].map(str::to_owned).into()
    );
}

/// By no rule for taken names, and whatever its size.
#[rstest]
fn a_download_leaves_an_unreadable_file_as_it_is(
    #[values("keep-both", "replace", "skip", "stop")] rule: &str,
    #[values("mine", "longer than that")] own: &str,
) {
    if !works(&[&WITHOUT_RIGHTS[..], &["true"]].concat()) {
        return;
    }
    let service = Service::start();
    let binary = Binary::on(&service);
    let file = binary.work().join("a.txt");
    fs::write(&file, "text").unwrap();
    binary.run(&["put", "a.txt", "/web/"]).expect(0);
    fs::write(&file, own).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    let run = binary
        .run_under(&WITHOUT_RIGHTS, &["get", "/web/a.txt", "--on-clash", rule])
        .expect(5);
    assert!(
        run.stderr.contains("a.txt: it cannot be read"),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
}

/// Rules that the link may have led to are not known.
#[test]
fn a_gitignore_that_leads_nowhere_sends_and_deletes_nothing() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for path in ["site/a.txt", "site/b/c.txt"] {
        let file = binary.work().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, path).unwrap();
    }
    std::os::unix::fs::symlink("gone", binary.work().join("site/b/.gitignore")).unwrap();
    binary
        .run(&["sync", "site", "/web", "--gitignore", "--access", "public"])
        .expect(5);
    assert_eq!(files(&binary, "/web"), ["a.txt"].map(str::to_owned).into());
    let run = binary
        .run(&["sync", "/web", "site", "--gitignore", "--delete"])
        .expect(5);
    assert!(
        run.stderr.contains("b: it cannot be read"),
        "{}",
        run.stderr
    );
    assert!(binary.work().join("site/b/c.txt").exists());
}

/// Public uploads of folders; a file that is named itself is sent.
#[test]
fn nothing_hidden_is_published_unasked() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let site = binary.work().join("site");
    for path in [
        ".git/config",
        ".env",
        "a.txt",
        "b/.DS_Store",
        "b/.well-known/c.txt",
    ] {
        fs::create_dir_all(site.join(path).parent().unwrap()).unwrap();
        fs::write(site.join(path), path).unwrap();
    }
    let set = |paths: &[&str]| {
        paths
            .iter()
            .map(|path| (*path).to_owned())
            .collect::<BTreeSet<_>>()
    };
    for (number, command) in ["sync", "put"].iter().enumerate() {
        let below = |path: &str| {
            if *command == "put" {
                format!("site/{path}")
            } else {
                path.to_owned()
            }
        };
        let (web, hidden, private) = (
            format!("/w{number}"),
            format!("/h{number}"),
            format!("/p{number}"),
        );
        let run = binary
            .run(&[command, "site", &web, "--access", "public"])
            .expect(0);
        assert!(
            run.stderr.contains(".env: hidden") && run.stderr.contains(".git: "),
            "{}",
            run.stderr
        );
        assert_eq!(files(&binary, &web), set(&[&below("a.txt")]));
        binary
            .run(&[command, "site", &hidden, "--access", "unlisted", "--hidden"])
            .expect(0);
        let all = set(&[
            &below(".env"),
            &below("a.txt"),
            &below("b/.well-known/c.txt"),
        ]);
        assert_eq!(files(&binary, &hidden), all);
        binary.run(&[command, "site", &private]).expect(0);
        assert_eq!(files(&binary, &private), all);
    }
    // A left-out path is not deleted on the other side.
    binary
        .run(&["sync", "site", "/h0", "--access", "public", "--delete"])
        .expect(0);
    assert_eq!(files(&binary, "/h0").len(), 3);
    binary
        .run(&["put", "site/.env", "/named/", "--access", "public"])
        .expect(0);
    assert_eq!(files(&binary, "/named"), set(&[".env"]));
}

#[test]
fn patterns_hold_for_put_as_for_sync_and_make_no_empty_folders() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let site = binary.work().join("site");
    for path in ["a.png", "b/c.txt", "d/e.png"] {
        fs::create_dir_all(site.join(path).parent().unwrap()).unwrap();
        fs::write(site.join(path), path).unwrap();
    }
    fs::create_dir(site.join("empty")).unwrap();
    binary
        .run(&["sync", "site", "/s", "--include", "*.png"])
        .expect(0);
    binary
        .run(&["put", "site", "/p/", "--include", "*.png"])
        .expect(0);
    assert_eq!(
        binary
            .run(&["tree", "/s", "--json"])
            .expect(0)
            .json_lines()
            .len(),
        3
    );
    assert_eq!(
        binary
            .run(&["tree", "/p/site", "--json"])
            .expect(0)
            .json_lines()
            .len(),
        3
    );
    binary
        .run(&["put", "site", "/x/", "--exclude", "b"])
        .expect(0);
    let files = files(&binary, "/x/site");
    assert_eq!(files, ["a.png", "d/e.png"].map(str::to_owned).into());
}

#[test]
fn patterns_hold_for_get_and_numbered_copies_are_found_again() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let site = binary.work().join("site");
    for path in ["a.png", "b/c.txt", "d/e.png", "d/f.log"] {
        fs::create_dir_all(site.join(path).parent().unwrap()).unwrap();
        fs::write(site.join(path), path).unwrap();
    }
    binary.run(&["put", "site", "/"]).expect(0);
    fs::remove_dir_all(&site).unwrap();
    let down = |words: &[&str]| {
        let folder = binary.work().join("down");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("site")).unwrap();
        fs::write(folder.join("site/.gitignore"), "*.log\n").unwrap();
        binary
            .run(&[&["get", "/site", "-o", "down"], words].concat())
            .expect(0);
        let entries = walkdir::WalkDir::new(&folder)
            .sort_by_file_name()
            .into_iter()
            .map(Result::unwrap);
        let below = entries.map(|entry| {
            entry
                .path()
                .strip_prefix(folder.join("site"))
                .map(Path::to_owned)
        });
        below
            .filter_map(|path| Some(path.ok()?.to_str()?.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        down(&["--include", "*.png"]),
        ["", ".gitignore", "a.png", "d", "d/e.png"]
    );
    assert_eq!(
        down(&["--gitignore", "--exclude", "b"]),
        ["", ".gitignore", "a.png", "d", "d/e.png"]
    );
    fs::write(binary.work().join("a.png"), "mine").unwrap();
    for _again in 0..3 {
        binary.run(&["get", "/site/a.png"]).expect(0);
        assert_eq!(
            fs::read_to_string(binary.work().join("a (1).png")).unwrap(),
            "a.png"
        );
        assert!(!binary.work().join("a (2).png").exists());
    }
}

#[test]
fn a_watch_deletes_nothing_while_something_cannot_be_read() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let site = binary.work().join("site");
    for path in ["a.txt", "b/c.txt", "d.txt"] {
        fs::create_dir_all(site.join(path).parent().unwrap()).unwrap();
        fs::write(site.join(path), path).unwrap();
    }
    let mut watching = Watching::start(&binary, &["--delete", "--gitignore"]);
    // Its rules cannot be read, so nothing in its folder is known, nor whether `a.txt` is there
    // under another name.
    fs::create_dir(site.join("b/.gitignore")).unwrap();
    watching.until("filedeck: b: it cannot be read");
    fs::remove_file(site.join("a.txt")).unwrap();
    fs::write(site.join("e.txt"), "e").unwrap();
    watching.until("+ e.txt");
    assert_eq!(
        files(&binary, "/web"),
        ["a.txt", "b/c.txt", "d.txt", "e.txt"]
            .map(str::to_owned)
            .into()
    );
    fs::remove_dir(site.join("b/.gitignore")).unwrap();
    watching.until("- a.txt");
    assert_eq!(
        files(&binary, "/web"),
        ["b/c.txt", "d.txt", "e.txt"].map(str::to_owned).into()
    );
}

/// Seen to fail when the rows of a plan are numbered as if none had been left out.
#[test]
fn a_copy_that_cannot_be_read_hides_no_other_one_from_a_download() {
    if !works(&[&WITHOUT_RIGHTS[..], &["true"]].concat()) {
        return;
    }
    let service = Service::start();
    let binary = Binary::on(&service);
    let site = binary.work().join("web");
    fs::create_dir(&site).unwrap();
    let names = ["a.txt", "b.txt", "c.txt"];
    for name in names {
        fs::write(site.join(name), name).unwrap();
    }
    binary.run(&["sync", "web", "/web"]).expect(0);
    fs::set_permissions(site.join("a.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    let run = binary
        .run_under(&WITHOUT_RIGHTS, &["get", "/web"])
        .expect(5);
    let says = |words: &str| run.stderr.contains(words);
    assert!(
        says("a.txt: it cannot be read") && says("2 files are there already"),
        "{run:?}"
    );
    assert_eq!(super::binary::names(&site), names);
}

#[rstest]
#[case::the_link_is_turned(true)]
#[case::another_folder_took_its_place(false)]
fn a_watch_ends_when_its_folder_becomes_another_one(#[case] is_link: bool) {
    let service = Service::start();
    let binary = Binary::on(&service);
    let (site, old, new) = (
        binary.work().join("site"),
        binary.work().join("old"),
        binary.work().join("new"),
    );
    for (folder, file) in [(&old, "a.txt"), (&new, "b.txt")] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join(file), file).unwrap();
    }
    if is_link {
        std::os::unix::fs::symlink(&old, &site).unwrap();
    } else {
        fs::rename(&old, &site).unwrap();
    }
    let watching = Watching::start(&binary, &["--delete"]);
    if is_link {
        std::os::unix::fs::symlink(&new, binary.work().join("next")).unwrap();
        fs::rename(binary.work().join("next"), &site).unwrap();
    } else {
        fs::rename(&site, &old).unwrap();
        fs::rename(&new, &site).unwrap();
    }
    let (code, lines) = watching.ended();
    assert_eq!(code, 1, "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("is another folder than at the start")),
        "{lines:#?}"
    );
    assert_eq!(files(&binary, "/web"), ["a.txt"].map(str::to_owned).into());
}
