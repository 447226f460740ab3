use std::fs::File;

use super::binary::{Binary, Run, with_a_library};

fn fed(binary: &Binary, bytes: &[u8], words: &[&str]) -> Run {
    let input = File::open(binary.write("input", bytes)).unwrap();
    Run::of(binary.command(words).stdin(input).output().unwrap())
}

#[test]
fn the_content_changes_and_the_file_keeps_its_id() {
    let (_service, binary) = with_a_library();
    let stat = || {
        binary
            .run(&["stat", "/box/one.txt", "--json"])
            .expect(0)
            .json_lines()
            .remove(0)
    };
    let before = stat();
    binary.write("new.txt", b"new content");
    assert_eq!(
        binary
            .run(&["replace", "-n", "new.txt", "/box/one.txt"])
            .expect(0)
            .stdout
            .lines()
            .count(),
        1
    );
    assert_eq!(stat(), before);
    assert_eq!(
        binary
            .run(&["replace", "new.txt", "/box/one.txt"])
            .expect(0)
            .stdout,
        "/box/one.txt\n"
    );
    assert_eq!(
        (&stat()["id"], stat()["access"].as_str()),
        (&before["id"], Some("PRIVATE"))
    );
    assert_eq!(
        binary.run(&["cat", "/box/one.txt"]).expect(0).stdout,
        "new content"
    );
}

#[test]
fn another_extension_several_files_and_what_is_not_there_are_refused() {
    let (_service, binary) = with_a_library();
    binary.write("new.md", b"x");
    let run = binary.run(&["replace", "new.md", "/box/one.txt"]).expect(1);
    assert!(run.stderr.contains("extension"), "{}", run.stderr);
    let run = binary.run(&["replace", "new.md", "/box/*"]).expect(1);
    assert!(run.stderr.contains("2 files"), "{}", run.stderr);
    binary.run(&["replace", "new.md", "/box/gone.md"]).expect(4);
    binary
        .run(&["replace", "gone.txt", "/box/one.txt"])
        .expect(1);
}

#[test]
fn the_name_of_the_target_decides_what_is_replaced() {
    let (_service, binary) = with_a_library();
    let stat = || {
        binary
            .run(&["stat", "/box/one.txt", "--json"])
            .expect(0)
            .json_lines()
            .remove(0)
    };
    let id = stat()["id"].clone();
    let is_now = |content: &str| {
        assert_eq!(
            binary.run(&["cat", "/box/one.txt"]).expect(0).stdout,
            content
        );
        assert_eq!(stat()["id"], id);
    };
    fed(&binary, b"first", &["replace", "-", "/box/one.txt"]).expect(0);
    is_now("first");
    fed(
        &binary,
        b"second",
        &["put", "-", "/box/one.txt", "--on-clash", "replace"],
    )
    .expect(0);
    is_now("second");
    binary.write("x.tmp", b"third");
    binary
        .run(&["put", "x.tmp", "/box/one.txt", "--on-clash", "replace"])
        .expect(0);
    is_now("third");
}

#[test]
fn a_source_that_is_missing_is_one_error() {
    let (_service, binary) = with_a_library();
    let put = ["put", "gone.txt", "/box/one.txt", "--on-clash", "replace"];
    for words in [
        &put[..],
        &["put", "gone.txt", "/box/"],
        &["replace", "gone.txt", "/box/one.txt"],
    ] {
        let run = binary.run(words).expect(1);
        assert_eq!(
            run.stderr.matches("filedeck: ").count(),
            1,
            "{}",
            run.stderr
        );
    }
}
