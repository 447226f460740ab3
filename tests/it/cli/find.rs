//! The output of `filedeck find`, and its exit codes.

use std::process::Stdio;
use std::time::Duration;

use rstest::rstest;
use serde_json::json;

use super::binary::{Binary, Service};
use crate::support::capture::{Capture, Reply};

fn with_files() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (name, bytes) in [
        ("logo.png", "1"),
        ("logo old.txt", "22"),
        ("notes.txt", "22"),
    ] {
        binary.write(name, bytes.as_bytes());
    }
    binary
        .run(&["put", "logo.png", "logo old.txt", "/brand/"])
        .expect(0);
    binary.run(&["put", "notes.txt", "/"]).expect(0);
    (service, binary)
}

#[test]
fn paths_of_what_is_found_are_printed_a_line_each() {
    let (_service, binary) = with_files();
    assert_eq!(
        binary.run(&["find", "logo", "ext:png"]).expect(0).stdout,
        "/brand/logo.png\n"
    );
    assert_eq!(
        binary.run(&["find", "logo old"]).expect(0).stdout,
        "/brand/logo old.txt\n"
    );
    assert_eq!(
        binary.run(&["find", "is:folder"]).expect(0).stdout,
        "/brand/\n"
    );
    assert_eq!(
        binary
            .run(&["find", "size:>1", "sort:-name"])
            .expect(0)
            .stdout,
        "/notes.txt\n/brand/logo old.txt\n"
    );
    assert_eq!(
        binary
            .run(&["find", "nothing-of-the-sort"])
            .expect(0)
            .stdout,
        ""
    );
    let json = binary
        .run(&["find", "notes", "--json"])
        .expect(0)
        .json_lines();
    assert_eq!(
        (json.len(), json[0]["path"].as_str()),
        (1, Some("/notes.txt"))
    );
}

#[rstest]
#[case::a_word(&["find", "!logo"], "/notes.txt\n/brand/\n")]
#[case::a_filter(&["find", "logo", "!ext:png"], "/brand/logo old.txt\n")]
#[case::a_minus_in_a_line(&["find", "logo -ext:png"], "/brand/logo old.txt\n")]
#[case::a_minus_after_dashes(&["find", "--", "-in:/brand", "is:file"], "/notes.txt\n")]
#[case::a_name_with_a_space(&["find", "!logo old", "is:file"], "/brand/logo.png\n/notes.txt\n")]
#[case::one_of_several(&["find", "ext:png,gif", "access:public,private"], "/brand/logo.png\n")]
#[case::without_expiry(&["find", "logo", "expires:never", "ext:png"], "/brand/logo.png\n")]
#[case::changed_after_a_day(&["find", "after:2020-01-01", "notes"], "/notes.txt\n")]
#[case::changed_before_a_day(&["find", "before:2020-01-01"], "")]
fn what_is_left_out_and_lists_of_values_are_searched(
    #[case] words: &[&str],
    #[case] expected: &str,
) {
    let (_service, binary) = with_files();
    let run = binary.run(words).expect(0);
    let [mut found, mut expected] =
        [&*run.stdout, expected].map(|it| it.lines().collect::<Vec<_>>());
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// An audit must not be clean because of a typing error.
#[rstest]
#[case::a_folder(&["find", "in:/brnd", "access:public"], 4, "There is no folder /brnd")]
#[case::a_file(&["find", "in:/notes.txt"], 4, "There is no folder /notes.txt")]
#[case::a_pattern(
    &["find", "*.png"],
    2,
    "ext:png finds such names; filedeck ls '/**/*.png' takes patterns"
)]
#[case::several_extensions(&["find", "ext:png;jpg"], 2, "or several: png,jpg")]
#[case::no_colon(&["find", "access=public"], 2, "as in access:public")]
#[case::not_equal(&["find", "access!=private"], 2, "as in !access:private")]
#[case::an_operator(&["find", "access:public", "NOT", "expires:never"], 2, "leaves out what it finds")]
#[case::a_path(&["find", "/brand"], 2, "in:/brand finds what is below a folder")]
#[case::a_contradiction(&["find", "type:image", "!type:image"], 2, "this can match nothing")]
#[case::an_option(&["find", "logo", "--jsno"], 2, "--jsno")]
fn a_search_that_can_match_nothing_is_an_error(
    #[case] words: &[&str],
    #[case] code: i32,
    #[case] message: &str,
) {
    let (_service, binary) = with_files();
    let run = binary.run(words).expect(code);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn files_of_the_same_content_are_found() {
    let (_service, binary) = with_files();
    let found = binary.run(&["find", "is:duplicate"]).expect(0);
    let mut paths: Vec<&str> = found.stdout.lines().collect();
    paths.sort_unstable();
    assert_eq!(paths, ["/brand/logo old.txt", "/notes.txt"]);
}

/// Thirty pages of identical files, of whose list nobody reads the end.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_goes_away_ends_the_search_for_duplicates() {
    const COUNT: usize = 3_000;
    let service = Capture::start(|seen, _| {
        if !seen.target.starts_with("/files/v3/files/search") {
            return Reply::json(200, &json!({ "results": [] }));
        }
        let after = seen.target.split(['?', '&']).find_map(|pair| pair.strip_prefix("after="));
        let first: usize = after.map_or(0, |after| after.parse().unwrap());
        let file = |id: usize| json!({ "id": id.to_string(), "name": id.to_string(), "fileMd5": "0".repeat(32) });
        let next = (first + 100 < COUNT).then(|| json!({ "next": { "after": (first + 100).to_string() } }));
        Reply::json(
            200,
            &json!({ "results": (first..first + 100).map(|at| file(at + 1)).collect::<Vec<_>>(), "paging": next }),
        )
    })
    .await;
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", service.url.as_str())
        .env("FILEDECK_TOKEN", "t");
    let mut command = binary.command(&["find", "is:duplicate"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let stderr = child.stderr.take().unwrap();
    let complaint = tokio::task::spawn_blocking(|| std::io::read_to_string(stderr).unwrap());
    let complaint = tokio::time::timeout(Duration::from_secs(30), complaint).await;
    if complaint.is_err() {
        child.kill().unwrap();
    }
    let complaint = complaint
        .expect("it waits for room where nobody makes any")
        .unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), complaint.as_str()),
        (Some(0), "")
    );
}

/// An empty service whose clock is in 2020.
async fn of_2020() -> (Capture, Binary) {
    let service = Capture::start(|_, _| {
        let headers = [
            ("content-type", "application/json"),
            ("date", "Fri, 20 Nov 2020 10:00:00 GMT"),
        ];
        let headers = headers.map(|(name, value)| (name, value.to_owned()));
        Reply::Answer(200, headers.into(), json!({ "results": [] }).to_string())
    })
    .await;
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", service.url.as_str())
        .env("FILEDECK_TOKEN", "t");
    (service, binary)
}

#[tokio::test(flavor = "multi_thread")]
async fn ages_count_by_the_clock_of_the_service() {
    let (service, binary) = of_2020().await;
    tokio::task::spawn_blocking(move || binary.run(&["find", "expires:<7d"]).expect(0))
        .await
        .unwrap();
    let seen = service.seen();
    let [from, to] = ["expiresAtGte", "expiresAtLte"]
        .map(|key| seen.iter().flat_map(|seen| seen.query(key)).next());
    let (from, to) = (from.unwrap(), to.unwrap());
    assert!(
        from.starts_with("2020-11-20T10:0") && to.starts_with("2020-11-27T10:0"),
        "{from}, {to}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_of_the_service_is_asked_for_only_where_ages_count() {
    let (service, binary) = of_2020().await;
    tokio::task::spawn_blocking(move || {
        binary
            .run(&["find", "logo", "created:>2026-01-01"])
            .expect(0)
    })
    .await
    .unwrap();
    let is_for_the_time = |call: &&String| call.contains("folders/search");
    assert_eq!(
        service.calls().iter().filter(is_for_the_time).count(),
        1,
        "{:?}",
        service.calls()
    );
}

#[test]
fn what_is_no_search_is_wrong_usage_and_says_why() {
    let service = Service::start();
    let run = Binary::on(&service)
        .run(&["find", "type:picture"])
        .expect(2);
    assert!(
        run.stderr
            .contains("type takes image, document, audio, movie or other"),
        "{}",
        run.stderr
    );
    assert!(
        Binary::on(&service)
            .run(&["find", "--help"])
            .expect(0)
            .stdout
            .contains(">1M, <=500K or exactly 412338")
    );
}
