//! Patterns in place of paths.

use rstest::rstest;

use super::binary::{Binary, Service, with_a_library};

#[rstest]
#[case::of_a_folder("/box/*.txt", &["/box/one.txt"])]
#[case::folders_and_files("/box/*", &["/box/deep/", "/box/one.txt", "/box/two.png"])]
#[case::folders_alone("/box/*/", &["/box/deep/"])]
#[case::choices("/box/{one,two}.*", &["/box/one.txt", "/box/two.png"])]
#[case::below_unknown_folders("/*/deep/t*.txt", &["/box/deep/three.txt", "/box/deep/two.txt"])]
#[case::at_any_depth("/**/two.*", &["/box/two.png", "/box/deep/two.txt"])]
#[case::at_no_depth_either("/box/**/one.txt", &["/box/one.txt"])]
#[case::all_below("/box/deep/**", &["/box/deep/three.txt", "/box/deep/two.txt"])]
#[case::a_known_name_below("/b*/one.txt", &["/box/one.txt"])]
fn a_pattern_names_what_is_like_it(#[case] pattern: &str, #[case] expected: &[&str]) {
    let (_service, binary) = with_a_library();
    let run = binary.run(&["ls", pattern]).expect(0);
    let mut found: Vec<&str> = run.stdout.lines().collect();
    let mut expected = expected.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[rstest]
#[case::ls(&["ls", "/box/*.gif"])]
#[case::get(&["get", "/box/*.gif"])]
#[case::stat(&["stat", "/nowhere/*"])]
#[case::rm(&["rm", "--yes", "/box/**/*.gif"])]
fn a_pattern_that_matches_nothing_exits_with_four(#[case] words: &[&str]) {
    let (_service, binary) = with_a_library();
    let run = binary.run(words).expect(4);
    assert!(run.stdout.is_empty(), "{}", run.stdout);
}

#[test]
fn a_name_with_a_star_is_reached_by_a_backslash() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("a.txt", b"star");
    for name in ["a*.txt", "ab.txt"] {
        binary.run(&["put", "a.txt", "/", "--name", name]).expect(0);
    }
    assert_eq!(
        binary.run(&["ls", "/a\\*.txt"]).expect(0).stdout,
        "a*.txt\n"
    );
    assert_eq!(
        binary.run(&["ls", "/a*.txt"]).expect(0).stdout,
        "a*.txt\n",
        "it is there under these very letters"
    );
    assert_eq!(
        binary
            .run(&["ls", "/a?.txt"])
            .expect(0)
            .stdout
            .lines()
            .count(),
        2
    );
    binary.run(&["rm", "--yes", "/a\\*.txt"]).expect(0);
    assert_eq!(binary.run(&["ls"]).expect(0).stdout, "ab.txt\n");
}

#[test]
fn what_a_pattern_matches_is_downloaded_and_deleted() {
    let (_service, binary) = with_a_library();
    binary
        .run(&["get", "/box/**/*.txt", "--output", "."])
        .expect(0);
    for (name, content) in [
        ("one.txt", "one\n"),
        ("three.txt", "three\n"),
        ("two.txt", "two\n"),
    ] {
        assert_eq!(
            std::fs::read_to_string(binary.work().join(name)).unwrap(),
            content
        );
    }
    let would = binary.run(&["rm", "--dry-run", "/box/**"]).expect(0);
    assert_eq!(
        would.stdout.lines().count(),
        3,
        "what lies in a folder goes with it: {}",
        would.stdout
    );
    assert_eq!(
        binary.run(&["ls", "/box"]).expect(0).stdout.lines().count(),
        3,
        "nothing was deleted"
    );
    binary.run(&["rm", "--yes", "/box/**"]).expect(0);
    assert_eq!(binary.run(&["ls", "/box"]).expect(0).stdout, "");
}

#[test]
fn a_name_that_is_almost_right_is_suggested() {
    let (_service, binary) = with_a_library();
    let run = binary.run(&["stat", "/box/on.txt"]).expect(4);
    assert!(
        run.stderr.contains("did you mean /box/one.txt?"),
        "{}",
        run.stderr
    );
    let run = binary.run(&["get", "/bxo"]).expect(4);
    assert!(run.stderr.contains("did you mean /box/?"), "{}", run.stderr);
    let run = binary.run(&["stat", "/box/zzz"]).expect(4);
    assert!(!run.stderr.contains("did you mean"), "{}", run.stderr);
}
