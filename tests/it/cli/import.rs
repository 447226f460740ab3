use std::time::Duration;

use rstest::rstest;

use super::binary::{Binary, Service};
use crate::support::web::Web;

/// A service that may fetch from this machine, and the URL of a web server with `/a.txt` and
/// `/b.txt`.
fn with_a_web() -> (Service, Binary, String) {
    let service = Service::start_with(|mut options| {
        options.import_allow = vec!["127.0.0.0/8".parse().unwrap()];
        options
    });
    let web = service.block_on(Web::serving(&[
        ("/a.txt", b"from a"),
        ("/b.txt", b"from b"),
    ]));
    let (binary, url) = (Binary::on(&service), web.url("/"));
    (service, binary, url)
}

#[test]
fn addresses_are_fetched_into_a_folder_that_is_made() {
    let (_service, binary, web) = with_a_web();
    binary.write("list.txt", format!("# ours\n\n{web}b.txt\n").as_bytes());
    let run = binary.run_within(
        Duration::from_mins(1),
        &[
            "import",
            &format!("{web}a.txt"),
            "--from-file",
            "list.txt",
            "/in/new",
            "--access",
            "public",
        ],
    );
    let mut paths: Vec<String> = run.expect(0).stdout.lines().map(str::to_owned).collect();
    paths.sort();
    assert_eq!(paths, ["/in/new/a.txt", "/in/new/b.txt"]);
    assert_eq!(
        binary.run(&["cat", "/in/new/b.txt"]).expect(0).stdout,
        "from b"
    );
    let file = binary
        .run(&["stat", "/in/new/a.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(file["access"], "PUBLIC_INDEXABLE");
}

#[test]
fn without_waiting_the_tasks_are_named() {
    let (_service, binary, web) = with_a_web();
    let task = binary
        .run(&["import", &format!("{web}a.txt"), "/", "--no-wait", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let id = task["id"].as_str().unwrap();
    let run = binary.run(&["tasks", "wait", id, "--json"]).expect(0);
    assert_eq!(run.json_lines()[0]["status"], "COMPLETE");
    assert_eq!(binary.run(&["cat", "/a.txt"]).expect(0).stdout, "from a");
    let shown = binary.run(&["tasks", id]).expect(0);
    assert!(
        shown.stdout.contains("State     complete"),
        "{}",
        shown.stdout
    );
}

#[test]
fn imports_that_are_not_waited_for_are_listed_until_somebody_does() {
    let (_service, binary, web) = with_a_web();
    let addresses = [format!("{web}a.txt"), format!("{web}b.txt")];
    let words = ["import", &addresses[0], &addresses[1], "/in/"];
    let started = binary.run(&[&words as &[&str], &["--no-wait"]].concat());
    assert_eq!(started.expect(0).stdout.lines().count(), 2);
    let listed = binary.run(&["tasks", "--json"]).expect(0).json_lines();
    let number = listed[0]["number"].to_string();
    assert_eq!(listed[0]["state"], "unfinished");
    let refused = binary.run(&["tasks", "wait", &number]).expect(1);
    let next = format!("'filedeck tasks retry {number}' does what is left");
    assert!(refused.stderr.contains(&next), "{}", refused.stderr);
    binary.run(&["tasks", "retry", &number]).expect(0);
    assert_eq!(
        binary.run(&["ls", "/in"]).expect(0).stdout,
        "a.txt\nb.txt\n"
    );
    assert_eq!(binary.run(&["tasks"]).expect(0).stdout, "");
}

// The service adds an extension to a name that has none, so that another name is taken than given.
#[rstest]
#[case::stop("stop", 7, "of the user")]
#[case::skip("skip", 0, "of the user")]
#[case::replace("replace", 0, "from a")]
fn a_name_without_its_extension_is_settled_as_the_whole_one(
    #[case] rule: &str,
    #[case] code: i32,
    #[case] content: &str,
) {
    let (_service, binary, web) = with_a_web();
    binary.write("logo.txt", b"of the user");
    binary.run(&["put", "logo.txt", "/in/"]).expect(0);
    let address = format!("{web}a.txt");
    let words = [
        "import",
        &address,
        "/in",
        "--name",
        "logo",
        "--on-clash",
        rule,
    ];
    let dry_run = binary.run(&[&words as &[&str], &["-n"]].concat());
    assert!(dry_run.stdout.is_empty() || dry_run.stdout.contains("/in/logo.txt"));
    binary.run(&words).expect(code);
    assert_eq!(binary.run(&["ls", "/in"]).expect(0).stdout, "logo.txt\n");
    assert_eq!(
        binary.run(&["cat", "/in/logo.txt"]).expect(0).stdout,
        content
    );
    let unknown = ["import", &web, "/in", "--name", "logo", "--on-clash", rule];
    let refused = binary.run(&unknown).expect(2);
    assert!(
        refused.stderr.contains("add the extension"),
        "{}",
        refused.stderr
    );
}

#[rstest]
#[case::not_told(&[], 7, "a.txt\n")]
#[case::skip(&["--on-clash", "skip"], 0, "a.txt\nb.txt\n")]
#[case::replace(&["--on-clash", "replace"], 0, "a.txt\nb.txt\n")]
#[case::keep_both(&["--on-clash", "keep-both"], 0, "a.txt\na-1.txt\nb.txt\n")]
fn a_name_that_is_taken_is_settled_as_asked(
    #[case] rule: &[&str],
    #[case] code: i32,
    #[case] listed: &str,
) {
    let (_service, binary, web) = with_a_web();
    binary.write("a.txt", b"of the user");
    binary.run(&["put", "a.txt", "/in/"]).expect(0);
    let words = [
        "import",
        &format!("{web}a.txt"),
        &format!("{web}b.txt"),
        "/in",
    ];
    let run = binary.run(&[&words, rule].concat()).expect(code);
    assert_eq!(
        run.stderr.contains("a.txt: the name is taken"),
        code == 7,
        "{}",
        run.stderr
    );
    assert_eq!(binary.run(&["ls", "/in"]).expect(0).stdout, listed);
    let content = if rule == ["--on-clash", "replace"] {
        "from a"
    } else {
        "of the user"
    };
    assert_eq!(binary.run(&["cat", "/in/a.txt"]).expect(0).stdout, content);
}

#[test]
fn a_name_that_two_addresses_end_with_is_taken_by_the_first() {
    let (_service, binary, web) = with_a_web();
    let same = [&*format!("{web}a.txt"), &format!("{web}a.txt?v=2")];
    let run = binary.run(&["import", same[0], same[1], "/in"]).expect(7);
    assert!(
        run.stderr.contains("a.txt: the name is taken"),
        "{}",
        run.stderr
    );
    binary
        .run(&["import", same[0], same[1], "/in", "--on-clash", "skip"])
        .expect(0);
    assert_eq!(binary.run(&["ls", "/in"]).expect(0).stdout, "a.txt\n");
}

#[test]
fn a_folder_takes_a_name_as_well_and_no_name_is_taken_in_a_folder_that_is_not_there() {
    let (_service, binary, web) = with_a_web();
    binary.run(&["mkdir", "--parents", "/in/a.txt"]).expect(0);
    binary.write("b.txt", b"of the user");
    binary.run(&["put", "b.txt", "/"]).expect(0);
    let run = binary
        .run(&["import", &format!("{web}a.txt"), "/in"])
        .expect(7);
    assert!(
        run.stderr.contains("a.txt: the name is taken"),
        "{}",
        run.stderr
    );
    let run = binary
        .run(&["import", "-n", &format!("{web}b.txt"), "/new"])
        .expect(0);
    assert!(run.stdout.starts_with("would import "), "{}", run.stdout);
}

#[test]
fn a_failed_import_is_told_and_no_signature_of_an_address() {
    let (_service, binary, web) = with_a_web();
    let run = binary
        .run(&["import", &format!("{web}gone.txt?sig=canary"), "/in"])
        .expect(1);
    assert!(
        run.stderr.contains("gone.txt") && !run.stderr.contains("canary"),
        "{}",
        run.stderr
    );
}

#[rstest]
#[case::no_address(&["import", "/in"], "name an address")]
#[case::no_folder(&["import", "http://a.example/x"], "name an address")]
#[case::no_web_address(&["import", "ftp://a.example/x", "/in"], "http://")]
#[case::one_name_for_two(&["import", "http://a.example/x", "http://a.example/y", "/in", "--name", "z"], "--name")]
fn what_is_no_import_is_refused(#[case] words: &[&str], #[case] why: &str) {
    let run = Binary::new()
        .env("FILEDECK_BASE_URL", "http://127.0.0.1:9")
        .env("FILEDECK_TOKEN", "t")
        .run(words)
        .expect(2);
    assert!(run.stderr.contains(why), "{}", run.stderr);
}

#[test]
fn a_dry_run_starts_nothing_and_makes_no_folder() {
    let (_service, binary, web) = with_a_web();
    let run = binary
        .run(&["import", "-n", &format!("{web}a.txt?sig=canary"), "/in"])
        .expect(0);
    assert_eq!(run.stdout, format!("would import {web}a.txt → /in\n"));
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "");
}
