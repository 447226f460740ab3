use std::process::Stdio;
use std::time::{Duration, Instant};

use filedeck::service::ServiceOptions;
use filedeck::service::network::Network;
use rstest::rstest;

use super::binary::{Binary, Service, names};
use super::client::Client;
use crate::support::journal::Unwritable;
use crate::support::web::Web;

/// Sorts the lines: parallel transfers are reported in the order in which they end.
fn sorted(lines: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines
}

/// Binary data, longer than one buffer.
fn bytes() -> Vec<u8> {
    (0..300_000_u32).flat_map(u32::to_le_bytes).collect()
}

#[test]
fn a_file_comes_back_with_the_same_bytes() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("blob.bin", &bytes());
    let put = binary
        .run(&["put", "blob.bin", "/a/b/", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (put["path"].as_str(), put["size"].as_u64()),
        (Some("/a/b/blob.bin"), Some(1_200_000))
    );
    assert_eq!(put["access"], "PRIVATE");

    std::fs::create_dir(binary.work().join("down")).unwrap();
    let got = binary
        .run(&["get", "/a/b/blob.bin", "-o", "down", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(got["id"], put["id"]);
    let local = binary.work().join(got["localPath"].as_str().unwrap());
    assert_eq!(local.file_name().unwrap(), "blob.bin");
    assert!(std::fs::read(local).unwrap() == bytes());
    assert_eq!(names(&binary.work().join("down")), ["blob.bin"]);
}

/// Checks only that the limit is not exceeded, however busy the machine; the unit tests check how
/// close the rate comes.
#[rstest]
#[case::flag(&["--limit-rate", "600K"], "")]
#[case::setting(&[], "limit_rate = \"600K\"\n")]
fn transfers_keep_to_the_limit_up_and_down(#[case] flag: &[&str], #[case] config: &str) {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::write(binary.config_dir().join("config.toml"), config).unwrap();
    binary.write("blob.bin", &bytes());
    std::fs::create_dir(binary.work().join("down")).unwrap();
    for words in [
        &["put", "blob.bin", "/"][..],
        &["get", "/blob.bin", "-o", "down"],
    ] {
        let begin = Instant::now();
        binary.run(&[words, flag].concat()).expect(0);
        assert!(
            begin.elapsed() >= Duration::from_millis(1_800),
            "{words:?} took {:?}",
            begin.elapsed()
        );
    }
    assert!(std::fs::read(binary.work().join("down/blob.bin")).unwrap() == bytes());
}

#[test]
fn a_name_and_an_encoding_can_be_left_to_the_service_or_said() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"abc");
    let put = |words: &[&str]| {
        binary
            .run(&[&["put", "--json", "one.txt", "/box/"], words].concat())
            .expect(0)
            .json_lines()
            .remove(0)
    };
    let named = put(&["--unnamed", "--charset", "windows-1252"]);
    assert_eq!(
        (named["path"].as_str(), named["encoding"].as_str()),
        (Some("/box/900150983cd2.txt"), Some("windows-1252"))
    );
    assert_eq!(
        put(&["--again"])["encoding"],
        "utf-8",
        "it is detected from the bytes"
    );
    binary
        .run(&["put", "one.txt", "/box/", "--charset", "two words"])
        .expect(2);
}

#[rstest]
#[case::into_an_existing_folder(&["one.txt", "/box"], "/box/one.txt")]
#[case::into_the_root_folder(&["one.txt", "/"], "/one.txt")]
#[case::into_a_new_folder(&["one.txt", "/new/"], "/new/one.txt")]
#[case::to_a_path_of_its_own(&["one.txt", "/box/other.txt"], "/box/other.txt")]
#[case::with_a_name(&["one.txt", "/box", "--name", "named.txt"], "/box/named.txt")]
fn the_destination_is_a_folder_or_a_path(#[case] words: &[&str], #[case] path: &str) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.write("first.txt", b"first");
    binary.run(&["put", "first.txt", "/box/"]).expect(0);
    let run = binary.run(&[&["put"], words].concat()).expect(0);
    assert_eq!(run.stdout, format!("{path}\n"));
    binary.run(&["ls", path]).expect(0);
}

#[test]
fn access_and_expiry_are_set_as_asked() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    let words = [
        "put",
        "one.txt",
        "/",
        "--access",
        "PUBLIC_NOT_INDEXABLE",
        "--ttl",
        "P2W",
        "--json",
    ];
    let file = binary.run(&words).expect(0).json_lines().remove(0);
    assert_eq!(file["access"], "PUBLIC_NOT_INDEXABLE");
    assert!(file["expiresAt"].is_i64(), "{file}");
}

#[test]
fn a_duplicate_is_refused_with_seven_or_answered_with_the_file_that_is_there() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"same");
    binary.write("two.txt", b"same");
    let first = binary
        .run(&["put", "one.txt", "/", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let run = binary
        .run(&["put", "two.txt", "/box/", "--duplicates", "reject"])
        .expect(7);
    assert!(run.stderr.contains("two.txt"), "{}", run.stderr);
    let words = [
        "put",
        "two.txt",
        "/box/",
        "--duplicates",
        "return-existing",
        "--json",
    ];
    assert_eq!(
        binary.run(&words).expect(0).json_lines()[0]["id"],
        first["id"]
    );
    binary
        .run(&[
            "put",
            "two.txt",
            "/box/",
            "--duplicates",
            "reject",
            "--duplicates-in",
            "folder",
        ])
        .expect(0);
}

#[test]
fn some_failures_exit_with_five_after_the_others_are_done() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.write("two.txt", b"two");
    let run = binary
        .run(&["put", "one.txt", "gone.txt", "two.txt", "/"])
        .expect(5);
    assert_eq!(sorted(&run.stdout), ["/one.txt", "/two.txt"]);
    assert!(
        run.stderr.contains("gone.txt") && run.stderr.contains("2 done, 1 failed"),
        "{}",
        run.stderr
    );

    let run = binary
        .run(&["get", "/two.txt", "/gone.txt", "-o", "."])
        .expect(5);
    assert!(run.stderr.contains("/gone.txt"), "{}", run.stderr);
}

#[test]
fn a_download_never_replaces_a_file() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"remote");
    binary.run(&["put", "one.txt", "/"]).expect(0);
    binary.write("one.txt", b"local");
    binary.run(&["get", "/one.txt"]);
    assert_eq!(
        std::fs::read(binary.work().join("one.txt")).unwrap(),
        b"local"
    );
}

#[rstest]
#[case::not_there("/gone.txt", 4)]
#[case::id_not_there("id:99999999", 4)]
#[case::nothing_in_it("/", 0)]
fn what_cannot_be_downloaded_leaves_no_file_behind(#[case] remote: &str, #[case] code: i32) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.run(&["get", remote]).expect(code);
    assert_eq!(names(&binary.work()), Vec::<String>::new());
}

/// `/box/a.txt`, `/box/deep/b.txt` and the empty `/box/none` in the account, and different content
/// as `down/box/a.txt`.
fn with_a_folder() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (path, content) in [
        ("box/a.txt", "a"),
        ("box/deep/b.txt", "b"),
        ("down/box/a.txt", "mine"),
    ] {
        std::fs::create_dir_all(binary.work().join(path).parent().unwrap()).unwrap();
        binary.write(path, content.as_bytes());
    }
    std::fs::create_dir(binary.work().join("box/none")).unwrap();
    binary.run(&["put", "box", "/"]).expect(0);
    (service, binary)
}

#[test]
fn a_file_beside_a_folder_of_its_name_is_left_out() {
    let (_service, binary) = with_a_folder();
    binary.write("x", b"a file");
    binary.write("y", b"in the folder");
    binary.run(&["put", "x", "/box/x"]).expect(0);
    binary.run(&["put", "y", "/box/x/"]).expect(0);
    for into in ["one", "two"] {
        let run = binary.run(&["get", "/box", "-o", into]).expect(5);
        let why = format!("cannot download {into}/box/x: a folder has this name");
        assert!(run.stderr.contains(&why), "{}", run.stderr);
        let got = std::fs::read(binary.work().join(into).join("box/x/y"));
        assert_eq!(got.unwrap(), b"in the folder");
    }
}

#[test]
fn a_dry_run_of_put_names_the_new_path() {
    let (_service, binary) = with_a_folder();
    binary.write("new.txt", b"new");
    for (dest, path) in [
        ("/box", "/box/new.txt"),
        ("/box/x.txt", "/box/x.txt"),
        ("/", "/new.txt"),
    ] {
        let run = binary.run(&["put", "-n", "new.txt", dest]).expect(0);
        let end = format!("new.txt → {path}\n");
        assert!(run.stdout.ends_with(&end), "{}", run.stdout);
    }
    let run = binary.run(&["get", "-n", "/box/deep", "-o", "down"]);
    let end = "/down/deep/b.txt\n";
    assert!(run.expect(0).stdout.ends_with(end));
}

#[test]
fn a_single_file_gets_the_path_that_is_given() {
    let (_service, binary) = with_a_folder();
    let words = ["get", "/box/deep/b.txt", "-o", "new/x.txt"];
    binary.run(&[&words[..], &["--dry-run"]].concat()).expect(0);
    assert!(!binary.work().join("new").exists());
    let run = binary.run(&words).expect(0);
    assert_eq!(run.stdout, "new/x.txt\n");
    binary.write("new/x.txt", b"mine");
    let run = binary.run(&words).expect(0);
    assert_eq!(run.stdout, "new/x (1).txt\n");
    binary.write("new/file", b"");
    let words = ["get", "/box", "-o", "new/file/down"];
    let run = binary.run(&words);
    assert!(run.code != 0 && run.stderr.contains("new/file"), "{run:#?}");
}

#[test]
fn a_folder_comes_with_everything_in_it_and_once() {
    let (_service, binary) = with_a_folder();
    let first = binary.run(&["get", "/box", "-o", "down"]).expect(0);
    assert_eq!(
        sorted(&first.stdout),
        ["down/box/a (1).txt", "down/box/deep/b.txt"]
    );
    assert_eq!(
        std::fs::read(binary.work().join("down/box/a.txt")).unwrap(),
        b"mine"
    );
    assert!(binary.work().join("down/box/none").is_dir());
    let all = binary
        .run(&["get", "/", "-o", "down", "--on-clash", "skip"])
        .expect(0);
    assert_eq!(
        (
            all.stdout.as_str(),
            all.stderr.contains("1 file is there already")
        ),
        ("", true),
        "{}",
        all.stderr
    );
}

#[rstest]
#[case::replace("replace", 0, "a", 3)]
#[case::skip("skip", 0, "mine", 3)]
#[case::stop("stop", 7, "mine", 1)]
#[case::only_what_is_equal("existing", 7, "mine", 1)]
fn a_name_that_is_taken_here_is_settled_as_asked(
    #[case] rule: &str,
    #[case] code: i32,
    #[case] content: &str,
    #[case] left: usize,
) {
    let (_service, binary) = with_a_folder();
    let dry = binary
        .run(&["get", "/box", "-o", "down", "--on-clash", rule, "--dry-run"])
        .expect(code);
    assert_eq!(names(&binary.work().join("down/box")), ["a.txt"], "{dry:?}");
    let run = binary
        .run(&["get", "/box", "-o", "down", "--on-clash", rule])
        .expect(code);
    assert_eq!(
        std::fs::read_to_string(binary.work().join("down/box/a.txt")).unwrap(),
        content
    );
    assert_eq!(
        names(&binary.work().join("down/box")).len(),
        left,
        "{run:?}"
    );
    assert_eq!(
        run.stderr
            .contains("box/a.txt: the name is taken by other content"),
        code == 7,
        "{}",
        run.stderr
    );
}

#[cfg(unix)]
#[rstest]
#[case::interrupted("INT", 130)]
#[case::terminated("TERM", 143)]
fn a_signal_ends_a_download_with_its_code_and_leaves_no_partial_file(
    #[case] signal: &str,
    #[case] code: i32,
) {
    use filedeck::service::faults::{Fault, FaultRule, FaultSchedule, FaultScope, Faults};

    use super::binary::end;

    let fault = Fault::SlowBody {
        bytes_per_second: 16 * 1024,
    };
    let slow = FaultRule {
        scope: FaultScope {
            method: None,
            path: "/files/v3/files/1".to_owned(),
        },
        when: FaultSchedule::Always,
        fault,
    };
    let service = Service::start_with(|options| ServiceOptions {
        faults: Faults::new([slow]),
        ..options
    });
    let binary = Binary::on(&service);
    let path = binary.write("blob.bin", &bytes());
    binary.run(&["put", "blob.bin", "/"]).expect(0);
    std::fs::remove_file(path).unwrap();
    let mut child = binary.command(&["get", "/blob.bin"]).spawn().unwrap();
    while names(&binary.work()).is_empty() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before the signal"
        );
        std::thread::yield_now();
    }
    assert_eq!(end(&mut child, signal), code);
    assert_eq!(names(&binary.work()), Vec::<String>::new());
}

#[test]
fn what_the_folder_holds_already_is_not_sent_again_unless_it_is_asked_for() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.write("two.txt", b"two");
    binary.run(&["put", "one.txt", "/box/"]).expect(0);
    let run = binary.run(&["put", "one.txt", "two.txt", "/box"]).expect(0);
    assert_eq!(sorted(&run.stdout), ["/box/one.txt", "/box/two.txt"]);
    assert!(
        run.stderr
            .contains("/box/one.txt already has the same content"),
        "{}",
        run.stderr
    );
    assert_eq!(binary.run(&["ls", "/box"]).stdout, "one.txt\ntwo.txt\n");

    let run = binary.run(&["put", "one.txt", "/box", "--again"]).expect(0);
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str()),
        ("/box/one-1.txt\n", "")
    );
    // Different content of the same size and name is another file, and is recognized under the name
    // it was given.
    binary.write("two.txt", b"owt");
    for _ in 0..2 {
        let run = binary
            .run(&["put", "two.txt", "/box", "--on-clash", "keep-both"])
            .expect(0);
        assert_eq!(run.stdout, "/box/two-1.txt\n");
    }
    assert_eq!(
        binary.run(&["ls", "/box"]).stdout,
        "one.txt\none-1.txt\ntwo.txt\ntwo-1.txt\n"
    );
}

#[rstest]
#[case::not_told(&[], 7, "/box/two.txt", "old", 1)]
#[case::stop(&["--on-clash", "stop"], 7, "/box/two.txt", "old", 1)]
#[case::replace(&["--on-clash", "replace"], 0, "/box/two.txt", "new", 2)]
#[case::keep_both(&["--on-clash", "keep-both"], 0, "/box/two-1.txt", "new", 3)]
#[case::skip(&["--on-clash", "skip"], 0, "/box/two.txt", "old", 2)]
#[case::only_what_is_equal(&["--on-clash", "existing"], 7, "/box/two.txt", "old", 1)]
fn a_name_that_is_taken_there_is_settled_as_asked(
    #[case] rule: &[&str],
    #[case] code: i32,
    #[case] path: &str,
    #[case] content: &str,
    #[case] files: usize,
) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("two.txt", b"old");
    let id =
        |path: &str| binary.run(&["stat", path, "--json"]).expect(0).json_lines()[0]["id"].clone();
    binary.run(&["put", "two.txt", "/box/"]).expect(0);
    let before = id("/box/two.txt");
    binary.write("two.txt", b"new");
    binary.write("other.txt", b"other");
    let run = binary
        .run(&[&["put", "two.txt", "other.txt", "/box"], rule].concat())
        .expect(code);
    assert_eq!(
        run.stderr
            .contains("two.txt: the name is taken by other content"),
        code == 7,
        "{}",
        run.stderr
    );
    assert_eq!(binary.run(&["cat", path]).expect(0).stdout, content);
    assert_eq!(
        binary.run(&["ls", "/box"]).expect(0).stdout.lines().count(),
        files,
        "nothing is sent where it stops"
    );
    assert_eq!(id("/box/two.txt"), before, "a replaced file keeps its id");
}

#[test]
fn content_that_is_elsewhere_is_used_where_that_is_asked_for() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/first/"]).expect(0);
    let run = binary
        .run(&["put", "one.txt", "/second/", "--on-clash", "existing"])
        .expect(0);
    assert_eq!(run.stdout, "/first/one.txt\n");
}

#[test]
fn standard_input_is_sent_under_the_name_that_it_is_given() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let put = |words: &[&str]| {
        let mut command = assert_cmd::Command::from_std(binary.command(words));
        command.write_stdin("from a pipe").output().unwrap()
    };
    assert!(put(&["put", "-", "/box/a.txt"]).status.success());
    assert_eq!(
        binary.run(&["cat", "/box/a.txt"]).expect(0).stdout,
        "from a pipe"
    );
    assert!(
        put(&["put", "-", "/box", "--name", "b.txt", "--access", "public"])
            .status
            .success()
    );
    assert_eq!(
        binary.run(&["ls", "/box"]).expect(0).stdout,
        "a.txt\nb.txt\n"
    );
    let nameless = put(&["put", "-", "/box/"]);
    assert_eq!(nameless.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&nameless.stderr).contains("standard input has no name"),
        "{nameless:?}"
    );
    binary.run(&["put", "-", "x", "/box"]).expect(2);
}

#[test]
fn a_pipe_is_refused_without_being_opened() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let made = std::process::Command::new("mkfifo")
        .arg(binary.work().join("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let run = binary.run(&["put", "pipe", "/"]).expect(1);
    assert!(
        run.stderr
            .contains("cannot upload pipe: it is a pipe, a device or a socket"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_a_killed_download_left_is_swept_by_the_next_one() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/"]).expect(0);
    let down = binary.work().join("down");
    std::fs::create_dir(&down).unwrap();
    std::fs::write(down.join(".one.txt.filedeck-a1B2c3D4.part"), b"o").unwrap();
    std::fs::write(down.join(".of-the-user.part"), b"u").unwrap();
    binary.run(&["get", "/one.txt", "-o", "down"]).expect(0);
    assert_eq!(names(&down), [".of-the-user.part", "one.txt"]);
}

#[test]
fn a_file_with_a_number_in_its_name_does_not_pass_for_another_of_the_same_content() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for name in ["img-1.png", "img.png", "imgpng"] {
        binary.write(name, b"");
    }
    for _ in 0..2 {
        let run = binary
            .run(&["put", "img-1.png", "img.png", "imgpng", "/box/"])
            .expect(0);
        assert_eq!(
            sorted(&run.stdout),
            ["/box/img-1.png", "/box/img.png", "/box/imgpng"]
        );
    }
    assert_eq!(
        binary.run(&["ls", "/box"]).stdout,
        "img.png\nimg-1.png\nimgpng\n"
    );
}

#[test]
fn one_at_a_time_goes_in_the_order_given() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let names = ["c.txt", "a.txt", "b.txt"];
    for name in names {
        binary.write(name, name.repeat(9).as_bytes());
    }
    let words = [&["put", "--jobs", "1"], names.as_slice(), &["/box/"]].concat();
    assert_eq!(
        binary.run(&words).expect(0).stdout,
        "/box/c.txt\n/box/a.txt\n/box/b.txt\n"
    );
    std::fs::create_dir(binary.work().join("down")).unwrap();
    let words = [
        "get",
        "--jobs",
        "1",
        "--output",
        "down",
        "/box/c.txt",
        "/box/a.txt",
    ];
    assert_eq!(
        binary.run(&words).expect(0).stdout,
        "down/c.txt\ndown/a.txt\n"
    );
    let run = binary
        .run(&["rm", "--yes", "/box/c.txt", "/box/a.txt", "/box/b.txt"])
        .expect(0);
    assert_eq!(run.stdout, "/box/c.txt\n/box/a.txt\n/box/b.txt\n");
}

#[test]
fn without_a_journal_the_work_goes_on_and_is_warned_of_once_but_nothing_is_deleted_for_good() {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::write(binary.home.path().join("state"), "in the way").unwrap();
    for name in ["one.txt", "two.txt"] {
        binary.write(name, name.as_bytes());
    }
    let run = binary.run(&["put", "one.txt", "two.txt", "/"]).expect(0);
    assert_eq!(sorted(&run.stdout), ["/one.txt", "/two.txt"]);
    assert_eq!(
        run.stderr.matches("continuing without").count(),
        1,
        "{}",
        run.stderr
    );
    let run = binary
        .run(&["rm", "--yes", "--permanent", "/one.txt"])
        .expect(1);
    assert!(run.stderr.contains("nothing was deleted"), "{}", run.stderr);
    binary.run(&["ls", "/one.txt"]).expect(0);
    binary.run(&["rm", "--yes", "/one.txt"]).expect(0);
}

#[test]
fn a_journal_that_takes_no_rows_is_warned_of_once_and_nothing_is_deleted_for_good() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/"]).expect(0);
    let journal = binary.home.path().join("state/journal.db");
    let _unwritable = Unwritable::make(&journal, "INSERT ON batch");
    binary.write("two.txt", b"two");
    let run = binary.run(&["put", "two.txt", "/"]).expect(0);
    assert_eq!(
        (
            run.stdout.as_str(),
            run.stderr.matches("continuing without").count()
        ),
        ("/two.txt\n", 1),
        "{}",
        run.stderr
    );
    let run = binary
        .run(&["rm", "--yes", "--permanent", "/one.txt"])
        .expect(1);
    assert!(run.stderr.contains("nothing was done"), "{}", run.stderr);
    binary
        .run(&["rm", "--yes", "/one.txt", "/two.txt"])
        .expect(0);
}

#[rstest]
fn two_files_of_the_same_name_and_content_are_both_stored_once(#[values("1", "2")] jobs: &str) {
    let service = Service::start();
    let binary = Binary::on(&service);
    for folder in ["a", "b"] {
        std::fs::create_dir(binary.work().join(folder)).unwrap();
        binary.write(&format!("{folder}/x.txt"), b"same");
    }
    for _ in 0..2 {
        let words = [
            "put",
            "--jobs",
            jobs,
            "a/x.txt",
            "b/x.txt",
            "/box/",
            "--on-clash",
            "keep-both",
        ];
        let run = binary.run(&words).expect(0);
        assert_eq!(sorted(&run.stdout), ["/box/x-1.txt", "/box/x.txt"]);
    }
    assert_eq!(binary.run(&["ls", "/box"]).stdout, "x.txt\nx-1.txt\n");
}

#[test]
fn a_folder_is_put_with_all_that_is_in_it_and_put_again_sends_nothing() {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::create_dir_all(binary.work().join("site/empty")).unwrap();
    std::fs::create_dir_all(binary.work().join("site/img/deep")).unwrap();
    binary.write("site/index.html", b"i");
    binary.write("site/img/a.png", b"a");
    binary.write("site/img/deep/b.png", b"b");
    binary.write("one.txt", b"one");
    let expected = [
        "/box/one.txt",
        "/box/site/img/a.png",
        "/box/site/img/deep/b.png",
        "/box/site/index.html",
    ];
    for _again in 0..2 {
        let run = binary.run(&["put", "site", "one.txt", "/box"]).expect(0);
        assert_eq!(sorted(&run.stdout), expected);
    }
    let dry_run = binary
        .run(&["put", "--dry-run", "site", "one.txt", "/box"])
        .expect(0);
    assert_eq!(dry_run.stdout, "");
    assert!(
        dry_run
            .stderr
            .contains("4 files already have the same content; 'filedeck put --again' uploads them"),
        "{}",
        dry_run.stderr
    );
    binary.run(&["ls", "/box/site/empty"]).expect(0);
    let listed = binary.run(&["ls", "/box/site/img"]).expect(0);
    assert!(!listed.stdout.contains("a-1.png"), "{}", listed.stdout);
}

#[cfg(unix)]
#[test]
fn what_of_a_folder_cannot_be_put_is_named_and_the_rest_goes() {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::create_dir_all(binary.work().join("site")).unwrap();
    binary.write("site/a.txt", b"a");
    std::os::unix::fs::symlink("a.txt", binary.work().join("site/link.txt")).unwrap();
    let run = binary.run(&["put", "site", "/"]).expect(0);
    assert_eq!(run.stdout, "/site/a.txt\n");
    assert!(
        run.stderr.contains("link.txt") && run.stderr.contains("not followed"),
        "{}",
        run.stderr
    );
    binary
        .run(&["put", "site", "/", "--name", "b.txt"])
        .expect(2);
}

#[test]
fn addresses_are_printed_plain_or_signed() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary
        .run(&["put", "one.txt", "/open/", "--access", "public-indexable"])
        .expect(0);
    binary.run(&["put", "one.txt", "/box/"]).expect(0);
    let plain = binary.run(&["url", "/open/one.txt"]).expect(0).stdout;
    assert!(
        plain.ends_with("/open/one.txt\n") && !plain.contains("signature"),
        "{plain}"
    );
    assert!(
        binary
            .run(&["url", "/open/one.txt", "--signed"])
            .expect(0)
            .stdout
            .contains("signature")
    );
    let signed = binary
        .run(&["url", "/box/one.txt", "--for", "20m", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (signed["path"].as_str(), signed["size"].as_u64()),
        (Some("/box/one.txt"), Some(3))
    );
    assert!(
        signed["url"].as_str().unwrap().contains("signature") && signed["expiresAt"].is_string(),
        "{signed}"
    );
    let run = binary
        .run(&["url", "/box/one.txt", "--size", "thumb"])
        .expect(1);
    assert!(run.stderr.contains("images only"), "{}", run.stderr);
    let run = binary.run(&["url", "/box", "/box/one.txt"]).expect(5);
    assert!(
        run.stderr.contains("only files have addresses"),
        "{}",
        run.stderr
    );
}

#[test]
fn addresses_of_a_local_store_that_nothing_else_serves_are_said_to_end_with_the_command() {
    let binary = Binary::new();
    let run = binary.run(&["url", "/Welcome.txt"]).expect(0);
    assert!(
        run.stdout.starts_with("http://127.0.0.1:") && run.stderr.contains("'filedeck serve'"),
        "{run:?}"
    );
    assert_eq!(
        binary
            .run(&["url", "/Welcome.txt", "--json", "--account", "local"])
            .expect(0)
            .stderr,
        ""
    );
    let run = binary.run(&["url", "/no-such-file.txt"]).expect(4);
    assert!(
        !run.stderr.contains("'filedeck serve'"),
        "no address was printed: {run:?}"
    );
}

// Seen to fail when an import is looked up as the change of a folder.
#[test]
fn a_task_of_the_service_is_shown_by_its_id() {
    let loopback = Network::loopback().to_vec();
    let service = Service::start_with(|options| ServiceOptions {
        import_allow: loopback,
        ..options
    });
    let binary = Binary::on(&service);
    let id = service.block_on(async {
        let web = Web::serving(&[("/one.txt", b"one")]).await;
        let client = Client::at(&service.base_url());
        let status = client
            .try_import(&web.url("/one.txt"), "one.txt")
            .await
            .unwrap()
            .unwrap();
        client.task(&status).await;
        status.split('/').rev().nth(1).unwrap().to_owned()
    });
    let run = binary.run(&["tasks", &id]).expect(0);
    for line in [
        "State     complete".to_owned(),
        format!("Task id   {id}"),
        "Result    /one.txt".to_owned(),
    ] {
        assert!(
            run.stdout.lines().any(|told| told == line),
            "{line} in {}",
            run.stdout
        );
    }
    let told = binary
        .run(&["tasks", &id, "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (told["taskId"].as_str(), told["status"].as_str()),
        (Some(id.as_str()), Some("COMPLETE"))
    );
    assert_eq!(told["result"]["path"], "/one.txt");
}

#[test]
fn a_task_that_the_service_does_not_know_is_not_found() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.run(&["tasks", "nothing-of-the-sort"]).expect(4);
    // An id may begin like an option.
    binary.run(&["tasks", "-aN2x9", "--json"]).expect(4);
    binary.run(&["tasks", "--json", "-aN2x9"]).expect(4);
    binary.run(&["tasks", ""]).expect(2);
}

#[test]
fn what_a_reader_that_goes_away_cuts_short_is_a_failure() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let names = ["1.txt", "2.txt", "3.txt", "4.txt"];
    for name in names {
        binary.write(name, name.as_bytes());
    }
    let put = |words: &[&str]| {
        let words = [&["put", "--jobs", "1"], words].concat();
        let mut child = binary
            .command(&words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, said) = put(&[names.as_slice(), &["/box/"]].concat());
    assert!(
        code == Some(1)
            && said.contains("not tried")
            && said.contains("closed before all was done"),
        "{code:?} {said}"
    );
    assert_eq!(put(&["1.txt", "/alone/"]), (Some(0), String::new()));
}

#[test]
fn files_of_one_run_do_not_delete_each_other() {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (folder, text) in [("a", b"1"), ("b", b"2")] {
        std::fs::create_dir(binary.work().join(folder)).unwrap();
        binary.write(&format!("{folder}/s.txt"), text);
    }
    for rule in [&["--on-clash", "replace"][..], &[]] {
        let refused = binary
            .run(&[&["put", "a/s.txt", "b/s.txt", "/box/"], rule].concat())
            .expect(7);
        let names = ["a/s.txt", "b/s.txt", "would have the same name"];
        assert!(
            names.iter().all(|name| refused.stderr.contains(name)),
            "{}",
            refused.stderr
        );
        binary.run(&["ls", "/box"]).expect(4);
    }
    let both = binary
        .run(&[
            "put",
            "a/s.txt",
            "b/s.txt",
            "/box/",
            "--on-clash",
            "keep-both",
        ])
        .expect(0);
    assert_eq!(sorted(&both.stdout), ["/box/s-1.txt", "/box/s.txt"]);
}

#[rstest]
#[case::empty("")]
#[case::blank(" ")]
#[case::in_a_folder("x/y.txt")]
fn a_name_that_is_none_is_refused(#[case] name: &str) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary
        .run(&["put", "one.txt", "/box/", "--name", name])
        .expect(2);
}

#[test]
fn a_folder_with_the_path_of_a_file_is_found_by_its_slash() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("s.txt", b"1");
    binary.run(&["put", "s.txt", "/both/"]).expect(0);
    binary.run(&["ls", "/both/s.txt/"]).expect(4);
    binary.run(&["put", "s.txt", "/both/s.txt/"]).expect(0);
    assert_eq!(
        binary.run(&["ls", "/both/s.txt/"]).expect(0).stdout,
        "s.txt\n"
    );
    binary.run(&["rm", "/both/s.txt/", "--yes"]).expect(0);
    binary.run(&["ls", "/both/s.txt"]).expect(0);
}

#[rstest]
#[case::in_words(&[])]
#[case::for_a_script(&["--json"])]
fn what_is_there_already_and_not_as_asked_is_told(#[case] words: &[&str]) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/"]).expect(0);
    let asked = [
        "put",
        "one.txt",
        "/",
        "--access",
        "PUBLIC_INDEXABLE",
        "--ttl",
        "P2W",
    ];
    let said = binary.run(&[&asked, words].concat()).expect(0).stderr;
    assert!(
        said.contains("already has the same content")
            && said.contains("PRIVATE and does not expire"),
        "{said}"
    );
}

#[test]
fn a_name_that_cannot_be_sent_is_shown_as_it_is() {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::create_dir(binary.work().join("tree")).unwrap();
    binary.write("tree/a\nb.txt", b"1");
    for (words, code) in [
        (["put", "tree", "/"], 5),
        (["put", "tree/a\nb.txt", "/"], 1),
    ] {
        let said = binary.run(&words).expect(code).stderr;
        assert!(said.contains(r"tree/a\u{a}b.txt"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_download_has_the_mode_of_a_new_file_and_a_replaced_file_keeps_its_own() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    let service = Service::start();
    let binary = Binary::on(&service);
    fs::write(binary.work().join("run.sh"), "old").unwrap();
    let mode = |path: &str| {
        fs::metadata(binary.work().join(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    let usual = mode("run.sh");
    binary.run(&["put", "run.sh", "/run.sh"]).expect(0);
    fs::remove_file(binary.work().join("run.sh")).unwrap();
    binary.run(&["get", "/run.sh"]).expect(0);
    assert_eq!(mode("run.sh"), usual);
    fs::write(binary.work().join("run.sh"), "other").unwrap();
    fs::set_permissions(
        binary.work().join("run.sh"),
        fs::Permissions::from_mode(0o750),
    )
    .unwrap();
    binary
        .run(&["get", "/run.sh", "--on-clash", "replace"])
        .expect(0);
    assert_eq!(
        (
            mode("run.sh"),
            fs::read_to_string(binary.work().join("run.sh"))
                .unwrap()
                .as_str()
        ),
        (0o750, "old")
    );
}

// Each has the same failure: the store takes no file of this size.
#[test]
fn a_failure_of_many_items_is_told_once_with_their_number() {
    let service = Service::start_with(|options| ServiceOptions {
        max_file_bytes: 4,
        ..options
    });
    let binary = Binary::on(&service);
    for number in 0..12 {
        binary.write(&format!("tree/{number:02}.txt"), b"too large");
    }
    let run = binary.run(&["put", "tree", "/"]).expect(5);
    let lines: Vec<&str> = run.stderr.lines().collect();
    let of_items = |line: &&&str| line.contains("cannot upload");
    let failures: Vec<_> = lines.iter().filter(of_items).collect();
    assert_eq!(failures.len(), 1, "{}", run.stderr);
    assert!(failures[0].contains("12 items (tree/00.txt, tree/01.txt, tree/02.txt and 9 more)"));
    let json = binary.run(&["put", "tree", "/", "--json"]).expect(5);
    assert_eq!(json.stderr.matches("cannot upload").count(), 12);
}
