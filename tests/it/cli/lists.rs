//! Where things come from and go: lists, filters of files, and places of results.

use std::time::Duration;

use rstest::rstest;

use super::binary::{Binary, Service};
use crate::support::web::Web;

fn with_files() -> (Service, Binary) {
    let service = Service::start();
    let binary = Binary::on(&service);
    for name in ["a.txt", "b.txt", "odd *.txt"] {
        binary.write(&format!("in/{name}"), name.as_bytes());
    }
    binary.run(&["put", "in", "/"]).expect(0);
    (service, binary)
}

fn names(binary: &Binary, folder: &str) -> String {
    binary.run(&["ls", folder]).expect(0).stdout
}

#[test]
fn a_list_gives_paths_each_of_them_literally() {
    let (_service, binary) = with_files();
    binary.write("list", b"/in/odd *.txt\r\n\n/in/b.txt\n");
    binary
        .run(&["get", "--from-file", "list", "-o", "out"])
        .expect(0);
    assert!(binary.work().join("out/odd *.txt").exists());
    let urls = binary.run(&["url", "--from-file", "list"]).expect(0);
    assert_eq!(urls.stdout.lines().count(), 2);
    binary
        .run(&["set", "--access", "public", "--from-file", "list"])
        .expect(0);
    binary.write("gone", b"/in/[ab].txt\n");
    let run = binary
        .run(&["rm", "--yes", "--from-file", "gone"])
        .expect(4);
    assert!(run.stderr.contains("/in/[ab].txt"), "{}", run.stderr);
    binary.run(&["mkdir", "/moved"]).expect(0);
    binary
        .run(&["mv", "--from-file", "list", "/moved"])
        .expect(0);
    assert_eq!(names(&binary, "/moved"), "b.txt\nodd *.txt\n");
    assert_eq!(names(&binary, "/in"), "a.txt\n");
    binary.write("all", b"/moved/b.txt\0/moved/odd *.txt\0");
    binary
        .run(&["rm", "--yes", "-0", "--from-file", "all"])
        .expect(0);
    assert_eq!(names(&binary, "/moved"), "");
}

#[test]
fn an_item_that_is_named_in_several_ways_is_one() {
    let (_service, binary) = with_files();
    let stat = binary.run(&["stat", "/in/a.txt", "--json"]).expect(0);
    let stat = stat.json_lines().remove(0);
    let id = format!("id:{}", stat["id"].as_str().unwrap());
    let names = ["/in/a.txt", &id, "/in/[a].txt", "/in/a.txt"];
    let runs: [(&[&str], &[&str]); 5] = [
        (&["url"], &[]),
        (&["get"], &["-o", "out/"]),
        (&["set", "--access", "public", "--yes"], &[]),
        (&["mv", "--yes"], &["/"]),
        (&["rm", "--yes"], &[]),
    ];
    for (before, after) in runs {
        // The move has left only the id.
        let names = if before[0] == "rm" {
            &[&*id, "/a.txt", "/b.txt"][..]
        } else {
            &names
        };
        let run = binary.run(&[before, names, after].concat());
        let run = run.expect(if before[0] == "rm" { 5 } else { 0 });
        assert_eq!(run.stdout.lines().count(), 1, "{before:?}: {}", run.stdout);
        if before[0] == "rm" {
            let counts = "1 done, 1 failed, 0 not tried";
            assert!(run.stderr.contains(counts), "{}", run.stderr);
        }
    }
    let printed = binary.run(&["cat", "/in/b.txt", "/in/b.txt"]).expect(0);
    assert_eq!(printed.stdout, "b.txtb.txt");
}

#[test]
fn what_many_entries_of_a_list_have_in_common_is_told_once() {
    let (_service, binary) = with_files();
    let paths: Vec<String> = (0..300)
        .map(|number| format!("/gone/{number}.txt"))
        .collect();
    binary.write("list", paths.join("\n").as_bytes());
    let put: &[&str] = &["put", "/in"];
    for words in [&["url"][..], &["get"], &["rm", "--yes"], put] {
        let words = [words, &["--from-file", "list"]].concat();
        let run = binary.run(&words).expect(5);
        let lines: Vec<&str> = run.stderr.lines().collect();
        let [first, .., counts] = lines.as_slice() else {
            panic!("{lines:?}")
        };
        assert!(first.contains("300 items (/gone/0.txt, "), "{first}");
        assert!(lines.len() < 5, "{lines:?}");
        assert_eq!(*counts, "0 done, 300 failed, 0 not tried");
        let run = binary.run(&[&words[..], &["--json"]].concat()).expect(5);
        assert_eq!(run.stderr.lines().count(), 300);
    }
}

#[test]
fn a_wrong_line_of_a_list_is_named_and_nothing_is_done() {
    let (_service, binary) = with_files();
    binary.write("list", b"/in/a.txt\nrelative\n");
    let run = binary
        .run(&["rm", "--yes", "--from-file", "list"])
        .expect(2);
    assert!(run.stderr.contains("list, line 2"), "{}", run.stderr);
    assert_eq!(names(&binary, "/in").lines().count(), 3);
    let run = binary
        .run(&["rm", "--yes", "--from-file", "nowhere"])
        .expect(1);
    assert!(run.stderr.contains("nowhere"), "{}", run.stderr);
}

#[test]
fn a_list_of_local_files_is_uploaded() {
    let (_service, binary) = with_files();
    binary.write("list", b"in/a.txt\n#hash.txt\n");
    binary.write("#hash.txt", b"#");
    binary
        .run(&["put", "--from-file", "list", "/up/"])
        .expect(0);
    assert_eq!(names(&binary, "/up"), "#hash.txt\na.txt\n");
}

#[test]
fn a_file_is_fetched_to_a_path_or_to_standard_output() {
    let (_service, binary) = with_files();
    binary.run(&["get", "/in/a.txt", "copy.txt"]).expect(0);
    binary.run(&["get", "/in/a.txt", "new/dir/"]).expect(0);
    assert_eq!(
        std::fs::read(binary.work().join("copy.txt")).unwrap(),
        b"a.txt"
    );
    assert!(binary.work().join("new/dir/a.txt").exists());
    for words in [["get", "/in/a.txt", "-"], ["get", "/in/a.txt", "-o-"]] {
        assert_eq!(binary.run(&words).expect(0).stdout, "a.txt");
    }
    let run = binary.run(&["get", "there", "/in/a.txt"]).expect(2);
    assert!(
        run.stderr.contains("there: a remote path begins"),
        "{}",
        run.stderr
    );
    assert!(!binary.work().join("a.txt").exists());
}

#[rstest]
#[case::patterns(&["--exclude-from", "patterns"], "a.bin\nc.txt\n")]
#[case::smallest(&["--min-size", "1K"], "a.bin\n")]
#[case::largest(&["--max-size", "1K"], "b.txt\nc.txt\n")]
#[case::recent(&["--max-age", "7d"], "a.bin\nb.txt\n")]
fn files_are_chosen_by_pattern_size_and_age(#[case] filter: &[&str], #[case] expected: &str) {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("tree/a.bin", &[0; 5_000]);
    binary.write("tree/b.txt", b"b");
    binary.write("tree/c.txt", b"c");
    let old = std::time::SystemTime::now() - Duration::from_hours(24 * 30);
    let file = std::fs::File::options()
        .write(true)
        .open(binary.work().join("tree/c.txt"))
        .unwrap();
    file.set_modified(old).unwrap();
    binary.write("patterns", b"# ours\n\nb.*\n");
    binary
        .run(&[&["put", "tree", "/put/"], filter].concat())
        .expect(0);
    assert_eq!(names(&binary, "/put/tree"), expected);
    binary
        .run(&[&["sync", "tree", "/sync"], filter].concat())
        .expect(0);
    assert_eq!(names(&binary, "/sync"), expected);
}

// The target's copy is old, the source's is new: it is the source that counts.
#[test]
fn sync_judges_a_file_by_its_source_and_deletes_only_what_the_filter_takes() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("tree/a.txt", &[b'a'; 3_000]);
    binary.write("tree/small-only-there.txt", b"s");
    binary.write("tree/large-only-there.txt", &[b'l'; 3_000]);
    binary.run(&["sync", "tree", "/web"]).expect(0);
    for name in ["small-only-there.txt", "large-only-there.txt"] {
        std::fs::remove_file(binary.work().join("tree").join(name)).unwrap();
    }
    binary.write("tree/a.txt", b"now small");
    binary
        .run(&["sync", "tree", "/web", "--delete", "--max-size", "1K"])
        .expect(0);
    assert_eq!(names(&binary, "/web"), "a.txt\nlarge-only-there.txt\n");
    assert_eq!(
        binary.run(&["cat", "/web/a.txt"]).expect(0).stdout,
        "now small"
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_where_that_is_asked_for_and_a_cycle_is_an_error() {
    use std::os::unix::fs::symlink;

    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("tree/a.txt", b"a");
    binary.write("outside/b.txt", b"b");
    let at = |path: &str| binary.work().join(path);
    symlink(at("outside"), at("tree/linked")).unwrap();
    symlink(at("outside/b.txt"), at("tree/c.txt")).unwrap();
    binary.run(&["put", "tree", "/plain/"]).expect(0);
    assert_eq!(names(&binary, "/plain/tree"), "a.txt\n");
    for words in [
        ["put", "-L", "tree", "/put/"],
        ["sync", "-L", "tree", "/put/tree"],
    ] {
        binary.run(&words).expect(0);
        assert_eq!(names(&binary, "/put/tree"), "linked/\na.txt\nc.txt\n");
        assert_eq!(names(&binary, "/put/tree/linked"), "b.txt\n");
        assert_eq!(
            binary.run(&["cat", "/put/tree/c.txt"]).expect(0).stdout,
            "b"
        );
    }
    symlink(at("tree"), at("tree/loop")).unwrap();
    let run = binary.run(&["put", "-L", "tree", "/cycle/"]).expect(5);
    assert!(run.stderr.contains("loop"), "{}", run.stderr);
    assert!(
        run.stderr.contains("leads back to a folder"),
        "{}",
        run.stderr
    );
    assert_eq!(names(&binary, "/cycle/tree"), "linked/\na.txt\nc.txt\n");
}

#[test]
fn a_folder_is_made_below_one_that_an_id_names() {
    let (_service, binary) = with_files();
    let folder = binary
        .run(&["stat", "/in", "--json"])
        .expect(0)
        .json_lines();
    let path = format!("id:{}/new/deep", folder[0]["id"].as_str().unwrap());
    binary.run(&["mkdir", &path]).expect(4);
    let made = binary.run(&["mkdir", "-p", &path]).expect(0);
    assert_eq!(made.stdout, "/in/new/deep\n");
    binary.run(&["mkdir", "id:404404/x"]).expect(4);
}

#[test]
fn an_imported_file_is_named_by_its_destination() {
    let service = Service::start_with(|mut options| {
        options.import_allow = vec!["127.0.0.0/8".parse().unwrap()];
        options
    });
    let web = service.block_on(Web::serving(&[("/a.txt", b"from a")]));
    let (binary, url) = (Binary::on(&service), web.url("/a.txt"));
    binary.run(&["import", &url, "/dir/name.txt"]).expect(0);
    binary.run(&["import", &url, "/folder/"]).expect(0);
    assert_eq!(names(&binary, "/dir"), "name.txt\n");
    assert_eq!(names(&binary, "/folder"), "a.txt\n");
}

#[test]
fn properties_follow_an_address_and_missing_ones_are_named() {
    let (_service, binary) = with_files();
    let run = binary.run(&["url", "/in/a.txt", "--property", "encoding"]);
    let line = run.stdout.trim_end_matches('\n');
    let (address, _) = line.split_once('\t').unwrap();
    assert!(address.starts_with("http://"), "{line}");
    binary
        .run(&["set", "/in/a.txt", "--access", "public"])
        .expect(0);
    let run = binary
        .run(&["url", "/in/a.txt", "--property", "encoding"])
        .expect(4);
    assert!(run.stdout.starts_with("http://"), "{}", run.stdout);
    assert!(run.stderr.contains("--signed gets them"), "{}", run.stderr);
}

#[test]
fn every_command_takes_an_expiry_in_the_same_forms() {
    let (_service, binary) = with_files();
    let day = jiff::Zoned::now().date() + jiff::Span::new().days(30);
    for expires in ["30d", "P30D", &day.to_string()] {
        let put = [
            "put",
            "in/a.txt",
            "/x/",
            "--again",
            "--on-clash",
            "keep-both",
        ];
        let put = [&put as &[&str], &["--expires", expires, "--json"]].concat();
        let put = binary.run(&put).expect(0).json_lines().remove(0);
        assert!(!put["expiresAt"].is_null(), "{put}");
        binary
            .run(&["set", "/in/b.txt", "--expires", expires])
            .expect(0);
    }
    let wrong = binary
        .run(&["put", "in/a.txt", "/x/", "--expires", "1h"])
        .expect(2);
    assert!(wrong.stderr.contains("--expires"), "{}", wrong.stderr);
}

#[test]
fn a_pattern_publishes_no_hidden_names_unless_asked_to() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("tree/.env", b"secret");
    binary.write("tree/a.txt", b"a");
    binary.run(&["put", "tree", "/"]).expect(0);
    let access = |path: &str| {
        binary.run(&["stat", path, "--json"]).expect(0).json_lines()[0]["access"].clone()
    };
    let set = ["set", "--access", "public", "/tree/**", "--yes"];
    let run = binary.run(&set).expect(0);
    assert_eq!(run.stdout, "/tree/a.txt\n");
    assert!(run.stderr.contains("/tree/.env: hidden"), "{}", run.stderr);
    assert_eq!(access("/tree/.env"), "PRIVATE");
    binary
        .run(&["set", "--access", "private", "/tree/**", "--yes"])
        .expect(0);
    binary
        .run(&[&set as &[&str], &["--hidden"]].concat())
        .expect(0);
    assert_eq!(access("/tree/.env"), "PUBLIC_INDEXABLE");
}

// The upload is private, but the file that it replaces is not.
#[test]
fn new_content_of_a_hidden_file_is_not_put_in_place_of_a_public_one() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("tree/.env", b"old");
    binary
        .run(&["sync", "tree", "/tree", "--access", "public", "--hidden"])
        .expect(0);
    binary.write("tree/.env", b"new secret");
    let content = || binary.run(&["cat", "/tree/.env"]).expect(0).stdout;
    let commands: [&[&str]; 2] = [
        &["sync", "tree", "/tree"],
        &["put", "tree", "/", "--on-clash", "replace"],
    ];
    for words in commands {
        let run = binary.run(words).expect(0);
        assert!(run.stderr.contains(".env: hidden"), "{}", run.stderr);
        assert_eq!(content(), "old");
    }
    binary.run(&[commands[0], &["--hidden"]].concat()).expect(0);
    assert_eq!(content(), "new secret");
}

#[test]
fn an_empty_variable_in_a_pattern_names_nothing() {
    let (_service, binary) = with_files();
    for words in [["rm", "-rf", "//*"], ["rm", "--yes", "/in//*"]] {
        let run = binary.run(&words).expect(1);
        assert!(run.stderr.contains("an empty name"), "{}", run.stderr);
    }
    assert_eq!(names(&binary, "/in").lines().count(), 3);
}

#[test]
fn a_folder_of_this_machine_is_not_made_in_the_account() {
    let (_service, binary) = with_files();
    let local = binary.work().join("in").to_string_lossy().into_owned();
    for (command, source) in [("sync", "in"), ("copy", "in"), ("get", "/in/a.txt")] {
        let run = binary.run(&[command, source, &local]).expect(1);
        let here = format!("write file:{local} for this machine's");
        assert!(run.stderr.contains(&here), "{}", run.stderr);
        let there = format!("or @environment:{local} for a new one there");
        let is_target = command != "get";
        assert_eq!(run.stderr.contains(&there), is_target, "{}", run.stderr);
    }
    let there = format!("@environment:{local}");
    binary.run(&["sync", "in", &there]).expect(0);
    assert_eq!(names(&binary, &local).lines().count(), 3);
    assert!(!binary.work().join("a.txt").exists());
    let marked = format!("file:{}", binary.work().join("other").display());
    binary
        .run(&["get", "/in/a.txt", &format!("{marked}/")])
        .expect(0);
    assert!(binary.work().join("other/a.txt").exists());
}

#[test]
fn a_pattern_or_a_list_is_fetched_into_a_folder_however_many_files_it_has() {
    let (_service, binary) = with_files();
    binary.run(&["get", "/in/a*.txt", "one"]).expect(0);
    assert!(binary.work().join("one/a.txt").exists());
    binary.write("list", b"/in/b.txt\n");
    binary
        .run(&["get", "--from-file", "list", "-o", "two"])
        .expect(0);
    assert!(binary.work().join("two/b.txt").exists());
}

// The renamed file is still one of the source.
#[test]
fn a_folder_whose_files_were_all_renamed_is_not_empty() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("tree/old.txt", b"the same");
    binary.write("tree/gone.txt", b"gone");
    binary.run(&["sync", "tree", "/tree"]).expect(0);
    let tree = binary.work().join("tree");
    std::fs::rename(tree.join("old.txt"), tree.join("new.txt")).unwrap();
    std::fs::remove_file(tree.join("gone.txt")).unwrap();
    binary.run(&["sync", "tree", "/tree", "--delete"]).expect(0);
    assert_eq!(names(&binary, "/tree"), "new.txt\n");
}

#[test]
fn what_is_in_a_folder_to_delete_goes_with_it_wherever_it_is_named() {
    let (_service, binary) = with_files();
    let items = ["rm", "--yes", "/in/a.txt", "/in", "/in/", "/in/*"];
    let run = binary.run(&items).expect(0);
    assert_eq!(run.stdout, "/in/\n");
    binary.run(&["stat", "/in"]).expect(4);
}

#[rstest]
#[case::stop("stop")]
#[case::skip("skip")]
#[case::replace("replace")]
fn two_downloads_for_one_name_are_refused_unless_both_are_kept(#[case] rule: &str) {
    let (_service, binary) = with_files();
    binary.write("other/a.txt", b"another");
    binary.run(&["put", "other", "/"]).expect(0);
    let both = ["get", "/in/a.txt", "/other/a.txt", "-o", "out/"];
    let run = binary.run(&[&both[..], &["--on-clash", rule]].concat());
    let run = run.expect(7);
    for name in ["/in/a.txt", "/other/a.txt", "would have the same name"] {
        assert!(run.stderr.contains(name), "{}", run.stderr);
    }
    assert!(!binary.work().join("out/a.txt").exists());
    binary.run(&both).expect(0);
    assert!(binary.work().join("out/a (1).txt").exists());
}

#[test]
fn a_file_and_a_folder_of_one_name_are_not_synced() {
    let (_service, binary) = with_files();
    binary.run(&["mkdir", "/in/a.txt"]).expect(0);
    for options in [&["--dry-run"][..], &[], &["--delete"]] {
        let run = binary.run(&[&["sync", "/in", "./down"][..], options].concat());
        assert_ne!(run.code, 0);
        let why = "a.txt: a file and a folder have this name";
        let shown = run.stdout + &run.stderr;
        assert!(shown.contains(why), "{shown}");
        assert!(!binary.work().join("down/a.txt").exists());
    }
    assert!(binary.work().join("down/b.txt").exists());
}

#[test]
fn a_replacement_gets_the_level_that_was_asked_for_and_no_other() {
    let (_service, binary) = with_files();
    let set = ["set", "--access", "public", "/in/a.txt", "/in/b.txt"];
    binary.run(&set).expect(0);
    binary.write("in/a.txt", b"secret");
    binary.write("in/b.txt", b"news");
    let put = |name: &str, options: &[&str]| {
        let words = ["put", name, "/in/", "--on-clash", "replace"];
        binary.run(&[&words[..], options].concat()).expect(0)
    };
    put("in/a.txt", &["--access", "private"]);
    let run = put("in/b.txt", &["--expires", "30d"]);
    assert!(
        run.stderr.contains("keep the time of expiry"),
        "{}",
        run.stderr
    );
    let level = |path: &str| {
        let stat = binary.run(&["stat", path, "--json"]).expect(0);
        stat.json_lines().remove(0)["access"].clone()
    };
    assert_eq!(level("/in/a.txt"), "PRIVATE");
    assert_eq!(level("/in/b.txt"), "PUBLIC_INDEXABLE");
}
