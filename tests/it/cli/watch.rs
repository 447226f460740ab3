//! `watch`: a local folder that changes, and the remote folder that follows it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rstest::rstest;

use super::binary::{self, Binary, Service, TOKEN};

/// Far more than any line takes to appear.
const PATIENCE: Duration = Duration::from_mins(2);

/// `filedeck watch` while it runs; ended on drop.
pub(super) struct Watching {
    child: Child,
    /// The lines of both standard output and standard error.
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Watching {
    pub(super) fn spawn(binary: &Binary, words: &[&str]) -> Self {
        Self::spawn_under(binary, &[], words)
    }

    pub(super) fn spawn_under(binary: &Binary, wrapper: &[&str], words: &[&str]) -> Self {
        let mut command = binary.command_under(wrapper, words);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let outputs: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for output in outputs {
            let sender = sender.clone();
            thread::spawn(move || {
                BufReader::new(output)
                    .lines()
                    .try_for_each(|line| sender.send(line.unwrap()))
            });
        }
        Self {
            child,
            lines,
            seen: Vec::new(),
        }
    }

    /// Starts it on `site` and `/web`, and waits for the end of the first pass.
    pub(super) fn start(binary: &Binary, options: &[&str]) -> Self {
        let mut watching = Self::spawn(binary, &[&["watch", "site", "/web"], options].concat());
        watching.until("filedeck: watching site");
        watching
    }

    /// Waits for a line after those already waited for.
    #[track_caller]
    pub(super) fn until(&mut self, expected: &str) {
        self.until_all(&[expected]);
    }

    #[track_caller]
    pub(super) fn until_all(&mut self, expected: &[&str]) {
        let mut missing: BTreeSet<&str> = expected.iter().copied().collect();
        while !missing.is_empty() {
            let line = self
                .lines
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no {missing:?} in {:#?}", self.seen));
            assert!(!line.contains(TOKEN), "the token got out: {line}");
            missing.remove(line.as_str());
            self.seen.push(line);
        }
    }

    pub(super) fn end(mut self, signal: &str) -> (i32, Vec<String>) {
        let code = binary::end(&mut self.child, signal);
        let rest: Vec<String> = self.lines.iter().collect();
        let seen = [std::mem::take(&mut self.seen), rest].concat();
        (code, seen)
    }

    pub(super) fn ended(mut self) -> (i32, Vec<String>) {
        let rest: Vec<String> = self.lines.iter().collect();
        let seen = [std::mem::take(&mut self.seen), rest].concat();
        (self.child.wait().unwrap().code().unwrap_or(-1), seen)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn with_site(files: &[(&str, &str)]) -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    fs::create_dir(binary.work().join("site")).unwrap();
    for (path, content) in files {
        write(&binary, path, content);
    }
    (service, binary)
}

fn write(binary: &Binary, path: &str, content: &str) {
    let path = binary.work().join("site").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn rename(binary: &Binary, from: &str, to: &str) {
    let site = binary.work().join("site");
    fs::rename(site.join(from), site.join(to)).unwrap();
}

fn remove(binary: &Binary, path: &str) {
    fs::remove_file(binary.work().join("site").join(path)).unwrap();
}

fn id(binary: &Binary, path: &str) -> String {
    let stat = binary
        .run(&["stat", path, "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    stat["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn assert_alike(binary: &Binary) {
    assert_eq!(binary.run(&["diff", "site", "/web"]).expect(0).stdout, "");
}

#[test]
fn what_is_there_is_sent_and_what_changes_follows() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("css/b.css", "b")]);
    let mut watching = Watching::start(&binary, &["--access", "public"]);
    assert!(
        watching.seen.contains(&"+ css/b.css".to_owned()),
        "{:#?}",
        watching.seen
    );
    let before = id(&binary, "/web/a.txt");
    write(&binary, "new/deep/c.txt", "c");
    watching.until("+ new/deep/c.txt");
    write(&binary, "a.txt", "changed");
    watching.until("~ a.txt");
    write(&binary, "new/d.txt", "d");
    fs::create_dir(binary.work().join("site/none")).unwrap();
    watching.until_all(&["+ new/d.txt", "+ none/"]);
    let stat = binary
        .run(&["stat", "/web/new/d.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (id(&binary, "/web/a.txt"), &stat["access"]),
        (before, &"PUBLIC_INDEXABLE".into())
    );
    assert_alike(&binary);
}

#[test]
fn nothing_is_deleted_unless_that_is_asked_for() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("old/b.txt", "b"), ("old/c.txt", "c")]);
    let mut watching = Watching::start(&binary, &[]);
    remove(&binary, "a.txt");
    write(&binary, "d.txt", "d");
    watching.until("+ d.txt");
    assert_eq!(watching.end("INT").0, 130);
    binary.run(&["cat", "/web/a.txt"]).expect(0);
    let mut watching = Watching::start(&binary, &["--delete"]);
    binary.run(&["cat", "/web/a.txt"]).expect(4);
    fs::remove_dir_all(binary.work().join("site/old")).unwrap();
    watching.until("- old/");
    remove(&binary, "d.txt");
    write(&binary, "e.txt", "e");
    watching.until("- d.txt");
    assert_alike(&binary);
}

#[test]
fn what_was_renamed_keeps_its_id_and_is_not_sent_again() {
    let files = [
        ("a.txt", "a"),
        ("old/b.txt", "b"),
        ("old/deep/c.txt", "c"),
        ("stays.txt", "stays"),
    ];
    let (_service, binary) = with_site(&files);
    let mut watching = Watching::start(&binary, &[]);
    let ids = [
        "/web/a.txt",
        "/web/old",
        "/web/old/deep",
        "/web/old/deep/c.txt",
    ]
    .map(|path| id(&binary, path));
    rename(&binary, "a.txt", "z.txt");
    watching.until("> a.txt → z.txt");
    rename(&binary, "old", "new");
    write(&binary, "new/more.txt", "more");
    watching.until_all(&["> old/ → new/", "+ new/more.txt"]);
    let now = [
        "/web/z.txt",
        "/web/new",
        "/web/new/deep",
        "/web/new/deep/c.txt",
    ]
    .map(|path| id(&binary, path));
    assert_eq!(now, ids);
    // The files inside are known by their new paths, and may move on into a new folder.
    fs::create_dir_all(binary.work().join("site/x/y")).unwrap();
    rename(&binary, "new/deep/c.txt", "x/y/c.txt");
    watching.until_all(&["+ x/y/", "> new/deep/c.txt → x/y/c.txt"]);
    assert_eq!(id(&binary, "/web/x/y/c.txt"), ids[3]);
    // Different bytes are a different file, whatever became of the first one.
    rename(&binary, "z.txt", "w.txt");
    write(&binary, "w.txt", "other bytes");
    watching.until("+ w.txt");
    assert_ne!(id(&binary, "/web/w.txt"), ids[0]);
    let (_, lines) = watching.end("TERM");
    let sent = lines
        .iter()
        .filter(|line| line.starts_with("+ ") && !line.ends_with('/'))
        .count();
    assert_eq!(sent, files.len() + 2, "{lines:#?}");
}

#[test]
fn what_another_has_moved_away_is_renamed_nowhere_else() {
    let (_service, binary) =
        with_site(&[("a.txt", "a"), ("old/b.txt", "b"), ("stays.txt", "stays")]);
    let mut watching = Watching::start(&binary, &["--delete"]);
    binary.run(&["mkdir", "/kept"]).expect(0);
    binary
        .run(&["mv", "/web/a.txt", "/web/old", "/kept/"])
        .expect(0);
    rename(&binary, "a.txt", "z.txt");
    rename(&binary, "old", "new");
    watching.until_all(&["+ z.txt", "+ new/b.txt"]);
    watching.end("TERM");
    for (path, content) in [
        ("/kept/a.txt", "a"),
        ("/kept/old/b.txt", "b"),
        ("/web/z.txt", "a"),
        ("/web/new/b.txt", "b"),
    ] {
        assert_eq!(
            binary.run(&["cat", path]).expect(0).stdout,
            content,
            "{path}"
        );
    }
}

#[test]
fn nothing_is_moved_if_that_is_turned_off() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("stays.txt", "stays")]);
    let mut watching = Watching::start(&binary, &["--delete", "--no-renames"]);
    rename(&binary, "a.txt", "z.txt");
    watching.until_all(&["+ z.txt", "- a.txt"]);
}

#[test]
fn a_folder_that_another_has_put_something_into_is_not_moved() {
    let (_service, binary) = with_site(&[("old/b.txt", "b"), ("stays.txt", "stays")]);
    let mut watching = Watching::start(&binary, &[]);
    write(&binary, "../theirs.txt", "theirs");
    binary.run(&["put", "theirs.txt", "/web/old/"]).expect(0);
    rename(&binary, "old", "new");
    watching.until("+ new/b.txt");
    watching.end("TERM");
    let old = binary.run(&["ls", "/web/old"]).expect(0);
    assert_eq!(old.stdout, "b.txt\ntheirs.txt\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_rename_of_what_the_account_has_in_another_form_is_one() {
    let (composed, apart) = ("Gr\u{f6}\u{df}e", "Gro\u{308}\u{df}e");
    let (_service, binary) = with_site(&[
        (&format!("{composed}/{composed}.txt"), "1"),
        ("keep.txt", "k"),
    ]);
    binary.run(&["sync", "site", "/web"]).expect(0);
    rename(&binary, composed, apart);
    rename(
        &binary,
        &format!("{apart}/{composed}.txt"),
        &format!("{apart}/{apart}.txt"),
    );
    let before = id(&binary, &format!("/web/{composed}/{composed}.txt"));
    let mut watching = Watching::start(&binary, &["--delete"]);
    rename(&binary, &format!("{apart}/{apart}.txt"), "renamed.txt");
    watching.until(&format!("> {composed}/{composed}.txt → renamed.txt"));
    assert_eq!(id(&binary, "/web/renamed.txt"), before);
    watching.end("TERM");
}

/// For the account, both forms are one name.
#[rstest]
#[case::of_a_file("\u{e9}.txt", "e\u{301}.txt", "e\u{301}.txt")]
#[case::of_a_folder("\u{e9}/in/x.txt", "e\u{301}/in/x.txt", "e\u{301}")]
#[case::of_another_file_there("\u{e9}/x.txt", "e\u{301}/y.txt", "e\u{301}")]
#[case::the_other_way("e\u{301}/x.txt", "\u{e9}/x.txt", "\u{e9}")]
fn a_second_form_of_a_name_that_comes_and_goes_changes_nothing(
    #[case] known: &str,
    #[case] other: &str,
    #[case] gone: &str,
) {
    let (_service, binary) = with_site(&[(known, "known"), ("a.txt", "a")]);
    let mut watching = Watching::start(&binary, &["--delete"]);
    let path = format!("/web/{known}");
    let before = id(&binary, &path);
    write(&binary, other, "other");
    write(&binary, "b.txt", "b");
    watching.until("+ b.txt");
    let gone = binary.work().join("site").join(gone);
    if gone.is_dir() {
        fs::remove_dir_all(gone).unwrap();
    } else {
        fs::remove_file(gone).unwrap();
    }
    write(&binary, "c.txt", "c");
    watching.until("+ c.txt");
    watching.end("INT");
    assert_eq!(id(&binary, &path), before);
    assert_eq!(binary.run(&["cat", &path]).expect(0).stdout, "known");
    assert_alike(&binary);
}

#[test]
fn what_patterns_leave_out_does_not_follow() {
    let files = [
        (".gitignore", "*.log\n"),
        ("a.txt", "a"),
        ("skip/x.txt", "x"),
    ];
    let (_service, binary) = with_site(&files);
    let mut watching = Watching::start(&binary, &["--gitignore", "--exclude", "skip", "--delete"]);
    write(&binary, "b.log", "log");
    write(&binary, "skip/y.txt", "y");
    write(&binary, "deep/skip/z.txt", "z");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.txt", binary.work().join("site/link.txt")).unwrap();
    write(&binary, "deep/b.txt", "b");
    watching.until("+ deep/b.txt");
    // New rules take effect at once, also for existing files.
    write(&binary, ".gitignore", "*.tmp\n");
    watching.until_all(&["~ .gitignore", "+ b.log"]);
    assert_eq!(
        binary.run(&["ls", "/web"]).expect(0).stdout,
        "deep/\n.gitignore\na.txt\nb.log\n"
    );
    assert_eq!(binary.run(&["ls", "/web/deep"]).expect(0).stdout, "b.txt\n");
}

#[test]
fn changes_are_json_lines_on_demand() {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    let mut watching = Watching::spawn(&binary, &["watch", "site", "/web", "--json"]);
    watching.until(r#"{"action":"create","path":"a.txt","size":1}"#);
    rename(&binary, "a.txt", "b.txt");
    watching.until(r#"{"action":"move","path":"b.txt","from":"a.txt"}"#);
    let (code, lines) = watching.end("INT");
    assert_eq!(code, 130);
    assert!(lines.iter().all(|line| line.starts_with('{')), "{lines:#?}");
}

#[test]
fn a_folder_that_is_read_again_and_again_is_followed_too() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("b.txt", "b")]);
    let mut watching = Watching::start(&binary, &["--poll", "1"]);
    write(&binary, "a.txt", "A");
    rename(&binary, "b.txt", "c.txt");
    watching.until_all(&["~ a.txt", "> b.txt → c.txt"]);
    assert_eq!(watching.end("TERM").0, 143);
}

#[test]
fn too_many_deletions_end_it_and_none_is_made() {
    let (_service, binary) = with_site(&[("a.txt", "a"), ("b.txt", "b"), ("c.txt", "c")]);
    let watching = Watching::start(&binary, &["--delete", "--max-delete", "1"]);
    remove(&binary, "a.txt");
    remove(&binary, "b.txt");
    let (code, lines) = watching.ended();
    assert_eq!(code, 1);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("2 files and folders would be deleted")),
        "{lines:#?}"
    );
    assert_eq!(
        binary.run(&["ls", "/web"]).expect(0).stdout.lines().count(),
        3
    );
}

#[rstest]
#[case::empty(false, &[])]
#[case::gone(true, &[])]
#[case::empty_and_read_again_and_again(false, &["--poll", "1"])]
#[case::gone_and_read_again_and_again(true, &["--poll", "1"])]
fn a_folder_that_a_build_empties_is_followed_once_it_has_files(
    #[case] is_gone: bool,
    #[case] options: &[&str],
) {
    let (_service, binary) = with_site(&[("d/a.txt", "a"), ("d/b.txt", "b"), ("d/c.txt", "c")]);
    let mut watching = Watching::start(&binary, &[&["--delete"], options].concat());
    let (site, kept) = (binary.work().join("site"), id(&binary, "/web/d/a.txt"));
    let emptied = format!(
        "filedeck: {} has no files now; nothing is deleted until it has some",
        site.display()
    );
    for round in ["1", "2"] {
        // All files go and come in one step, so that no pass sees a part of them.
        fs::rename(site.join("d"), binary.work().join(round)).unwrap();
        if is_gone {
            fs::remove_dir(&site).unwrap();
        }
        watching.until(&emptied);
        let remote = ["stat", "/web/d/a.txt", "/web/d/b.txt"];
        binary.run(&remote).expect(0);
        binary.write("built/d/a.txt", b"a");
        binary.write("built/d/b.txt", round.as_bytes());
        if is_gone {
            fs::rename(binary.work().join("built"), &site).unwrap();
        } else {
            fs::rename(binary.work().join("built/d"), site.join("d")).unwrap();
        }
        watching.until("~ d/b.txt");
    }
    write(&binary, "e.txt", "e");
    watching.until("+ e.txt");
    assert_eq!(id(&binary, "/web/d/a.txt"), kept);
    let (code, lines) = watching.end("TERM");
    assert_eq!(code, 143, "{lines:#?}");
    let warnings = lines.iter().filter(|line| **line == emptied).count();
    assert_eq!(warnings, 2, "{lines:#?}");
    binary.run(&["stat", "/web/d/c.txt"]).expect(4);
}

#[test]
fn a_folder_that_is_moved_away_ends_it_and_empties_nothing() {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    let watching = Watching::start(&binary, &["--delete"]);
    fs::rename(binary.work().join("site"), binary.work().join("elsewhere")).unwrap();
    assert_eq!(watching.ended().0, 1);
    binary.run(&["cat", "/web/a.txt"]).expect(0);
}

#[test]
fn one_failure_does_not_end_it() {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    let mut watching = Watching::start(&binary, &[]);
    // Somebody else changes the file, without any event here.
    binary.write("other.txt", b"theirs");
    binary
        .run(&["replace", "other.txt", "/web/a.txt"])
        .expect(0);
    write(&binary, "a.txt", "mine");
    watching.until("filedeck: trying again what failed in 5 seconds");
    write(&binary, "b.txt", "b");
    watching.until("+ b.txt");
    watching.until("~ a.txt");
    assert_alike(&binary);
}

#[test]
fn a_dry_run_prints_the_first_pass_and_ends() {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    assert_eq!(
        binary
            .run(&["watch", "site", "/web", "-n"])
            .expect(0)
            .stdout,
        "+ a.txt\n"
    );
    binary.run(&["ls", "/web"]).expect(4);
}

#[rstest]
#[case::no_such_folder(&["watch", "gone", "/web"], 1, "cannot watch /")]
#[case::a_file(&["watch", "site/a.txt", "/web"], 1, "is not a folder")]
#[case::a_remote_file(&["watch", "site", "/one.txt"], 1, "is a file")]
#[case::a_local_path_for_the_remote_one(&["watch", "site", "web"], 2, "web")]
#[case::no_wait(&["watch", "site", "/web", "--poll", "0"], 2, "--poll")]
#[case::no_pattern(&["watch", "site", "/web", "--exclude", "a["], 2, "a[ is not a pattern")]
#[case::a_bound_of_nothing(&["watch", "site", "/web", "--max-delete", "3"], 2, "--delete")]
#[case::read_only(&["watch", "site", "/web", "--read-only"], 1, "--read-only is given")]
fn wrong_input_ends_it_before_anything_is_sent(
    #[case] words: &[&str],
    #[case] code: i32,
    #[case] says: &str,
) {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    binary.run(&["put", "site/a.txt", "/one.txt"]).expect(0);
    let run = binary.run(words).expect(code);
    assert!(run.stderr.contains(says), "{}", run.stderr);
    binary.run(&["ls", "/web"]).expect(4);
}

#[test]
fn a_token_that_is_refused_ends_it() {
    let (_service, binary) = with_site(&[("a.txt", "a")]);
    let binary = binary.env("FILEDECK_TOKEN", "another");
    binary.run(&["watch", "site", "/web"]).expect(3);
}

/// Writes a tree, or turns it into another version: of ten files, one is deleted, one is new, one
/// is renamed, five change, and two stay.
fn write_version(site: &Path, files: usize, version: usize) {
    fs::create_dir_all(site.join("moved")).unwrap();
    for number in 0..files {
        let path = site.join(format!("src/{}/{number}.txt", number % 20));
        match (number % 10, version) {
            (0, 2) => fs::remove_file(&path).unwrap(),
            (2, 2) => fs::rename(&path, site.join(format!("moved/{number}.txt"))).unwrap(),
            (1, 1) => {}
            _ => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let kept = number % 10 > 7;
                fs::write(
                    &path,
                    format!("{number} of {}", if kept { 1 } else { version }),
                )
                .unwrap();
            }
        }
    }
}

/// Runs git in `site`; returns `false` if git is not installed.
fn git(binary: &Binary, words: &[&str]) -> bool {
    let settings = [
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.com",
        "-c",
        "core.fsync=none",
    ];
    let mut command = Command::new("git");
    command
        .args(settings)
        .args(words)
        .current_dir(binary.work().join("site"))
        .stdout(Stdio::null());
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stderr(Stdio::null());
    match command.status() {
        Ok(status) => {
            assert!(status.success(), "git {words:?}");
            true
        }
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}");
            false
        }
    }
}

#[test]
fn files_that_are_written_many_at_once_end_alike() {
    let (_service, binary) = with_site(&[]);
    let site = binary.work().join("site");
    write_version(&site, 300, 1);
    let mut watching = Watching::start(
        &binary,
        &["--delete", "--max-delete", "1000", "--jobs", "8"],
    );
    write_version(&site, 300, 2);
    let removed: Vec<String> = (0..300)
        .step_by(10)
        .map(|number| format!("- src/{}/{number}.txt", number % 20))
        .collect();
    watching.until_all(&removed.iter().map(String::as_str).collect::<Vec<_>>());
    let (code, lines) = watching.end("INT");
    let count = |sign: &str| lines.iter().filter(|line| line.starts_with(sign)).count();
    assert_eq!(
        (code, count("- "), count("~ "), count("> ")),
        (130, 30, 150, 30),
        "{lines:#?}"
    );
    assert_alike(&binary);
}

#[test]
#[ignore = "slow; tests/nightly/run has it"]
fn a_checkout_of_two_thousand_changes_ends_alike() {
    let (_service, binary) = with_site(&[]);
    let site = binary.work().join("site");
    let has_git = git(&binary, &["init", "--quiet"]);
    write_version(&site, 2_500, 1);
    if has_git {
        let commit = |name: &str| {
            git(&binary, &["add", "--all"]);
            git(&binary, &["commit", "--quiet", "--message", name]);
            git(&binary, &["tag", name]);
        };
        commit("one");
        write_version(&site, 2_500, 2);
        commit("two");
        git(&binary, &["checkout", "--quiet", "one"]);
    }
    let options = [
        "--exclude",
        ".git",
        "--delete",
        "--max-delete",
        "1000",
        "--jobs",
        "16",
    ];
    let mut watching = Watching::start(&binary, &options);
    if has_git {
        git(&binary, &["checkout", "--quiet", "two"]);
    } else {
        write_version(&site, 2_500, 2);
    }
    // Each mark is sent by a pass that began after the checkout; one pass may have to repair
    // half-written files.
    let is_alike = (0..30).any(|round| {
        write(&binary, &format!("mark-{round}"), "");
        watching.until(&format!("+ mark-{round}"));
        binary
            .run(&["diff", "site", "/web", "--exclude", ".git"])
            .code
            == 0
    });
    let (code, lines) = watching.end("INT");
    assert!(is_alike, "{lines:#?}");
    assert_eq!(code, 130);
    let again = |line: &&String| line.ends_with("8.txt") || line.ends_with("9.txt");
    assert_eq!(
        lines.iter().filter(again).count(),
        500,
        "what stays is sent once: {lines:#?}"
    );
}

#[test]
fn a_folder_that_filedeck_itself_writes_to_is_watched_without_that_only() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let home = binary.home.path().to_str().unwrap().to_owned();
    let run = binary.run(&["watch", &home, "/web"]).expect(2);
    assert!(
        run.stderr
            .contains("filedeck itself writes to state in this folder; add --exclude 'state'"),
        "{}",
        run.stderr
    );
    let mut watching = Watching::spawn(&binary, &["watch", &home, "/web", "--exclude", "state"]);
    watching.until(&format!("filedeck: watching {home}"));
    assert_eq!(watching.end("INT").0, 130);
}
