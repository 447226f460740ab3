//! The common features of all commands with data: `--json`, `--quiet`, access levels as words.

use rstest::rstest;

use super::binary::{Binary, Service};

#[rstest]
#[case::of_a_list(&["ls", "/box", "--quiet"])]
#[case::of_a_change(&["put", "one.txt", "/other/", "-q"])]
#[case::even_as_json(&["url", "/box/one.txt", "--json", "--quiet"])]
fn nothing_is_said_of_what_went_well_where_that_is_asked_for(#[case] words: &[&str]) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    binary.run(&["put", "one.txt", "/box/"]).expect(0);
    let run = binary.run(words).expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn errors_are_said_all_the_same() {
    let service = Service::start();
    let run = Binary::on(&service)
        .run(&["ls", "/nowhere", "--quiet"])
        .expect(4);
    assert!(run.stderr.contains("/nowhere"), "{}", run.stderr);
}

#[rstest]
#[case::public("public", "PUBLIC_INDEXABLE")]
#[case::unlisted("Unlisted", "PUBLIC_NOT_INDEXABLE")]
#[case::private("private", "PRIVATE")]
#[case::name_of_the_api("PUBLIC_NOT_INDEXABLE", "PUBLIC_NOT_INDEXABLE")]
#[case::earlier_word("public-indexable", "PUBLIC_INDEXABLE")]
fn access_has_the_words_of_the_screen_and_the_names_of_the_api(
    #[case] word: &str,
    #[case] level: &str,
) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("one.txt", b"one");
    let file = binary
        .run(&["put", "one.txt", "/", "--access", word, "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(file["access"], level);
}
