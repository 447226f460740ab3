//! Options as people type them from habit: taken where they mean something, otherwise answered with
//! the option that is meant.

use rstest::rstest;

use super::binary::{Binary, Service, TOKEN};

fn with_files() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("site/a.txt", b"a");
    binary.write("site/deep/b.txt", b"bb");
    binary.run(&["put", "-r", "site", "/web/"]).expect(0);
    (service, binary)
}

#[test]
fn the_long_form_of_a_list_has_columns_in_a_pipe() {
    let (_service, binary) = with_files();
    let plain = binary.run(&["ls", "/web/site"]).expect(0).stdout;
    assert_eq!(plain, "deep/\na.txt\n");
    for flag in ["-l", "-la", "-al", "--long"] {
        let long = binary.run(&["ls", flag, "/web/site"]).expect(0).stdout;
        assert!(long.contains("private") && long.contains("1B"), "{long}");
    }
    let json = binary.run(&["ls", "-la", "/web/site", "--json"]).expect(0);
    assert_eq!(json.json_lines().len(), 2);
    assert_eq!(
        binary.run(&["ls", "-a", "/web/site"]).expect(0).stdout,
        plain
    );
}

#[rstest]
#[case::sync(&["sync", "-r", "-y", "-P", "site", "/web/other"])]
#[case::put(&["put", "-R", "-y", "--progress", "site", "/web/other"])]
#[case::get(&["get", "-r", "/web/site", "copy"])]
#[case::copy(&["copy", "-r", "/web/site", "./copy"])]
#[case::mv(&["mv", "-r", "/web/site", "/moved"])]
#[case::du(&["du", "-r", "/web"])]
#[case::diff(&["diff", "-r", "site", "/web/site"])]
fn folders_may_be_asked_for_with_everything_in_them(#[case] words: &[&str]) {
    let (_service, binary) = with_files();
    binary.run(words).expect(0);
}

#[test]
fn force_deletes_without_a_question_but_never_permanently() {
    let (_service, binary) = with_files();
    let refused = binary
        .run(&["rm", "-f", "--permanent", "/web/site/a.txt"])
        .expect(2);
    assert!(refused.stderr.contains("use --yes"), "{}", refused.stderr);
    binary.run(&["rm", "-rf", "/web/site"]).expect(0);
    binary.run(&["ls", "/web/site"]).expect(4);
}

#[rstest]
#[case::transfers(&["sync", "a", "/b", "--transfers", "8"], "'--transfers' is '--jobs' here")]
#[case::with_a_value(&["put", "a", "/b", "--transfers=8"], "'--transfers' is '--jobs' here")]
#[case::checksum(&["sync", "a", "/b", "--checksum"], "always compared by size, and by MD5")]
#[case::dry_run(&["rm", "/a", "--dryrun"], "'--dryrun' is '--dry-run' here")]
#[case::bandwidth(&["get", "/a", "--bwlimit", "1M"], "'--bwlimit' is '--limit-rate' here")]
#[case::profile(&["ls", "--profile", "x"], "'--profile' is '--account' here")]
#[case::acl(&["put", "a", "/b", "--acl", "public"], "'--acl' is '--access' here")]
#[case::overwrite(&["put", "a", "/b", "--overwrite"], "'--overwrite' is '--on-clash replace' here")]
#[case::files_from(&["rm", "--files-from", "x"], "'--files-from' is '--from-file' here")]
#[case::max_depth(&["du", "--max-depth", "1"], "'--max-depth' is '--depth' here")]
#[case::human(&["du", "--human-readable"], "sizes have units on a terminal")]
#[case::forced_upload(&["put", "a", "/b", "--force"], "'--force' is '--on-clash replace' here")]
#[case::forced_move(&["mv", "/a", "/b", "-f"], "'-f' is '--yes' here")]
#[case::summary(&["du", "-sh"], "'-s' is '--depth 0' here")]
#[case::summary(&["du", "-s"], "'-s' is '--depth 0' here")]
#[case::recursive_list(&["ls", "-R"], "'filedeck tree'")]
#[case::left_out(&["find", "-type:image"], "'!' before a word")]
#[case::no_question(&["ls", "-y"], "this command asks no question")]
fn other_options_are_answered_with_the_one_that_is_meant(
    #[case] words: &[&str],
    #[case] tip: &str,
) {
    let run = Binary::new().run(words).expect(2);
    assert!(run.stderr.starts_with("filedeck: "), "{}", run.stderr);
    assert!(run.stderr.contains(tip), "{}", run.stderr);
    assert!(!run.stderr.contains("as a value"), "{}", run.stderr);
}

#[test]
fn readable_sizes_are_no_wish_for_help() {
    let (_service, binary) = with_files();
    let long = binary.run(&["ls", "-l", "/web/site"]).expect(0).stdout;
    for letters in ["-lh", "-lah"] {
        let run = binary.run(&["ls", letters, "/web/site"]).expect(0);
        assert_eq!(run.stdout, long);
    }
    let help = binary.run(&["ls", "-h"]).expect(0).stdout;
    assert!(help.contains("Usage:"), "{help}");
}

#[test]
fn a_number_that_is_out_of_range_is_told_in_words() {
    let run = Binary::new().run(&["limits", "--fail-at", "0"]).expect(2);
    let why = "0 is not between 1 and 100";
    assert!(run.stderr.contains(why), "{}", run.stderr);
}

// A tip by likeness would name the opposite.
#[rstest]
#[case::hidden(&["sync", "a", "/b", "--no-hidden"], "--hidden'")]
#[case::renames(&["sync", "a", "/b", "--track-renames"], "--no-renames")]
#[case::cache(&["put", "a", "/b", "--cache-control", "x"], "--ca-cert")]
fn an_option_that_is_only_alike_is_no_tip(#[case] words: &[&str], #[case] alike: &str) {
    let run = Binary::new().run(words).expect(2);
    let (mistake, _) = run.stderr.split_once("Usage:").unwrap();
    assert!(!mistake.contains(&format!(" '{alike}")), "{mistake}");
    let typo = Binary::new()
        .run(&["put", "a", "/b", "--acces", "x"])
        .expect(2);
    assert!(typo.stderr.contains("--access"), "{}", typo.stderr);
}

#[test]
fn requests_are_printed_with_status_and_time_and_no_secret() {
    let (_service, binary) = with_files();
    let run = binary.run(&["-v", "ls", "/web/site"]).expect(0);
    assert_eq!(run.stdout, "deep/\na.txt\n");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(!lines.is_empty());
    for line in &lines {
        assert!(line.contains("GET http://127.0.0.1:"), "{line}");
        assert!(line.contains(" 200 in ") && line.ends_with(" ms"), "{line}");
        assert!(!line.contains('?') && !line.contains("earer"), "{line}");
    }
    let run = binary
        .run(&["cat", "--verbose", "/web/site/a.txt"])
        .expect(0);
    assert_eq!(run.stdout, "a");
    assert!(!run.stderr.contains(TOKEN) && !run.stderr.contains('?'));
    let failed = binary.run(&["ls", "/nowhere", "-v"]).expect(4);
    assert!(failed.stderr.contains(" 404 in "), "{}", failed.stderr);
}

#[rstest]
#[case::serve(&["serve"])]
#[case::completions(&["completions", "bash"])]
#[case::man(&["man"])]
#[case::accounts(&["account", "list"])]
#[case::store(&["store", "verify"])]
fn options_of_accounts_are_neither_shown_nor_taken_where_none_is_opened(#[case] command: &[&str]) {
    let binary = Binary::new();
    let help = binary.run(&[command, &["--help"]].concat()).expect(0);
    for option in [
        &["--account", "x"] as &[&str],
        &["--limit-rate", "2M"],
        &["--read-only"],
    ] {
        assert!(
            !help.stdout.contains(&format!("  {} ", option[0])),
            "{}",
            help.stdout
        );
        for words in [[command, option].concat(), [option, command].concat()] {
            let run = binary.run(&words).expect(2);
            assert!(run.stderr.contains(option[0]), "{}", run.stderr);
            assert!(
                run.stderr
                    .contains(&format!("Usage: filedeck {}", command[0])),
                "{}",
                run.stderr
            );
        }
    }
}

#[test]
fn options_of_accounts_have_a_heading_of_their_own_and_work_on_both_sides_of_a_command() {
    let (_service, binary) = with_files();
    let help = binary.run(&["ls", "--help"]).expect(0).stdout;
    let (_, global) = help.split_once("Global options:").unwrap();
    for option in [
        "--account",
        "--ca-cert",
        "--read-only",
        "--limit-rate",
        "--verbose",
    ] {
        assert!(global.contains(option), "{help}");
    }
    for words in [
        ["--read-only", "mkdir", "/x"],
        ["mkdir", "--read-only", "/x"],
    ] {
        binary.run(&words).expect(1);
    }
    for words in [
        ["--account", "nobody", "tasks", "wait", "1"],
        ["tasks", "wait", "--account", "nobody", "1"],
        ["tasks", "wait", "1", "--account", "nobody"],
    ] {
        let run = binary.run(&words).expect(2);
        assert!(run.stderr.contains("nobody"), "{}", run.stderr);
    }
}
