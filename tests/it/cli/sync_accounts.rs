//! `sync` and `diff` between folders of two accounts, and within one.

use rstest::rstest;

use super::two_accounts::TwoAccounts;
use crate::support::proxy::{Calls, Fault, Rule, Which};

const SYNC: [&str; 3] = ["sync", "@one:/site", "@two:/web"];

#[test]
fn one_account_becomes_like_the_other_and_nothing_else_changes() {
    let accounts = TwoAccounts::new();
    let words = ["--access", "public-not-indexable", "--ttl", "P1M"];
    accounts.store(
        &[
            ("same.txt", b"s"),
            ("in/new.txt", b"n"),
            ("other.txt", b"o"),
            ("renamed.txt", b"r"),
        ],
        &words,
    );
    let binary = &accounts.binary;
    for (name, bytes) in [
        ("same.txt", "s"),
        ("other.txt", "b"),
        ("old.txt", "r"),
        ("surplus.txt", "u"),
    ] {
        binary.write(name, bytes.as_bytes());
        let put = ["put", "--account", "two", name, "/web/"];
        binary.run(&put).expect(0);
    }
    let (one, before) = (accounts.files("one"), accounts.files("two"));
    let run = binary.run(&[&SYNC[..], &["--dry-run"]].concat()).expect(0);
    assert_eq!(run.stdout, "+ in/new.txt\n~ other.txt\n+ renamed.txt\n");
    let diff = ["diff", "@one:/site", "@two:/web"];
    let run = binary.run(&diff).expect(9);
    assert_eq!(
        run.stdout,
        "> old.txt → renamed.txt\n+ in/new.txt\n~ other.txt\n- surplus.txt\n"
    );
    assert_eq!(accounts.files("two"), before);

    let run = binary.run(&[&SYNC[..], &["--delete"]].concat()).expect(0);
    assert!(
        run.stderr.contains("have another level than their sources"),
        "{}",
        run.stderr
    );
    let after = accounts.files("two");
    let paths: Vec<&str> = after.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "/web/in/new.txt",
            "/web/other.txt",
            "/web/renamed.txt",
            "/web/same.txt"
        ]
    );
    assert_eq!(after["/web/same.txt"], before["/web/same.txt"]);
    assert_eq!(
        after["/web/renamed.txt"]["id"],
        before["/web/old.txt"]["id"]
    );
    let (other, new) = (&after["/web/other.txt"], &after["/web/in/new.txt"]);
    assert_eq!(other["id"], before["/web/other.txt"]["id"]);
    assert_eq!(other["fileMd5"], one["/site/other.txt"]["fileMd5"]);
    for field in ["access", "expiresAt", "fileMd5"] {
        assert_eq!(new[field], one["/site/in/new.txt"][field], "{field}");
    }
    assert_eq!(accounts.files("one"), one);
    binary.run(&diff).expect(0);
}

#[rstest]
#[case::the_same_folder("@one:/site", "@one:/site", 1, "on both sides")]
#[case::into_itself("@one:/site", "@one:/site/in/copy", 1, "lie in one another")]
#[case::out_of_itself("@one:/site/in", "@one:/site", 1, "lie in one another")]
#[case::the_root("@one:/", "@one:/site", 1, "lie in one another")]
#[case::a_file("@one:/site/a.txt", "@two:/web", 1, "only folders can be compared")]
#[case::missing("@one:/gone", "@two:/web", 4, "/gone")]
#[case::an_unknown_source("@nobody:/site", "@two:/web", 2, "there is no account \"nobody\"")]
#[case::unclear("/site", "@two:/web", 2, "'@NAME:/site @two:/web'")]
fn sides_that_cannot_be_compared_say_why(
    #[case] source: &str,
    #[case] dest: &str,
    #[case] code: i32,
    #[case] says: &str,
) {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a"), ("in/b.txt", b"b")], &[]);
    let words = ["sync", source, dest, "--delete"];
    let run = accounts.binary.run(&words).expect(code);
    assert!(run.stderr.contains(says), "{}", run.stderr);
    assert_eq!(accounts.files("one").len(), 2);
    assert_eq!(accounts.files("two").len(), 0);
}

#[rstest]
#[case::levels(&["--access", "private"], "leave out --access")]
#[case::rules(&["--gitignore"], "use --exclude")]
fn options_of_this_machine_are_refused(#[case] words: &[&str], #[case] says: &str) {
    let accounts = TwoAccounts::new();
    for command in ["sync", "diff"] {
        let words = [&[command, "@one:/site", "@two:/web"], words].concat();
        let run = accounts.binary.run(&words).expect(2);
        assert!(run.stderr.contains(says), "{}", run.stderr);
    }
}

#[test]
fn a_source_that_cannot_be_read_deletes_nothing() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let binary = &accounts.binary;
    binary
        .run(&["copy", "@one:/site/a.txt", "@two:/web/b.txt"])
        .expect(0);
    let before = accounts.files("two");
    let lists = Calls::to("GET", "/files/v3/files/search");
    let refusal = Rule::new(lists, Which::All, Fault::status(403, &[]));
    accounts.proxy.rules(vec![refusal]);
    let run = binary.run(&[&SYNC[..], &["--delete"]].concat());
    assert!(
        run.code != 0 && run.stderr.contains("@one:/site"),
        "{run:#?}"
    );
    assert_eq!(accounts.files("two"), before);
}

#[test]
fn an_empty_source_does_not_empty_the_target() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    let binary = &accounts.binary;
    binary.run(&["mkdir", "/web", "--account", "two"]).expect(0);
    let run = binary.run(&["sync", "@two:/web", "@one:/site", "--delete"]);
    assert!(
        run.code != 0 && run.stderr.contains("has no files"),
        "{run:#?}"
    );
    assert_eq!(accounts.files("one").len(), 1);
}

#[test]
fn a_read_only_account_is_not_made_like_another() {
    let accounts = TwoAccounts::new();
    accounts.store(&[("a.txt", b"a")], &[]);
    accounts.configure("read_only = true\n");
    let run = accounts.binary.run(&SYNC).expect(1);
    assert!(run.stderr.contains("read_only"), "{}", run.stderr);
    accounts
        .binary
        .run(&["diff", "@one:/site", "@two:/"])
        .expect(9);
    assert_eq!(accounts.files("two").len(), 0);
}
