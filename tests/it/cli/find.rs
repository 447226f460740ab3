//! `filedeck find`: what it prints, and how it ends.

use super::binary::{Binary, Service};

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

#[test]
fn what_is_no_search_is_wrong_usage_and_says_why() {
    let service = Service::start();
    let run = Binary::on(&service).run(&["find", "type:picture"]).expect(2);
    assert!(run.stderr.contains("type takes image, document, audio, movie or other"), "{}", run.stderr);
    assert!(Binary::on(&service).run(&["find", "--help"]).expect(0).stdout.contains(">1M, <=500K or an exact 412338"));
}
