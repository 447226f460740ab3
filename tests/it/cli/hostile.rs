//! Downloads from a malicious service: names that lead elsewhere, and bytes that do not belong to
//! the file.

use std::path::Path;
use std::time::Duration;

use rstest::rstest;
use serde_json::json;
use walkdir::WalkDir;

use super::binary::{Binary, Run, Service, names};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

/// Names that would leave the folder, are not valid names, or collide with another one.
const NAMES: [&str; 14] = [
    "../x",
    "/etc/x",
    "a/../../x",
    "..",
    ".",
    "",
    "C:\\x",
    "..\\x",
    "a\0b",
    "a\u{1b}[2Jb",
    "Same",
    "same",
    COMPOSED,
    DECOMPOSED,
];

/// One name in two encodings.
const COMPOSED: &str = "caf\u{e9}";
const DECOMPOSED: &str = "cafe\u{301}";

/// Far more than any of these commands takes.
const LIMIT: Duration = Duration::from_secs(30);

/// A service with a file for each of the names in `/box`, and the binary behind a proxy with this
/// fault.
fn behind(calls: Calls, fault: Fault) -> (Service, Binary, Proxy) {
    with(
        (0..NAMES.len()).map(|number| format!("{number:02}.txt")),
        calls,
        fault,
    )
}

fn with(
    files: impl IntoIterator<Item = String>,
    calls: Calls,
    fault: Fault,
) -> (Service, Binary, Proxy) {
    let service = Service::start();
    let binary = Binary::on(&service);
    for file in files {
        let path = binary.work().join("box").join(&file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("content of {file}")).unwrap();
    }
    binary.run(&["put", "box", "/"]).expect(0);
    std::fs::remove_dir_all(binary.work().join("box")).unwrap();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    proxy.rules(vec![Rule::new(calls, Which::All, fault)]);
    let binary = binary.env("FILEDECK_BASE_URL", proxy.url.as_str());
    (service, binary, proxy)
}

fn files(folder: &Path) -> Vec<String> {
    let entries = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap);
    entries
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().display().to_string())
        .collect()
}

#[rstest]
#[case::get(&["get", "/box", "-o", "down"], 0, NAMES.len())]
#[case::sync(&["sync", "/box", "down"], 0, NAMES.len())]
fn a_name_from_the_service_puts_nothing_outside_the_folder(
    #[case] words: &[&str],
    #[case] code: i32,
    #[case] expected: usize,
) {
    let rename = Fault::edited(|_, page| {
        for file in page["results"].as_array_mut().unwrap() {
            let number: usize = file["name"].as_str().unwrap().parse().unwrap();
            // Without an extension, which would turn `..` into an ordinary name.
            (file["name"], file["extension"]) = (NAMES[number].into(), "".into());
            file["path"] = format!("/box/{}", NAMES[number]).into();
        }
    });
    let (_service, binary, _proxy) = behind(Calls::to("GET", "/files/v3/files/search"), rename);
    let (run, kept) = into_down(&binary, words);
    assert_eq!((run.code, kept.len()), (code, expected), "{run:?}");
}

/// Runs a command that may write into `down`, and nowhere else; returns the files that are there
/// afterwards.
#[track_caller]
fn into_down(binary: &Binary, words: &[&str]) -> (Run, Vec<String>) {
    std::fs::create_dir(binary.work().join("down")).unwrap();
    let run = binary.run_within(LIMIT, words);
    assert_eq!(names(&binary.work()), ["down"], "{run:?}");
    let inside = binary.work().join("down").display().to_string();
    let state = binary.home.path().join("state").display().to_string();
    let (kept, others): (Vec<String>, _) = files(binary.home.path())
        .into_iter()
        .partition(|file| file.starts_with(&inside));
    let outside: Vec<String> = others
        .into_iter()
        .filter(|file| !file.starts_with(&state))
        .collect();
    assert_eq!(outside, [""; 0], "{run:?}");
    assert!(
        !run.stdout.contains(['\u{1b}', '\0']) && !run.stderr.contains(['\u{1b}', '\0']),
        "{run:?}"
    );
    let below = |file: String| file.strip_prefix(&inside).unwrap().to_owned();
    (run, kept.into_iter().map(below).collect())
}

/// Names of folders, each of which holds a file `f.txt`.
const FOLDERS: [&str; 7] = ["..", ".", "../../x", "/etc", "a\0b", COMPOSED, DECOMPOSED];

#[rstest]
#[case::get(&["get", "/box", "-o", "down"], "/box")]
#[case::sync(&["sync", "/box", "down"], "")]
fn a_folder_from_the_service_is_made_nowhere_else(#[case] words: &[&str], #[case] top: &str) {
    let rename = Fault::edited(|_, page| {
        for folder in page["results"].as_array_mut().unwrap() {
            if let Ok(number) = folder["name"].as_str().unwrap().parse::<usize>() {
                folder["name"] = FOLDERS[number].into();
                folder["path"] = format!("/box/{}", FOLDERS[number]).into();
            }
        }
    });
    let files = (0..FOLDERS.len()).map(|number| format!("{number}/f.txt"));
    let (_service, binary, _proxy) =
        with(files, Calls::to("GET", "/files/v3/folders/search"), rename);
    let (run, mut kept) = into_down(&binary, words);
    kept.sort();
    let folders = [
        "‛..",
        "‛.",
        "..／..／x",
        "／etc",
        "a‛␀b",
        COMPOSED,
        DECOMPOSED,
    ];
    let mut expected = folders.map(|folder| format!("{top}/{folder}/f.txt"));
    expected.sort();
    assert_eq!((run.code, kept), (0, expected.to_vec()), "{run:?}");
}

#[rstest]
#[case::get(&["get", "/box", "-o", "down"], 1)]
#[case::get_of_a_pattern(&["get", "/box/**", "-o", "down"], 1)]
#[case::sync(&["sync", "/box", "down"], 1)]
#[case::tree(&["tree", "/box"], 0)]
#[case::tree_of_folders(&["tree", "/box", "--dirs-only"], 0)]
#[case::du(&["du", "/box"], 0)]
#[case::du_of_each(&["du", "/box", "--depth", "9999"], 0)]
#[case::ls(&["ls", "/box/**"], 0)]
#[case::rm(&["rm", "/box", "--yes"], 0)]
fn a_folder_within_itself_has_an_end(#[case] words: &[&str], #[case] expected: usize) {
    // `/box/0` contains itself, and its parent.
    let turn = Fault::edited(|seen, page| {
        let known = seen.target.contains("parentFolderIds");
        let found = page["results"].as_array_mut().unwrap();
        if known && found.is_empty() {
            for id in seen.query("parentFolderIds") {
                found.push(json!({
                    "id": id, "parentFolderId": id, "name": "again", "path": "/box/0/again", "archived": false,
                    "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z",
                }));
            }
        }
    });
    let (_service, binary, _proxy) = with(
        ["0/f.txt".to_owned()],
        Calls::to("GET", "/files/v3/folders/search"),
        turn,
    );
    let (run, kept) = into_down(&binary, words);
    assert_eq!((run.code, kept.len()), (0, expected), "{run:?}");
    assert!(
        run.stdout.matches("f.txt").count() <= 1,
        "nothing is told twice: {run:?}"
    );
}

#[rstest]
#[case::get(&["get", "/box", "-o", "down"], "down/box")]
#[case::sync(&["sync", "/box", "down"], "down")]
fn flipped_bytes_of_the_right_length_never_get_the_name_of_the_file(
    #[case] words: &[&str],
    #[case] folder: &str,
) {
    let flip = Fault::changed(|seen, answer| {
        if answer.body.starts_with(b"content of 03") {
            assert_eq!(seen.method, "GET");
            answer.body[0] ^= 1;
        }
    });
    let (_service, binary, _proxy) = behind(Calls::all(), flip);
    std::fs::create_dir(binary.work().join("down")).unwrap();
    let run = binary.run(words).expect(5);
    let there = names(&binary.work().join(folder));
    assert_eq!(there.len(), NAMES.len() - 1, "{there:?} {run:?}");
    assert!(!there.contains(&"03.txt".to_owned()), "{there:?}");
}
