use rstest::rstest;
use serde_json::Value;

use super::binary::with_a_library;

#[test]
fn what_is_named_changes_of_all_files_and_the_rest_stays() {
    let (_service, binary) = with_a_library();
    let changed = binary
        .run(&[
            "set", "/box/**", "--access", "public", "--usable", "no", "--json", "--yes",
        ])
        .expect(0);
    let changed = changed.json_lines();
    assert_eq!(changed.len(), 4, "a pattern matches files only");
    for file in changed {
        assert_eq!(
            (file["access"].as_str(), &file["isUsableInContent"]),
            (Some("PUBLIC_INDEXABLE"), &Value::Bool(false))
        );
    }
    let file = binary
        .run(&["set", "/box/one.txt", "--expires", "30d", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert!(file["expiresAt"].is_number(), "{file}");
    assert_eq!(file["access"], "PUBLIC_INDEXABLE");
    let file = binary
        .run(&["set", "/box/one.txt", "--expires", "never", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert!(file.get("expiresAt").is_none_or(Value::is_null), "{file}");
}

#[rstest]
#[case::nothing_to_change(&["set", "/box/one.txt"], 2, "--access")]
#[case::no_period(&["set", "/box/one.txt", "--expires", "soon"], 2, "30d")]
#[case::too_long(&["set", "/box/one.txt", "--expires", "2y"], 2, "1 year")]
#[case::no_level(&["set", "/box/one.txt", "--access", "sensitive"], 2, "public")]
#[case::folder(&["set", "/box", "--access", "public"], 1, "folder")]
fn what_cannot_be_changed_is_refused(#[case] words: &[&str], #[case] code: i32, #[case] why: &str) {
    let (_service, binary) = with_a_library();
    let run = binary.run(words).expect(code);
    assert!(run.stderr.contains(why), "{}", run.stderr);
}

#[test]
fn a_dry_run_changes_nothing() {
    let (_service, binary) = with_a_library();
    let run = binary
        .run(&["set", "-n", "/box/*.txt", "--access", "public"])
        .expect(0);
    assert_eq!(run.stdout, "would change /box/one.txt\n");
    let file = binary
        .run(&["stat", "/box/one.txt", "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(file["access"], "PRIVATE");
}
