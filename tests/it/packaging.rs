//! The files for operators and for releases: their commands exist, and what they share agrees.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use filedeck::cli::arguments::Arguments;

use crate::cli::help::shell_words;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Returns the items of the YAML list after each line that is this key.
fn lists<'a>(yaml: &'a str, key: &str) -> Vec<Vec<&'a str>> {
    let lines: Vec<&str> = yaml.lines().map(str::trim).collect();
    let after = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| **line == key)
        .map(|(at, _)| &lines[at + 1..]);
    after
        .map(|lines| {
            lines
                .iter()
                .map_while(|line| line.strip_prefix("- "))
                .collect()
        })
        .collect()
}

#[test]
fn the_arguments_of_the_units_are_read() {
    for unit in ["filedeck.service", "filedeck@.service"] {
        let unit = file(&format!("packaging/service/{unit}")).replace("%i", "1");
        let call = unit
            .lines()
            .find_map(|line| line.strip_prefix("ExecStart=/usr/bin/"))
            .unwrap();
        Arguments::read(shell_words(call)).unwrap();
    }
}

#[test]
fn the_units_have_the_same_limits() {
    let limits = |unit: &str| {
        let unit = file(&format!("packaging/service/{unit}"));
        unit.split_once("\n# The rest is the same in")
            .unwrap()
            .1
            .to_owned()
    };
    assert_eq!(limits("filedeck.service"), limits("filedeck@.service"));
}

#[test]
fn the_arguments_of_the_containers_are_read() {
    let image = file("packaging/Containerfile");
    let words = |instruction: &str| {
        let words = image
            .lines()
            .find_map(|line| line.strip_prefix(instruction))
            .unwrap();
        serde_json::from_str::<Vec<String>>(words).unwrap()
    };
    let call: Vec<OsString> = [words("ENTRYPOINT "), words("CMD ")]
        .concat()
        .into_iter()
        .map(Into::into)
        .collect();
    Arguments::read(call).unwrap();
    for (name, containers) in [("compose.yaml", 1), ("compose.shared.yaml", 2)] {
        let compose = file(&format!("packaging/service/{name}"));
        let entrypoint = lists(&compose, "entrypoint:").concat();
        assert_eq!(entrypoint[..2], ["filedeck", "serve"], "{name}");
        let commands = lists(&compose, "command:");
        assert_eq!(commands.len(), containers, "{name}");
        for command in commands {
            Arguments::read(
                entrypoint
                    .iter()
                    .chain(&command)
                    .map(OsString::from)
                    .collect::<Vec<_>>(),
            )
            .unwrap();
        }
    }
}

/// Checks that no tag can move to another commit: `uses: actions/checkout@COMMIT # v6.0.2`.
#[test]
fn every_action_is_pinned_by_its_commit() {
    let is_pinned = |action: &str| {
        let (commit, version) = action.split_once('@')?.1.split_once(" # v")?;
        let is_commit = commit.len() == 40
            && commit
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_version = version.split('.').count() == 3
            && version.split('.').all(|part| part.parse::<u32>().is_ok());
        (is_commit && is_version).then_some(())
    };
    let (mut pinned, mut wrong) = (0, Vec::new());
    let workflows = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows");
    for workflow in fs::read_dir(workflows).unwrap() {
        let path = workflow.unwrap().path();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let Some((_, action)) = line.split_once("uses:") else {
                continue;
            };
            match is_pinned(action.trim()) {
                Some(()) => pinned += 1,
                None => wrong.push(format!("{}: {}", path.display(), action.trim())),
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(pinned > 15, "{pinned}");
}
