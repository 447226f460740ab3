use rstest::rstest;

use super::binary::with_a_library;

#[rstest]
#[case::one_level(&["du"], "24\t4\t/box\n24\t4\t/\n")]
#[case::sums_alone(&["du", "--depth", "0"], "24\t4\t/\n")]
#[case::two_levels(&["du", "/", "--depth", "2"], "10\t2\t/box/deep\n24\t4\t/box\n24\t4\t/\n")]
#[case::deeper_than_there_is(&["du", "/box", "-d", "9"], "10\t2\t/box/deep\n24\t4\t/box\n")]
#[case::a_file(&["du", "/box/one.txt"], "4\t1\t/box/one.txt\n")]
fn folders_weigh_what_is_below_them(#[case] words: &[&str], #[case] expected: &str) {
    let (_service, binary) = with_a_library();
    assert_eq!(binary.run(words).expect(0).stdout, expected);
}

#[test]
fn json_has_bytes_and_files_of_each() {
    let (_service, binary) = with_a_library();
    let weights = binary.run(&["du", "/box", "--json"]).expect(0).json_lines();
    assert_eq!(
        (weights[0]["path"].as_str(), weights[0]["size"].as_u64()),
        (Some("/box/deep"), Some(10))
    );
    assert_eq!(
        (weights[1]["path"].as_str(), weights[1]["files"].as_u64()),
        (Some("/box"), Some(4))
    );
}
