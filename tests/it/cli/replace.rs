use super::binary::with_a_library;

#[test]
fn the_content_changes_and_the_file_keeps_its_id() {
    let (_service, binary) = with_a_library();
    let stat = || binary.run(&["stat", "/box/one.txt", "--json"]).expect(0).json_lines().remove(0);
    let before = stat();
    binary.write("new.txt", b"new content");
    assert_eq!(binary.run(&["replace", "-n", "new.txt", "/box/one.txt"]).expect(0).stdout.lines().count(), 1);
    assert_eq!(stat(), before);
    assert_eq!(binary.run(&["replace", "new.txt", "/box/one.txt"]).expect(0).stdout, "/box/one.txt\n");
    assert_eq!((&stat()["id"], stat()["access"].as_str()), (&before["id"], Some("PRIVATE")));
    assert_eq!(binary.run(&["cat", "/box/one.txt"]).expect(0).stdout, "new content");
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
    binary.run(&["replace", "gone.txt", "/box/one.txt"]).expect(1);
}
