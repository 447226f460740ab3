use std::io::Read as _;
use std::process::Stdio;

use super::binary::{Binary, Service};

fn with_files(count: usize) -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    let names: Vec<String> = (0..count)
        .map(|number| format!("f{number:03}.txt"))
        .collect();
    for name in &names {
        binary.write(name, name.as_bytes());
    }
    let words: Vec<&str> = ["put"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .chain(["/box/"])
        .collect();
    binary.run(&words).expect(0);
    (service, binary)
}

#[test]
fn a_folder_is_listed_over_all_its_pages() {
    let (_service, binary) = with_files(105);
    let listed = binary.run(&["ls", "/box"]).expect(0);
    assert_eq!(listed.stdout.lines().count(), 105, "{}", listed.stdout);
    assert!(
        listed.stdout.lines().any(|line| line == "f104.txt"),
        "{}",
        listed.stdout
    );
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "box/\n");
}

#[test]
fn json_has_one_object_a_line_with_the_field_names_of_the_service() {
    let (_service, binary) = with_files(1);
    let folder = binary
        .run(&["ls", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(
        (folder["name"].as_str(), folder["path"].as_str()),
        (Some("box"), Some("/box"))
    );
    let file = binary
        .run(&["ls", "/box", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(file["name"], "f000");
    assert_eq!(file["extension"], "txt");
    assert_eq!(file["size"], 8);
    assert_eq!(file["access"], "PRIVATE");
    assert_eq!(file["parentFolderId"], folder["id"]);
    assert!(file["createdAt"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn one_file_is_listed_by_path_and_by_id() {
    let (_service, binary) = with_files(2);
    let by_path = binary
        .run(&["ls", "/box/f001.txt", "--json"])
        .expect(0)
        .json_lines();
    assert_eq!(by_path.len(), 1);
    let id = format!("id:{}", by_path[0]["id"].as_str().unwrap());
    assert_eq!(
        binary.run(&["ls", &id, "--json"]).expect(0).json_lines(),
        by_path
    );
    let folder = format!("id:{}", by_path[0]["parentFolderId"].as_str().unwrap());
    assert_eq!(
        binary.run(&["ls", &folder]).expect(0).stdout,
        "f000.txt\nf001.txt\n"
    );
}

#[test]
fn what_is_not_there_exits_with_four_and_says_what_and_why() {
    let service = Service::start();
    let run = Binary::on(&service).run(&["ls", "/nowhere"]).expect(4);
    assert!(
        run.stderr.contains("/nowhere") && run.stderr.contains("correlation id: "),
        "{}",
        run.stderr
    );
    assert!(run.stdout.is_empty());
}

#[test]
fn an_error_with_json_is_one_json_object_on_standard_error() {
    let service = Service::start();
    let run = Binary::on(&service)
        .run(&["ls", "/nowhere", "--json"])
        .expect(4);
    let problem: serde_json::Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(problem["status"], "error");
    assert!(
        problem["correlationId"].is_string()
            && problem["message"].as_str().unwrap().contains("/nowhere")
    );
    assert!(run.stdout.is_empty());
}

#[test]
fn a_wrong_token_exits_with_three() {
    let service = Service::start();
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", &service.base_url())
        .env("FILEDECK_TOKEN", "other");
    let run = binary.run(&["ls"]).expect(3);
    assert!(run.stderr.contains("token"), "{}", run.stderr);
}

#[test]
fn names_reach_standard_output_escaped_and_json_exactly() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("plain.txt", b"x");
    binary
        .run(&["put", "plain.txt", "/", "--name", "gpj\u{202e}exe.txt"])
        .expect(0);
    assert_eq!(
        binary.run(&["ls"]).expect(0).stdout,
        "gpj\\u{202e}exe.txt\n"
    );
    let run = binary.run(&["ls", "--json"]).expect(0);
    assert!(!run.stdout.contains('\u{202e}'));
    assert_eq!(run.json_lines()[0]["name"], "gpj\u{202e}exe");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let (_service, binary) = with_files(3);
    let mut child = binary
        .command(&["ls", "/box"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut complaint = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), complaint.as_str()),
        (Some(0), "")
    );
}
