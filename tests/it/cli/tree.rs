use super::binary::with_a_library;

#[test]
fn a_folder_is_drawn_with_what_is_below_it_and_counted() {
    let (_service, binary) = with_a_library();
    let binary = binary.env("LC_ALL", "C.UTF-8");
    let drawn = "\
/box/
├── deep/
│   ├── three.txt
│   └── two.txt
├── one.txt
└── two.png

1 folder, 4 files
";
    assert_eq!(binary.run(&["tree", "/box"]).expect(0).stdout, drawn);
}

#[test]
fn without_utf8_it_is_drawn_in_ascii() {
    let (_service, binary) = with_a_library();
    let binary = binary.env("LC_ALL", "C");
    let drawn =
        "/\n`-- box/\n    |-- deep/\n    |-- one.txt\n    `-- two.png\n\n2 folders, 2 files\n";
    assert_eq!(
        binary.run(&["tree", "--depth", "2"]).expect(0).stdout,
        drawn
    );
}

#[test]
fn files_are_left_out_where_folders_alone_are_asked_for() {
    let (_service, binary) = with_a_library();
    let binary = binary.env("LC_ALL", "C");
    assert_eq!(
        binary.run(&["tree", "-d"]).expect(0).stdout,
        "/\n`-- box/\n    `-- deep/\n\n2 folders\n"
    );
    let paths = |value: &serde_json::Value| value["path"].as_str().unwrap().to_owned();
    let listed: Vec<String> = binary
        .run(&["tree", "-d", "--json"])
        .expect(0)
        .json_lines()
        .iter()
        .map(paths)
        .collect();
    assert_eq!(listed, ["/box", "/box/deep"]);
}
