use super::binary::{Binary, with_a_library};

fn paths(binary: &Binary) -> Vec<String> {
    let mut paths: Vec<String> = binary
        .run(&["ls", "/**"])
        .expect(0)
        .stdout
        .lines()
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths
}

#[test]
fn a_file_is_renamed_moved_and_both_at_once() {
    let (_service, binary) = with_a_library();
    let id =
        |path: &str| binary.run(&["stat", path, "--json"]).expect(0).json_lines()[0]["id"].clone();
    let before = id("/box/one.txt");
    assert_eq!(
        binary
            .run(&["mv", "/box/one.txt", "/box/uno.txt"])
            .expect(0)
            .stdout,
        "/box/uno.txt\n"
    );
    assert_eq!(
        binary
            .run(&["mv", "/box/uno.txt", "/box/deep"])
            .expect(0)
            .stdout,
        "/box/deep/uno.txt\n"
    );
    assert_eq!(
        binary
            .run(&["mv", "/box/deep/uno.txt", "/eins.txt"])
            .expect(0)
            .stdout,
        "/eins.txt\n"
    );
    assert_eq!(id("/eins.txt"), before);
}

#[test]
fn a_folder_is_renamed_with_everything_in_it() {
    let (_service, binary) = with_a_library();
    assert_eq!(
        binary.run(&["mv", "/box/deep", "/flat"]).expect(0).stdout,
        "/flat/\n"
    );
    let expected = [
        "/box/",
        "/box/one.txt",
        "/box/two.png",
        "/flat/",
        "/flat/three.txt",
        "/flat/two.txt",
    ];
    assert_eq!(paths(&binary), expected);
}

#[test]
fn many_go_into_a_folder() {
    let (_service, binary) = with_a_library();
    binary.run(&["mkdir", "/new"]).expect(0);
    binary
        .run(&["mv", "/box/*.*", "/box/deep", "/new", "--yes"])
        .expect(0);
    let expected = [
        "/box/",
        "/new/",
        "/new/deep/",
        "/new/deep/three.txt",
        "/new/deep/two.txt",
        "/new/one.txt",
        "/new/two.png",
    ];
    assert_eq!(paths(&binary), expected);
}

#[test]
fn what_cannot_go_there_is_refused_and_stays() {
    let (_service, binary) = with_a_library();
    let before = paths(&binary);
    let refused = |words: &[&str], code: i32, why: &str| {
        let run = binary.run(words).expect(code);
        assert!(run.stderr.contains(why), "{}", run.stderr);
    };
    refused(&["mv", "/box", "/box/deep"], 1, "into itself");
    refused(
        &["mv", "/box/one.txt", "/box/two.png"],
        7,
        "replaces nothing",
    );
    refused(&["mv", "/box/one.txt", "/box/one.md"], 1, "extension");
    refused(&["mv", "/box/one.txt", "/box"], 1, "there already");
    refused(&["mv", "/", "/box"], 1, "root folder");
    refused(
        &["mv", "/box/one.txt", "/box/two.png", "/nowhere"],
        4,
        "/nowhere",
    );
    assert_eq!(paths(&binary), before);
}

#[test]
fn a_dry_run_says_where_things_would_go() {
    let (_service, binary) = with_a_library();
    let before = paths(&binary);
    let run = binary
        .run(&["mv", "-n", "/box/one.txt", "/box/deep"])
        .expect(0);
    assert_eq!(run.stdout, "would move /box/one.txt → /box/deep/one.txt\n");
    for (to, path) in [
        ("/box/deep/new.txt", "/box/deep/new.txt"),
        ("/box/new.txt", "/box/new.txt"),
        ("/new.txt", "/new.txt"),
        ("/", "/one.txt"),
    ] {
        let run = binary.run(&["mv", "-n", "/box/one.txt", to]).expect(0);
        let end = format!("/box/one.txt → {path}\n");
        assert!(run.stdout.ends_with(&end), "{}", run.stdout);
    }
    assert_eq!(paths(&binary), before);
}

#[test]
fn a_move_of_a_folder_need_not_be_waited_for() {
    let (_service, binary) = with_a_library();
    binary.run(&["mkdir", "/into"]).expect(0);
    let moved = binary
        .run(&["mv", "/box", "/into", "--no-wait", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(moved["path"], "/box/");
    let id = moved["id"].as_str().unwrap();
    let listed = binary.run(&["tasks", "--json"]).expect(0).json_lines();
    assert_eq!(listed[0]["state"], "unfinished");
    binary.run(&["tasks", "wait", id]).expect(0);
    binary.run(&["ls", "/into/box"]).expect(0);
    let number = listed[0]["number"].to_string();
    binary.run(&["tasks", "retry", &number]).expect(0);
    assert_eq!(binary.run(&["tasks"]).expect(0).stdout, "");
}
