use super::binary::{Binary, Service};

#[test]
fn a_folder_is_made_in_one_that_is_there() {
    let service = Service::start();
    let binary = Binary::on(&service);
    assert_eq!(binary.run(&["mkdir", "/a"]).expect(0).stdout, "/a\n");
    let made = binary
        .run(&["mkdir", "/a/b", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(made["path"], "/a/b");
    let run = binary.run(&["mkdir", "/a"]).expect(7);
    assert!(run.stderr.contains("cannot create /a"), "{}", run.stderr);
    binary.run(&["mkdir", "/no/where"]).expect(4);
}

#[test]
fn with_parents_those_above_are_made_and_what_is_there_is_no_error() {
    let service = Service::start();
    let binary = Binary::on(&service);
    assert_eq!(
        binary.run(&["mkdir", "-p", "/x/y/z"]).expect(0).stdout,
        "/x/y/z\n"
    );
    let id = |run: super::binary::Run| run.json_lines()[0]["id"].clone();
    let first = id(binary.run(&["stat", "/x/y/z", "--json"]).expect(0));
    assert_eq!(
        id(binary.run(&["mkdir", "-p", "/x/y/z", "--json"]).expect(0)),
        first
    );
}

#[test]
fn a_dry_run_makes_nothing() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let run = binary.run(&["mkdir", "--dry-run", "-p", "/x/y"]).expect(0);
    assert_eq!(run.stdout, "would create /x/y\n");
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "");
}
