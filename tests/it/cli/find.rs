//! `filedeck find`: what it prints, and how it ends.

use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use super::binary::{Binary, Service};
use crate::support::capture::{Capture, Reply};

fn with_files() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    for (name, bytes) in [("logo.png", "1"), ("logo old.txt", "22"), ("notes.txt", "22")] {
        binary.write(name, bytes.as_bytes());
    }
    binary.run(&["put", "logo.png", "logo old.txt", "/brand/"]).expect(0);
    binary.run(&["put", "notes.txt", "/"]).expect(0);
    (service, binary)
}

#[test]
fn paths_of_what_is_found_are_printed_a_line_each() {
    let (_service, binary) = with_files();
    assert_eq!(binary.run(&["find", "logo", "ext:png"]).expect(0).stdout, "/brand/logo.png\n");
    assert_eq!(binary.run(&["find", "logo old"]).expect(0).stdout, "/brand/logo old.txt\n");
    assert_eq!(binary.run(&["find", "is:folder"]).expect(0).stdout, "/brand/\n");
    assert_eq!(binary.run(&["find", "size:>1", "sort:-name"]).expect(0).stdout, "/notes.txt\n/brand/logo old.txt\n");
    assert_eq!(binary.run(&["find", "nothing-of-the-sort"]).expect(0).stdout, "");
    let json = binary.run(&["find", "notes", "--json"]).expect(0).json_lines();
    assert_eq!((json.len(), json[0]["path"].as_str()), (1, Some("/notes.txt")));
}

#[test]
fn files_of_the_same_content_are_found() {
    let (_service, binary) = with_files();
    let found = binary.run(&["find", "is:duplicate"]).expect(0);
    let mut paths: Vec<&str> = found.stdout.lines().collect();
    paths.sort_unstable();
    assert_eq!(paths, ["/brand/logo old.txt", "/notes.txt"]);
}

/// Thirty pages of files that are all the same, of which nobody reads the list.
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
    let binary = Binary::new().env("FILEDECK_BASE_URL", service.url.as_str()).env("FILEDECK_TOKEN", "t");
    let mut command = binary.command(&["find", "is:duplicate"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let stderr = child.stderr.take().unwrap();
    let complaint = tokio::task::spawn_blocking(|| std::io::read_to_string(stderr).unwrap());
    let complaint = tokio::time::timeout(Duration::from_secs(30), complaint).await;
    if complaint.is_err() {
        child.kill().unwrap();
    }
    let complaint = complaint.expect("it waits for room where nobody makes any").unwrap();
    assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(0), ""));
}

#[test]
fn what_is_no_search_is_wrong_usage_and_says_why() {
    let service = Service::start();
    let run = Binary::on(&service).run(&["find", "type:picture"]).expect(2);
    assert!(run.stderr.contains("type takes image, document, audio, movie or other"), "{}", run.stderr);
    assert!(Binary::on(&service).run(&["find", "--help"]).expect(0).stdout.contains(">1M, <=500K or an exact 412338"));
}
