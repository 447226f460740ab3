//! A path that was printed or typed names exactly that file: names that look like patterns, escapes
//! or options work as output and as arguments of every command.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rstest::rstest;

use super::binary::{Binary, Service};
use crate::support::random::Random;

/// Letters with a special meaning to shells, patterns, URLs or people.
const ODD: [&str; 17] = [
    "[ab]", "[!a]", "{a,b}", "*", "**", "?", "\\", "\\*", "\\[", "-", " ", "%20", "'", "\"",
    "e\u{301}", "[", "}",
];

fn random_name(random: &mut Random) -> String {
    let mut name: String = (0..=random.below(3))
        .map(|_| ODD[random.below(ODD.len())])
        .collect();
    name.push_str(["a", "b", "ab", "1"][random.below(4)]);
    name + ".txt"
}

/// Other names that this one would match if it were read as a pattern or as escaped.
fn decoys(name: &str) -> Vec<String> {
    let unescaped = name.replace('\\', "");
    let class = ["[ab]", "[!a]", "{a,b}", "**", "*", "?"]
        .iter()
        .fold(name.to_owned(), |name, pattern| name.replace(pattern, "b"));
    vec![unescaped, class.replace('\\', ""), class]
}

/// The content of the folder's files, with their access, by path.
fn content(binary: &Binary, names: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let listed = binary.run(&["ls", "/x", "--json"]).expect(0).json_lines();
    listed
        .iter()
        .map(|file| {
            let path = file["path"].as_str().unwrap().to_owned();
            let known = names.get(&path).cloned().unwrap_or_default();
            (path, format!("{known}{}", file["access"]))
        })
        .collect()
}

#[test]
fn a_printed_path_is_that_file_for_every_command() {
    let service = Service::start();
    let binary = Binary::on(&service);
    let mut random = Random::seeded(48);
    let mut names: Vec<String> = ODD.iter().map(|odd| format!("{odd}q.txt")).collect();
    names.extend((0..6).map(|_| random_name(&mut random)));
    names.push("..x".to_owned());
    names.sort();
    names.dedup();
    let mut stored = BTreeMap::new();
    let folder = binary.work().join("x");
    fs::create_dir(&folder).unwrap();
    for name in names
        .iter()
        .cloned()
        .chain(names.iter().flat_map(|name| decoys(name)))
    {
        fs::write(folder.join(&name), format!("content of {name}")).unwrap();
        stored.insert(format!("/x/{name}"), format!("content of {name}"));
    }
    binary
        .run(&["put", "x", "/", "--access", "private", "--jobs", "8"])
        .expect(0);
    let printed: Vec<String> = binary
        .run(&["find", "in:/x", "is:file"])
        .stdout
        .lines()
        .map(str::to_owned)
        .collect();
    let listed: Vec<String> = binary
        .run(&["ls", "/x"])
        .expect(0)
        .stdout
        .lines()
        .map(|name| format!("/x/{name}"))
        .collect();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(
        sorted,
        stored.keys().cloned().collect::<Vec<_>>(),
        "ls prints the names as they are"
    );
    assert_eq!(
        printed.iter().collect::<BTreeSet<_>>(),
        stored.keys().collect(),
        "find prints each path"
    );
    fs::create_dir(binary.work().join("down")).unwrap();
    binary.write("new.txt", b"new content");
    for name in &names {
        let path = format!("/x/{name}");
        let before = content(&binary, &stored);
        for command in ["stat", "ls"] {
            let found = binary
                .run(&[command, &path, "--json"])
                .expect(0)
                .json_lines();
            assert_eq!(found.len(), 1, "{command} {path}");
            assert_eq!(found[0]["path"].as_str(), Some(path.as_str()), "{command}");
        }
        assert_eq!(binary.run(&["cat", &path]).expect(0).stdout, stored[&path]);
        let weight = binary
            .run(&["du", &path, "--json"])
            .expect(0)
            .json_lines()
            .remove(0);
        assert_eq!(weight["path"].as_str(), Some(path.as_str()));
        assert!(
            binary
                .run(&["tree", &path])
                .expect(0)
                .stdout
                .starts_with(&format!("{path}\n"))
        );
        let addressed = binary
            .run(&["url", &path, "--signed", "--json"])
            .expect(0)
            .json_lines()
            .remove(0);
        assert_eq!(addressed["path"].as_str(), Some(path.as_str()));
        let got = binary
            .run(&["get", &path, "--output", "down", "--json"])
            .expect(0)
            .json_lines()
            .remove(0);
        assert_eq!(got["path"].as_str(), Some(path.as_str()));

        binary.run(&["set", "--access", "public", &path]).expect(0);
        let mut expected = before.clone();
        let changed = format!("{}\"PUBLIC_INDEXABLE\"", stored[&path]);
        expected.insert(path.clone(), changed);
        assert_eq!(content(&binary, &stored), expected, "set {path}");
        binary.run(&["mv", &path, "/"]).expect(0);
        expected.remove(&path);
        assert_eq!(content(&binary, &stored), expected, "mv {path}");
        let moved = format!("/{name}");
        if name == "..x" {
            binary.run(&["mv", &moved, "/x/"]).expect(0);
        } else {
            binary.run(&["replace", "new.txt", &moved]).expect(0);
            assert_eq!(binary.run(&["cat", &moved]).expect(0).stdout, "new content");
            binary.run(&["mv", &moved, "/x/renamed.txt"]).expect(0);
            binary.run(&["mv", "/x/renamed.txt", &path]).expect(0);
        }
        assert!(content(&binary, &stored).contains_key(&path), "{path}");
        binary.run(&["rm", "--yes", &path]).expect(0);
        assert_eq!(content(&binary, &stored), expected, "rm {path}");
        let again = binary.run(&["rm", "--yes", "--literal", &path]).expect(4);
        assert!(
            !again.stderr.contains(&format!("did you mean {path}?")),
            "{}",
            again.stderr
        );
        assert_eq!(content(&binary, &stored), expected, "rm --literal {path}");
    }
}

#[test]
fn a_change_by_a_pattern_is_asked_about_and_refused_where_nobody_answers() {
    let (_service, binary) = super::binary::with_a_library();
    for words in [
        &["set", "--access", "public", "/box/*"][..],
        &["mv", "/box/deep/*", "/"],
        &["rm", "/box/*"],
    ] {
        let run = binary.run(words).expect(2);
        assert!(run.stderr.contains("--yes"), "{}", run.stderr);
    }
    let run = binary
        .run(&["set", "--access", "private", "/box/*"])
        .expect(2);
    assert!(run.stderr.contains("/box/* matches 2"), "{}", run.stderr);
    assert_eq!(binary.run(&["find", "access:public"]).expect(0).stdout, "");
    let changed = binary
        .run(&["set", "--access", "public", "/box/*", "--yes"])
        .expect(0);
    assert_eq!(changed.stdout.lines().count(), 2);
    binary.run(&["mv", "/box/deep/*", "/", "-y"]).expect(0);
    assert_eq!(binary.run(&["ls", "/box/deep"]).expect(0).stdout, "");
    binary
        .run(&["set", "--access", "public", "/box/one.txt"])
        .expect(0);
}

#[test]
fn a_name_that_begins_with_two_dots_is_taken_by_every_change() {
    let service = Service::start();
    let binary = Binary::on(&service);
    binary.write("..x", b"dots");
    binary.run(&["put", "..x", "/"]).expect(0);
    binary.run(&["mkdir", "/..folder"]).expect(0);
    binary.run(&["mv", "/..x", "/..folder/"]).expect(0);
    binary
        .run(&["mv", "/..folder/..x", "/..folder/y.x"])
        .expect(0);
    binary
        .run(&["mv", "/..folder/y.x", "/..folder/..x"])
        .expect(0);
    binary
        .run(&["set", "--access", "unlisted", "/..folder/..x"])
        .expect(0);
    binary.run(&["mv", "/..folder", "/..other"]).expect(0);
    assert_eq!(
        binary.run(&["cat", "/..other/..x"]).expect(0).stdout,
        "dots"
    );
}

/// Control characters in names come only from imports of other services: no call of the API creates
/// such names.
#[test]
fn names_with_control_characters_go_through_json_and_ids() {
    let binary = Binary::new();
    binary.write("a.txt", b"bell");
    binary.run(&["mkdir", "/c"]).expect(0);
    binary.run(&["put", "a.txt", "/c/"]).expect(0);
    let database = rusqlite::Connection::open(binary.store_dir().join("filedeck.db")).unwrap();
    let seeded = "UPDATE files SET stem = 'a' || char(7) || char(27) || '[2J', \
                  stem_folded = 'a' || char(7) || char(27) || '[2j', full_name = 'a' || char(7) || char(27) || '[2J.txt' WHERE full_name = 'a.txt'";
    assert_eq!(database.execute(seeded, []).unwrap(), 1);
    drop(database);
    let found = binary.run(&["ls", "/c", "--json"]).expect(0);
    assert!(!found.stdout.contains(['\u{7}', '\u{1b}']));
    let file = found.json_lines().remove(0);
    assert_eq!(file["path"].as_str(), Some("/c/a\u{7}\u{1b}[2J.txt"));
    let by_id = format!("id:{}", file["id"].as_str().unwrap());
    assert_eq!(binary.run(&["cat", &by_id]).expect(0).stdout, "bell");
    for command in ["stat", "du", "tree", "url", "get"] {
        let run = binary.run(&[command, &by_id]).expect(0);
        assert!(!run.stdout.contains(['\u{7}', '\u{1b}']), "{command}");
    }
    binary.run(&["rm", "--yes", &by_id]).expect(0);
    assert_eq!(binary.run(&["ls", "/c"]).expect(0).stdout, "");
}

#[rstest]
#[case::missing("missing", "No such file or directory")]
#[case::folder("folder", "is a folder")]
fn a_replacement_names_what_is_wrong_with_its_source(#[case] local: &str, #[case] why: &str) {
    let service = Service::start();
    let binary = Binary::on(&service);
    fs::create_dir(binary.work().join("folder")).unwrap();
    fs::write(binary.work().join("a.txt"), "a").unwrap();
    binary.run(&["put", "a.txt", "/"]).expect(0);
    let run = binary.run(&["replace", local, "/a.txt"]).expect(1);
    assert!(
        run.stderr.contains(local) && run.stderr.contains(why),
        "{}",
        run.stderr
    );
}
