use std::collections::BTreeSet;

use serde_json::Value;

use super::binary::{Binary, Service};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

fn with_a_file() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/box/"]).expect(0);
    (service, binary)
}

fn names(object: &Value) -> Vec<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

#[test]
fn without_a_terminal_nothing_is_deleted_unless_yes_is_said() {
    let (_service, binary) = with_a_file();
    let run = binary.run(&["rm", "/box/one.txt"]).expect(2);
    assert!(run.stderr.contains("--yes"), "{}", run.stderr);
    binary.run(&["ls", "/box/one.txt"]).expect(0);
}

#[test]
fn a_deleted_file_is_gone_and_deleting_it_again_says_so() {
    let (_service, binary) = with_a_file();
    let deleted = binary
        .run(&["rm", "--yes", "/box/one.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(deleted["path"], "/box/one.txt");
    assert_eq!(names(&deleted), ["archived", "id", "path", "permanent"]);
    binary.run(&["ls", "/box/one.txt"]).expect(4);
    binary.run(&["rm", "--yes", "/box/one.txt"]).expect(4);
}

#[test]
fn a_permanent_deletion_takes_a_file_by_its_id() {
    let (_service, binary) = with_a_file();
    let file = binary
        .run(&["ls", "/box/one.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let by_id = format!("id:{}", file["id"].as_str().unwrap());
    let receipt = binary
        .run(&["rm", "--yes", "--permanent", "--json", &by_id])
        .expect(0)
        .json_lines()
        .remove(0);
    let as_any_deletion = ["archived", "id", "path", "permanent"];
    let as_the_screen_copies_it = ["deletedAt", "goneBy", "id", "path"];
    let expected: BTreeSet<&str> = as_any_deletion
        .into_iter()
        .chain(as_the_screen_copies_it)
        .collect();
    assert_eq!(names(&receipt), Vec::from_iter(expected));
    assert_eq!(
        (receipt["path"].as_str(), receipt["permanent"].as_bool()),
        (Some("/box/one.txt"), Some(true))
    );
    assert_eq!(binary.run(&["ls", "/box"]).expect(0).stdout, "");
}

#[test]
fn a_folder_goes_with_its_contents_but_not_permanently() {
    let (_service, binary) = with_a_file();
    let run = binary
        .run(&["rm", "--yes", "--permanent", "/box"])
        .expect(1);
    assert!(run.stderr.contains("folder"), "{}", run.stderr);
    binary.run(&["rm", "--yes", "/box"]).expect(0);
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "");
}

#[test]
fn the_root_folder_is_not_deleted() {
    let (_service, binary) = with_a_file();
    let run = binary.run(&["rm", "--yes", "/"]).expect(1);
    assert!(run.stderr.contains("root folder"), "{}", run.stderr);
    binary.run(&["ls", "/box/one.txt"]).expect(0);
}

#[test]
fn some_failures_exit_with_five() {
    let (_service, binary) = with_a_file();
    binary
        .run(&["rm", "--yes", "/box/one.txt", "/gone.txt"])
        .expect(5);
    binary.run(&["ls", "/box/one.txt"]).expect(4);
}

#[test]
fn an_id_that_only_the_service_can_judge_is_left_to_it() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    let id = binary.run(&["put", "one.txt", "/", "--json"]).json_lines()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let by_id = format!("id:{id}");
    binary.run(&["rm", "--yes", "/one.txt"]).expect(0);
    let run = binary.run(&["rm", "--yes", &by_id]).expect(4);
    assert!(
        run.stderr.contains(&id) && !run.stderr.contains("folder"),
        "{}",
        run.stderr
    );
    let run = binary
        .run(&["rm", "--yes", "--permanent", &by_id])
        .expect(0);
    assert_eq!(run.stdout, format!("{by_id}\n"));
}

#[test]
fn a_folder_whose_files_cannot_be_listed_is_deleted_and_that_is_said() {
    let (service, _) = with_a_file();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    proxy.rules(vec![Rule::new(
        Calls::to("GET", "/files/v3/files/search"),
        Which::All,
        Fault::status(400, &[]),
    )]);
    let binary = Binary::new()
        .env("FILEDECK_BASE_URL", proxy.url.as_str())
        .env("FILEDECK_TOKEN", &service.token());
    let run = binary.run(&["rm", "--yes", "/box"]).expect(0);
    assert_eq!(run.stdout, "/box/\n");
    assert!(
        run.stderr
            .contains("not all files that were deleted with /box/ are known"),
        "{}",
        run.stderr
    );
}
