//! `sync` of random folders with random options against a model: it does what its dry run said,
//! and nothing else changes on either side.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use md5::{Digest as _, Md5};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use walkdir::WalkDir;

use super::binary::{Binary, Run, Service};
use super::disk::works;
use super::unreadable::{WITHOUT_RIGHTS, is_at_or_below};

/// Names that are files in some trees and folders in others, that differ in case or need quotes,
/// and that begin with a dot or a dash.
const PATHS: [&str; 14] = [
    "a.txt",
    "A.txt",
    "b.md",
    "d",
    "d/a.txt",
    "d/e/a.txt",
    "d/e/f.txt",
    "n/a.txt",
    "n/e/f.txt",
    "n",
    ".hidden/x.txt",
    "-x y.txt",
    "Gr\u{f6}\u{df}e.txt",
    "empty/",
];

/// Few, so that files on both sides often have the same bytes, and some have none.
const CONTENTS: [&str; 7] = ["", "1", "2", "3", "three", "seven", "eleven"];

/// The files of a tree with their contents, and its folders with `None`.
type Tree = BTreeMap<String, Option<String>>;

/// An entry of the local folder that cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Oddity {
    Link,
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
    /// From another folder of the account, which has the local files.
    Between,
}

#[derive(Debug, Clone)]
struct Case {
    local: Tree,
    remote: Tree,
    oddity: Option<(usize, Oddity)>,
    direction: Direction,
    options: Vec<&'static str>,
}

impl Case {
    fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }
}

const DELETE: &str = "--delete";
const NO_RENAMES: &str = "--no-renames";
const SKIP: &str = "--on-clash=skip";
const EXCLUDE: &str = "--exclude=*.md";

fn trees() -> impl Strategy<Value = Tree> {
    let entry = (0..PATHS.len(), 0..CONTENTS.len());
    proptest::collection::vec(entry, 0..9).prop_map(|entries| {
        let mut tree = Tree::new();
        for (path, content) in entries {
            add(&mut tree, PATHS[path], Some(CONTENTS[content].to_owned()));
        }
        tree
    })
}

/// Adds an entry with the folders above it, unless something there has its name.
fn add(tree: &mut Tree, path: &str, content: Option<String>) {
    let (own, is_folder) = (path.trim_end_matches('/'), path.ends_with('/'));
    let is_taken = |(known, content): (&String, &Option<String>)| {
        is_at_or_below(known, own) || content.is_some() && is_at_or_below(own, known)
    };
    if tree.iter().any(is_taken) {
        return;
    }
    for folder in above(own) {
        tree.insert(folder.to_owned(), None);
    }
    tree.insert(own.to_owned(), content.filter(|_| !is_folder));
}

fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

/// Gives the entries at some paths, with what is in them, other paths that are free; copies keep
/// the first one, too.
fn renamed(tree: &Tree, renames: &[(usize, usize, bool)]) -> Tree {
    let mut now = tree.clone();
    for (from, to, is_copy) in renames {
        let Some(from) = now.keys().nth(from % now.len().max(1)).cloned() else {
            break;
        };
        let to = PATHS[*to].trim_end_matches('/');
        let is_meant = |path: &str| is_at_or_below(path, &from);
        if now.keys().any(|path| is_at_or_below(path, to)) || is_meant(to) {
            continue;
        }
        let before = now.clone();
        let moved: Tree = now.extract_if(.., |path, _| is_meant(path)).collect();
        if *is_copy {
            now = before;
        }
        for (path, content) in moved {
            let slash = if content.is_none() { "/" } else { "" };
            add(
                &mut now,
                &format!("{to}{}{slash}", path.strip_prefix(&*from).unwrap()),
                content,
            );
        }
    }
    now
}

fn cases() -> impl Strategy<Value = Case> {
    let likely = proptest::bool::weighted;
    let oddity = prop_oneof![
        4 => Just(None),
        1 => (0..PATHS.len()).prop_map(|at| Some((at, Oddity::Link))),
        2 => (0..PATHS.len()).prop_map(|at| Some((at, Oddity::Unreadable))),
    ];
    let rename = (0..PATHS.len(), 0..PATHS.len(), likely(0.3));
    let locals = (
        trees(),
        proptest::option::weighted(0.7, proptest::collection::vec(rename, 0..6)),
    );
    let options = [
        (DELETE, 0.7),
        (NO_RENAMES, 0.2),
        (SKIP, 0.2),
        (EXCLUDE, 0.2),
    ];
    let options = options.map(|(option, chance)| proptest::option::weighted(chance, Just(option)));
    let direction = prop_oneof![
        3 => Just(Direction::Up),
        2 => Just(Direction::Down),
        2 => Just(Direction::Between),
    ];
    (locals, trees(), oddity, direction, options).prop_map(
        |((other, renames), remote, oddity, direction, options)| {
            let mut options: Vec<_> = options.into_iter().flatten().collect();
            // Renames are an option of deletions.
            if !options.contains(&DELETE) {
                options.retain(|option| *option != NO_RENAMES);
            }
            Case {
                // Most are the other side after some renames.
                local: renames.map_or(other, |renames| renamed(&remote, &renames)),
                remote,
                oddity: oddity.filter(|_| direction != Direction::Between),
                direction,
                options,
            }
        },
    )
}

fn write(top: &Path, tree: &Tree) {
    fs::create_dir_all(top).unwrap();
    for (path, content) in tree {
        match content {
            None => fs::create_dir_all(top.join(path)).unwrap(),
            Some(content) => fs::write(top.join(path), content).unwrap(),
        }
    }
}

/// Reads a local tree without following links, which are left out.
fn local(top: &Path) -> Tree {
    let below = WalkDir::new(top)
        .min_depth(1)
        .into_iter()
        .map(Result::unwrap);
    below
        .filter(|entry| !entry.path_is_symlink())
        .map(|entry| {
            let path = entry.path().strip_prefix(top).unwrap().to_str().unwrap();
            let content = entry
                .file_type()
                .is_file()
                .then(|| fs::read_to_string(entry.path()).unwrap());
            (path.to_owned(), content)
        })
        .collect()
}

/// Reads a folder of the account, and the ids in it by path. A content is known by its MD5.
fn remote(binary: &Binary, top: &str) -> (Tree, BTreeMap<String, String>) {
    let (mut tree, mut ids) = (Tree::new(), BTreeMap::new());
    for line in binary.run(&["tree", top, "--json"]).expect(0).json_lines() {
        let path = line["path"].as_str().unwrap();
        let path = path.strip_prefix(&format!("{top}/")).unwrap().to_owned();
        let content = line.get("fileMd5").map(|md5| {
            let has_md5 = |content: &&str| *md5 == hex::encode(Md5::digest(content));
            (*CONTENTS.iter().find(|content| has_md5(content)).unwrap()).to_owned()
        });
        ids.insert(path.clone(), line["id"].as_str().unwrap().to_owned());
        tree.insert(path, content);
    }
    (tree, ids)
}

/// A step as the command prints it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    action: String,
    path: String,
    from: Option<String>,
}

fn lines(run: &Run) -> BTreeSet<Line> {
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let all = run.json_lines();
    let steps = all
        .iter()
        .filter(|line| line["action"].is_string() && line["action"] != "leave-out");
    steps
        .map(|line| Line {
            action: text(&line["action"]).unwrap(),
            path: text(&line["path"]).unwrap(),
            from: text(&line["from"]),
        })
        .collect()
}

/// Applies steps to the side that is changed: moves first, as the command does.
fn apply(steps: &BTreeSet<Line>, source: &Tree, target: &mut Tree) {
    let by_action = |action: &'static str| steps.iter().filter(move |step| step.action == action);
    let make_above = |tree: &mut Tree, path: &str| {
        for folder in above(path) {
            tree.entry(folder.to_owned()).or_insert(None);
        }
    };
    for step in by_action("move") {
        let from = step.from.as_deref().unwrap().trim_end_matches('/');
        let to = step.path.trim_end_matches('/');
        let moved: Vec<String> = target
            .keys()
            .filter(|path| is_at_or_below(path, from))
            .cloned()
            .collect();
        make_above(target, to);
        for path in moved {
            let content = target.remove(&path).unwrap();
            target.insert(format!("{to}{}", path.strip_prefix(from).unwrap()), content);
        }
    }
    for step in by_action("create").chain(by_action("replace")) {
        make_above(target, &step.path);
        target.insert(step.path.clone(), source[&step.path].clone());
    }
    for step in by_action("create-folder") {
        let path = step.path.trim_end_matches('/');
        make_above(target, &step.path);
        target.insert(path.to_owned(), None);
    }
    for step in by_action("delete") {
        let path = step.path.trim_end_matches('/');
        target.retain(|known, _| !is_at_or_below(known, path));
    }
}

fn files(tree: &Tree) -> BTreeMap<&String, &String> {
    let files = tree.iter();
    files
        .filter_map(|(path, content)| Some((path, content.as_ref()?)))
        .collect()
}

fn is_excluded(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|found| found == "md")
}

/// Returns the number of files with a content that only this tree has at their paths.
fn alone(tree: &Tree, other: &Tree, content: &str, excludes: bool) -> usize {
    let is_meant = |(path, own): &(&String, &String)| {
        *own == content && !other.contains_key(*path) && !(excludes && is_excluded(path))
    };
    files(tree).into_iter().filter(is_meant).count()
}

/// Stores the local folder, which has this tree, as a folder of the account.
fn store(binary: &Binary, tree: &Tree, path: &str) {
    binary.run(&["mkdir", path]).expect(0);
    if !tree.is_empty() {
        binary.run(&["sync", "site", path]).expect(0);
    }
}

fn id_of(binary: &Binary, path: &str) -> String {
    let stat = binary.run(&["stat", path, "--json"]).expect(0).json_lines();
    format!("id:{}", stat[0]["id"].as_str().unwrap())
}

/// Seen to fail when a rename needs no bytes of its own, when what is left out covers nothing, and
/// when a skipped file is replaced.
#[test]
fn a_sync_does_what_its_dry_run_said_and_changes_nothing_else() {
    if !works(&[&WITHOUT_RIGHTS[..], &["true"]].concat()) {
        return;
    }
    let service = Service::start();
    let binary = Binary::on(&service);
    let (number, site, seed) = (
        Cell::new(0),
        binary.work().join("site"),
        binary.work().join("seed"),
    );
    let moves = Cell::new(0);
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config {
        cases: 80,
        failure_persistence: None,
        ..Config::default()
    };
    let ended = TestRunner::new_with_rng(config, rng).run(&cases(), |case| {
        let web = format!("/web{}", number.replace(number.get() + 1));
        binary.run(&["mkdir", &web]).expect(0);
        write(&seed, &case.remote);
        if !case.remote.is_empty() {
            binary.run(&["sync", "seed", &web]).expect(0);
        }
        fs::remove_dir_all(&seed).unwrap();
        write(&site, &case.local);
        let odd = case.oddity.map(|(at, oddity)| {
            let known: Vec<&str> = case.local.keys().map(String::as_str).collect();
            let path = match oddity {
                Oddity::Unreadable if !known.is_empty() => known[at % known.len()],
                _ => PATHS[at].trim_end_matches('/'),
            };
            (path, site.join(path), oddity)
        });
        if let Some((_, at, oddity)) = &odd {
            match oddity {
                Oddity::Link if at.parent().unwrap().is_dir() && !at.exists() => {
                    std::os::unix::fs::symlink("nowhere", at).unwrap();
                }
                Oddity::Unreadable if at.exists() => {
                    fs::set_permissions(at, fs::Permissions::from_mode(0o000)).unwrap();
                }
                _ => {}
            }
        }
        let (remote_before, ids_before) = remote(&binary, &web);
        let from = format!("{web}-from");
        let [from_id, web_id] = if case.direction == Direction::Between {
            store(&binary, &case.local, &from);
            [&from, &web].map(|path| id_of(&binary, path))
        } else {
            Default::default()
        };
        let mut words = match case.direction {
            Direction::Up => vec!["sync", "site", &web, "--json"],
            Direction::Down => vec!["sync", &web, "site", "--json"],
            Direction::Between => vec!["sync", &from_id, &web_id, "--json"],
        };
        words.extend(&case.options);
        let planned = binary.run_under(&WITHOUT_RIGHTS, &[&words[..], &["--dry-run"]].concat());
        let run = binary.run_under(&WITHOUT_RIGHTS, &words);
        let (remote_after, ids_after) = remote(&binary, &web);
        if let Some((_, at, Oddity::Unreadable)) = &odd
            && at.exists()
        {
            fs::set_permissions(at, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let local_after = if case.direction == Direction::Between {
            remote(&binary, &from).0
        } else {
            local(&site)
        };
        fs::remove_dir_all(&site).unwrap();

        let run_in_words = format!("{words:?}\n{case:#?}\n{planned:#?}\n{run:#?}");
        let (steps, done) = (lines(&planned), lines(&run));
        prop_assert!(done.is_subset(&steps), "{}", &run_in_words);
        let feasible: BTreeSet<Line> = steps
            .iter()
            .filter(|step| step.action != "clash")
            .cloned()
            .collect();
        if run.code == 0 {
            prop_assert_eq!(&done, &feasible, "{}", &run_in_words);
        }
        let is_up = case.direction != Direction::Down;
        let (source, target, source_after, target_after) = if is_up {
            (&case.local, &remote_before, &local_after, &remote_after)
        } else {
            (&remote_before, &case.local, &remote_after, &local_after)
        };
        prop_assert_eq!(files(source), files(source_after), "{}", &run_in_words);
        let mut expected = target.clone();
        apply(&done, source, &mut expected);
        prop_assert_eq!(files(&expected), files(target_after), "{}", &run_in_words);
        // An emptied local folder may go with its last file.
        if is_up {
            prop_assert_eq!(&expected, target_after, "{}", &run_in_words);
        }
        for step in &done {
            let is_kept = |path: &str| {
                let is_unread = odd.as_ref().is_some_and(|(odd, _, oddity)| {
                    *oddity == Oddity::Unreadable
                        && case.local.contains_key(*odd)
                        && is_at_or_below(path, odd)
                });
                is_unread || case.has(EXCLUDE) && is_excluded(path)
            };
            let is_named = |path: &str| !is_kept(path.trim_end_matches('/'));
            prop_assert!(is_named(&step.path), "{:?} {}", step, &run_in_words);
            prop_assert!(
                case.has(DELETE) || !["delete", "move"].contains(&step.action.as_str()),
                "{:?} {}",
                step,
                &run_in_words
            );
            prop_assert!(
                !case.has(SKIP) || step.action != "replace",
                "{}",
                &run_in_words
            );
            if step.action == "move" {
                moves.set(moves.get() + 1);
                prop_assert!(!case.has(NO_RENAMES), "{}", &run_in_words);
                let from = step.from.as_deref().unwrap().trim_end_matches('/');
                let to = step.path.trim_end_matches('/');
                prop_assert_eq!(ids_before.get(from), ids_after.get(to), "{}", &run_in_words);
                for (path, content) in files(target) {
                    if odd.is_none() && steps == feasible && is_at_or_below(path, from) {
                        let gone = alone(target, source, content, case.has(EXCLUDE));
                        let new = alone(source, target, content, case.has(EXCLUDE));
                        let is_proof = (gone, new, content.is_empty()) == (1, 1, false);
                        prop_assert!(is_proof, "{:?} {}", step, &run_in_words);
                    }
                }
            }
            if step.action == "replace" && is_up {
                prop_assert_eq!(
                    &ids_before[&step.path],
                    &ids_after[&step.path],
                    "{}",
                    &run_in_words
                );
            }
        }
        if run.code == 0
            && case.has(DELETE)
            && odd.is_none()
            && !case.has(SKIP)
            && !case.has(EXCLUDE)
        {
            prop_assert_eq!(files(source), files(target_after), "{}", &run_in_words);
        }
        Ok(())
    });
    ended.unwrap();
    assert!(moves.get() > 0, "no case had a rename");
}
