use super::binary::with_a_library;

#[test]
fn all_facts_of_a_file_and_a_folder_are_told() {
    let (_service, binary) = with_a_library();
    let run = binary.run(&["stat", "/box/one.txt", "/box"]).expect(0);
    let file = binary
        .run(&["stat", "/box/one.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    let has = |label: &str, value: &str| {
        let line = run
            .stdout
            .lines()
            .find(|line| line.starts_with(label) && line.ends_with(value));
        assert!(
            line.is_some(),
            "{label} {value} is missing:\n{}",
            run.stdout
        );
    };
    has("Path", " /box/one.txt");
    has("Id", file["id"].as_str().unwrap());
    has("Size", " 4");
    has("MD5", file["fileMd5"].as_str().unwrap());
    has("Access", " private (PRIVATE)");
    has("Expires", " never");
    has("Path", " /box");
    has("Kind", " folder");
}

#[test]
fn one_that_is_not_there_does_not_hide_the_others() {
    let (_service, binary) = with_a_library();
    let run = binary
        .run(&["stat", "/gone", "/box/one.txt", "--json"])
        .expect(5);
    assert_eq!(run.json_lines()[0]["path"], "/box/one.txt");
    binary.run(&["stat", "/gone"]).expect(4);
}
