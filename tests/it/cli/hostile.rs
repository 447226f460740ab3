//! Downloads from a service that means harm: names that lead elsewhere, and bytes that are not those of the file.

use std::path::Path;

use rstest::rstest;
use walkdir::WalkDir;

use super::binary::{Binary, Service, names};
use crate::support::proxy::{Calls, Fault, Proxy, Rule, Which};

/// Names that would leave the folder, be no name at all, or fall together with another one.
const NAMES: [&str; 12] =
    ["../x", "/etc/x", "a/../../x", "..", ".", "", "C:\\x", "..\\x", "a\0b", "a\u{1b}[2Jb", "Same", "same"];

/// A service with a file for each of these in `/box`, and the binary behind a proxy that does this to answers.
fn behind(calls: Calls, fault: Fault) -> (Service, Binary, Proxy) {
    let service = Service::start();
    let binary = Binary::on(&service);
    std::fs::create_dir(binary.work().join("box")).unwrap();
    for number in 0..NAMES.len() {
        binary.write(&format!("box/{number:02}.txt"), format!("content of {number:02}").as_bytes());
    }
    binary.run(&["put", "box", "/"]).expect(0);
    std::fs::remove_dir_all(binary.work().join("box")).unwrap();
    let proxy = service.block_on(Proxy::start(service.base_url().parse().unwrap()));
    proxy.rules(vec![Rule::new(calls, Which::All, fault)]);
    let binary = binary.env("FILEDECK_BASE_URL", proxy.url.as_str());
    (service, binary, proxy)
}

/// All files of a folder, at any depth.
fn files(folder: &Path) -> Vec<String> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().is_file()).map(|entry| entry.path().display().to_string()).collect()
}

#[rstest]
// All are kept, two of them under a name with a number.
#[case::get(&["get", "/box", "-o", "down"], 0, NAMES.len())]
// Where two have one name here, nothing says which one is to be compared.
#[case::sync(&["sync", "/box", "down"], 5, NAMES.len() - 2)]
fn a_name_from_the_service_puts_nothing_outside_the_folder(
    #[case] words: &[&str],
    #[case] code: i32,
    #[case] expected: usize,
) {
    let rename = Fault::edited(|_, page| {
        for file in page["results"].as_array_mut().unwrap() {
            let number: usize = file["name"].as_str().unwrap().parse().unwrap();
            file["name"] = NAMES[number].into();
            file["path"] = format!("/box/{}.txt", NAMES[number]).into();
        }
    });
    let (_service, binary, _proxy) = behind(Calls::to("GET", "/files/v3/files/search"), rename);
    std::fs::create_dir(binary.work().join("down")).unwrap();
    let run = binary.run(words);
    assert_eq!(names(&binary.work()), ["down"], "{run:?}");
    let inside = binary.work().join("down").display().to_string();
    let state = binary.home.path().join("state").display().to_string();
    let outside: Vec<String> = files(binary.home.path())
        .into_iter()
        .filter(|file| !file.starts_with(&inside) && !file.starts_with(&state))
        .collect();
    assert_eq!(outside, [""; 0], "{run:?}");
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{run:?}");
    let kept = files(&binary.work().join("down")).len();
    assert_eq!((run.code, kept), (code, expected), "{run:?}");
}

#[rstest]
#[case::get(&["get", "/box", "-o", "down"], "down/box")]
#[case::sync(&["sync", "/box", "down"], "down")]
fn flipped_bytes_of_the_right_length_never_get_the_name_of_the_file(#[case] words: &[&str], #[case] folder: &str) {
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
