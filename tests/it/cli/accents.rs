//! Names whose accents have a different form (NFC, NFD) on this machine than in the account: they
//! are the same name.

use std::collections::BTreeSet;
use std::fs;

use rstest::rstest;
use unicode_normalization::UnicodeNormalization as _;

use super::binary::{Binary, Service, names};
use crate::support::random::Random;

/// Letters with one mark and with several, and Hangul syllables, mixed with plain letters.
const LETTERS: [&str; 8] = [
    "\u{e9}", "\u{1ed9}", "\u{1e69}", "\u{d55c}", "\u{ae00}", "\u{304c}", "a", "b ",
];

const TWINS: &str = "differ by the encoding of their accents only";

fn random_name(random: &mut Random, number: usize) -> [String; 2] {
    let last = LETTERS[random.below(6)];
    let letters = (0..=random.below(3)).map(|_| LETTERS[random.below(LETTERS.len())]);
    let name: String = letters.chain([last]).collect::<String>() + &number.to_string();
    let forms = [name.nfc().collect(), name.nfd().collect()];
    if random.below(2) == 0 {
        forms
    } else {
        let [one, other] = forms;
        [other, one]
    }
}

fn write(binary: &Binary, path: &str, content: &str) {
    let path = binary.work().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The paths in the account, with ids and checksums.
fn stored(binary: &Binary) -> BTreeSet<(String, String, String)> {
    let all = binary.run(&["find", "in:/"]).expect(0);
    assert!(!all.stdout.is_empty());
    let all = binary
        .run(&["find", "in:/", "--json"])
        .expect(0)
        .json_lines();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    all.iter()
        .map(|entry| {
            (
                text(&entry["path"]),
                text(&entry["id"]),
                text(&entry["fileMd5"]),
            )
        })
        .collect()
}

/// `site/FOLDER/NAME.txt` in the account and on this machine, and the same in `mac` in the other
/// forms.
struct World {
    _service: Service,
    binary: Binary,
    folder: [String; 2],
    names: Vec<[String; 2]>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random::seeded(seed);
        let service = Service::start();
        let binary = Binary::on(&service);
        let folder = random_name(&mut random, 0);
        let names: Vec<[String; 2]> = (1..=5)
            .map(|number| random_name(&mut random, number))
            .collect();
        for [there, here] in &names {
            write(&binary, &format!("site/{}/{there}.txt", folder[0]), there);
            write(
                &binary,
                &format!("mac/site/{}/{here}.txt", folder[1]),
                there,
            );
        }
        binary.run(&["put", "site", "/"]).expect(0);
        Self {
            _service: service,
            binary,
            folder,
            names,
        }
    }

    /// The path in the account, and the same path in the other form.
    fn paths(&self, [there, here]: &[String; 2]) -> [String; 2] {
        let [stored, typed] = &self.folder;
        [
            format!("/site/{stored}/{there}.txt"),
            format!("/site/{typed}/{here}.txt"),
        ]
    }
}

#[rstest]
fn a_path_in_either_form_is_that_file(#[values(1, 2, 3)] seed: u64) {
    let world = World::new(seed);
    let binary = &world.binary;
    let lines = |words: &[&str]| -> BTreeSet<String> {
        binary
            .run(words)
            .expect(0)
            .stdout
            .lines()
            .map(str::to_owned)
            .collect()
    };
    let in_folder = format!("in:/site/{}", world.folder[1]);
    let all: BTreeSet<String> = world
        .names
        .iter()
        .map(|name| world.paths(name)[0].clone())
        .collect();
    assert_eq!(lines(&["find", &in_folder, "is:file"]), all);
    for name in &world.names {
        let [there, here] = world.paths(name);
        let only = BTreeSet::from([there.clone()]);
        for typed in [&there, &here] {
            for command in ["stat", "ls", "du"] {
                let found = binary
                    .run(&[command, typed, "--json"])
                    .expect(0)
                    .json_lines();
                assert_eq!(
                    found[0]["path"].as_str(),
                    Some(there.as_str()),
                    "{command} {typed:?}"
                );
            }
            assert_eq!(binary.run(&["cat", typed]).expect(0).stdout, name[0]);
            let like = format!("{}*.txt", typed.strip_suffix(".txt").unwrap());
            assert_eq!(
                binary
                    .run(&["stat", &like, "--json"])
                    .expect(0)
                    .json_lines()[0]["path"],
                there.as_str()
            );
        }
        for typed in name {
            assert_eq!(lines(&["find", typed, "ext:txt"]), only, "{typed:?}");
            assert_eq!(
                lines(&["find", &format!("{typed}.txt"), &in_folder]),
                only,
                "{typed:?}"
            );
        }
    }
    let [there, here] = world.paths(&world.names[0]);
    let got = binary
        .run(&["get", &here, "--json"])
        .expect(0)
        .json_lines()
        .remove(0);
    assert_eq!(got["path"], there.as_str());
    binary.run(&["rm", "--yes", &here]).expect(0);
    binary.run(&["stat", &here]).expect(4);
    assert_eq!(
        lines(&["find", &in_folder, "is:file"]).len(),
        world.names.len() - 1
    );
}

#[rstest]
fn what_stands_in_another_form_is_there_already(#[values(1, 2, 3)] seed: u64) {
    let world = World::new(seed);
    let binary = &world.binary;
    let before = stored(binary);
    let here = || names(&binary.work().join(format!("mac/site/{}", world.folder[1])));
    let files = here();
    binary.run(&["put", "mac/site", "/"]).expect(0);
    binary
        .run(&["put", "mac/site", "/", "--on-clash", "stop"])
        .expect(0);
    let again = binary.run(&["put", "mac/site", "/"]).expect(0).stdout;
    assert_eq!(again.lines().count(), files.len(), "each is named: {again}");
    assert_eq!(stored(binary), before, "nothing is sent twice");
    assert_eq!(
        binary
            .run(&["get", "/site", "--output", "mac"])
            .expect(0)
            .stdout,
        "",
        "nothing comes twice"
    );
    binary
        .run(&["get", "/site", "--output", "mac", "--on-clash", "replace"])
        .expect(0);
    assert_eq!(
        (here(), names(&binary.work().join("mac/site"))),
        (files.clone(), vec![world.folder[1].clone()])
    );

    let name = &world.names[1];
    let [path, typed] = world.paths(name);
    let own = format!("mac{typed}");
    write(binary, &own, "changed");
    write(
        binary,
        &format!("mac/site/{}/new.txt", world.folder[1]),
        "new",
    );
    binary
        .run(&["put", "mac/site", "/", "--on-clash", "replace"])
        .expect(0);
    assert_eq!(binary.run(&["cat", &path]).expect(0).stdout, "changed");
    let kept: BTreeSet<String> = before.iter().map(|(path, ..)| path.clone()).collect();
    let new = format!("/site/{}/new.txt", world.folder[0]);
    let after: BTreeSet<String> = stored(binary).into_iter().map(|(path, ..)| path).collect();
    assert_eq!(
        after,
        kept.into_iter().chain([new]).collect(),
        "names keep their form"
    );

    write(binary, &own, "changed here");
    binary.run(&["get", "/site", "--output", "mac"]).expect(0);
    assert_eq!(here().len(), files.len() + 2, "beside it, under a number");
    binary
        .run(&["get", "/site", "--output", "mac", "--on-clash", "replace"])
        .expect(0);
    assert_eq!(
        fs::read_to_string(binary.work().join(&own)).unwrap(),
        "changed"
    );
    binary
        .run(&[
            "put",
            "mac/site",
            "/ex/",
            "--exclude",
            &format!("{}.txt", name[0]),
        ])
        .expect(0);
    let sent = binary
        .run(&["find", &format!("{}.txt", name[0]), "in:/ex"])
        .expect(0)
        .stdout;
    assert_eq!(sent, "", "a pattern means both forms");
}

#[rstest]
fn names_that_differ_in_form_only_are_a_clash_and_the_exact_one_is_meant(
    #[values(1, 2, 3)] seed: u64,
) {
    let service = Service::start();
    let binary = Binary::on(&service);
    let [one, other] = random_name(&mut Random::seeded(seed), 1);
    for name in [&one, &other, &"plain".to_owned()] {
        write(&binary, &format!("twins/{name}"), name);
        write(&binary, &format!("folders/{name}/x.txt"), name);
    }
    fs::create_dir_all(binary.work().join(format!("empty/{one}/e"))).unwrap();
    fs::create_dir_all(binary.work().join(format!("empty/{other}/e"))).unwrap();
    let run = binary.run(&["sync", "empty", "/to/empty"]).expect(5);
    assert!(run.stderr.contains(TWINS), "{}", run.stderr);
    for (top, expected) in [
        ("twins", "/to/twins/plain\n"),
        ("folders", "/to/folders/plain/x.txt\n"),
    ] {
        let run = binary.run(&["put", top, "/to/"]).expect(5);
        assert_eq!(run.stderr.matches(TWINS).count(), 2, "{}", run.stderr);
        assert!(
            run.stderr.contains(&one) && run.stderr.contains(&other),
            "{}",
            run.stderr
        );
        assert_eq!(
            binary
                .run(&["find", &format!("in:/to/{top}"), "is:file"])
                .expect(0)
                .stdout,
            expected
        );
    }
    for (name, folder) in [(&one, "/both/"), (&other, "/apart/")] {
        binary
            .run(&["put", &format!("twins/{name}"), folder])
            .expect(0);
    }
    binary
        .run(&["mv", &format!("/apart/{other}"), "/both/"])
        .expect(0);
    for name in [&one, &other] {
        let path = format!("/both/{name}");
        assert_eq!(binary.run(&["cat", &path]).expect(0).stdout, *name);
        assert_eq!(
            binary
                .run(&["stat", &path, "--json"])
                .expect(0)
                .json_lines()[0]["path"],
            path.as_str()
        );
    }
    write(&binary, &format!("mine/{one}"), &one);
    let run = binary.run(&["sync", "mine", "/both", "--delete"]).expect(5);
    assert!(run.stderr.contains(TWINS), "{}", run.stderr);
    for name in [&one, &other] {
        assert_eq!(
            binary
                .run(&["cat", &format!("/both/{name}")])
                .expect(0)
                .stdout,
            *name
        );
    }
    binary.run(&["get", "/both", "--output", "."]).expect(0);
    #[cfg(target_os = "linux")]
    for name in [&one, &other] {
        assert_eq!(
            fs::read_to_string(binary.work().join("both").join(name)).unwrap(),
            *name
        );
    }
    binary
        .run(&["get", &format!("/both/{one}"), "--output", "."])
        .expect(0);
    binary
        .run(&["rm", "--yes", "--literal", &format!("/both/{one}")])
        .expect(0);
    binary
        .run(&["rm", "--yes", "--literal", &format!("/both/{one}")])
        .expect(4);
    assert_eq!(
        binary.run(&["ls", "/both"]).expect(0).stdout,
        format!("{other}\n")
    );
}
