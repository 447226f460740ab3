//! Interrupted commands: the command named at their end does the rest, once, and a later full run
//! leaves nothing to finish.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Stdio};
use std::time::Duration;

use rstest::rstest;
use serde_json::Value;

use super::world::{Patience, STORED, World, content, in_folder};
use crate::cli::binary::{TOKEN, end, names};
use crate::support::database;
use crate::support::proxy::{Calls, Fault, Passed, Rule, Which};

const PATIENCE: Patience = Patience {
    stall: 20,
    settle: 1,
};
/// Far more than any of these commands takes.
const LIMIT: Duration = Duration::from_mins(3);
const NAMES: [&str; 8] = ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"];

#[derive(Debug, Clone, Copy)]
enum Cut {
    Put,
    Get,
    Copy,
    Rm,
    SyncUp,
    SyncDown,
}

/// The number of the request, from 1, at which a command is interrupted, and how far that got to
/// the service.
type Place = (u64, Passed);

impl Cut {
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Put => &["put", "--jobs", "1", "many", "/"],
            Self::Get => &["get", "--jobs", "1", "/many", "--output", "down"],
            Self::Copy => &[
                "copy",
                "--jobs",
                "1",
                "@environment:/many",
                "@environment:/copies/",
            ],
            Self::Rm => &["rm", "--yes", "/many/*"],
            Self::SyncUp => &["sync", "--jobs", "1", "many", "/many"],
            Self::SyncDown => &["sync", "--jobs", "1", "/many", "down/many"],
        }
    }

    fn calls(self) -> Calls {
        match self {
            Self::Put | Self::SyncUp | Self::Copy => Calls::to("POST", "/files/v3/files"),
            Self::Get | Self::SyncDown => Calls::to("GET", "/files/v3/files/").naming("/download"),
            Self::Rm => Calls::to("DELETE", "/files/v3/files/"),
        }
    }

    fn world(self) -> World {
        let world = World::new(PATIENCE, Vec::new());
        fs::create_dir(world.binary.work().join("many")).unwrap();
        for name in NAMES {
            world.binary.write(&format!("many/{name}"), &content(name));
        }
        if !matches!(self, Self::Put | Self::SyncUp) {
            world.binary.run(&["put", "many", "/"]).expect(0);
        }
        world
    }

    #[track_caller]
    fn assert_done(self, world: &World) {
        let mut expected = in_folder("/box", STORED);
        if !matches!(self, Self::Rm) {
            expected.extend(in_folder("/many", NAMES));
        }
        if matches!(self, Self::Copy) {
            expected.extend(in_folder("/copies/many", NAMES));
        }
        assert_eq!(world.stored(), expected);
        if matches!(self, Self::Get | Self::SyncDown) {
            let down = world.binary.work().join("down/many");
            assert_eq!(names(&down), NAMES);
            assert!(
                NAMES
                    .iter()
                    .all(|name| fs::read(down.join(name)).unwrap() == content(name))
            );
        }
    }
}

fn begin(world: &World, words: &[&str], calls: Calls, (nth, passed): Place) -> Child {
    world.proxy.rules(vec![Rule::new(
        calls,
        Which::Nth(nth),
        Fault::Silence(passed),
    )]);
    let before = world.proxy.count(calls);
    let child = world
        .binary
        .command(words)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (nth, answers) = (
        usize::try_from(nth).unwrap(),
        usize::from(matches!(passed, Passed::Now)),
    );
    world.service.block_on(world.proxy.until(|log| {
        let of_it = log
            .iter()
            .filter(|relayed| calls.hold(&relayed.seen))
            .skip(before);
        of_it
            .filter(|relayed| relayed.answered.len() >= answers)
            .count()
            >= nth
    }));
    child
}

/// Interrupts a command there by this signal; returns its standard error, empty after SIGKILL.
fn cut_short(world: &World, words: &[&str], calls: Calls, place: Place, signal: &str) -> String {
    let mut child = begin(world, words, calls, place);
    let code = end(&mut child, signal);
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(code, if signal == "KILL" { -1 } else { 130 }, "{said}");
    if signal == "KILL" {
        String::new()
    } else {
        said
    }
}

fn tasks(world: &World) -> Vec<Value> {
    world
        .binary
        .run(&["tasks", "--json"])
        .expect(0)
        .json_lines()
}

/// The command that finishes the only task, which the list and the end of the interrupted one name.
#[track_caller]
fn named(world: &World, said: &str) -> String {
    let listed = tasks(world);
    let [task] = listed.as_slice() else {
        panic!("{listed:?}")
    };
    assert_eq!(task["state"], "unfinished", "{task}");
    let command = task["finishWith"].as_str().unwrap();
    let table = world
        .binary
        .run(&["tasks", &task["number"].to_string()])
        .expect(0)
        .stdout;
    assert!(
        table
            .lines()
            .next()
            .unwrap()
            .ends_with(&format!("\t{command}")),
        "{table}"
    );
    if !said.is_empty() {
        assert!(
            said.trim_end()
                .ends_with(&format!("finish it with: {command}")),
            "{said}"
        );
    }
    command.to_owned()
}

#[track_caller]
fn finish(world: &World, command: &str, code: i32) -> String {
    let words: Vec<&str> = command
        .strip_prefix("filedeck ")
        .unwrap()
        .split(' ')
        .collect();
    world.binary.run_within(LIMIT, &words).expect(code).stderr
}

#[rstest]
fn the_command_that_is_named_finishes_what_was_cut_short(
    #[values(Cut::Put, Cut::Get, Cut::Copy, Cut::Rm, Cut::SyncUp, Cut::SyncDown)] cut: Cut,
    #[values("INT", "KILL")] signal: &str,
    #[values((1, Passed::Never), (4, Passed::Now), (8, Passed::Now))] place: Place,
) {
    let world = cut.world();
    let said = cut_short(&world, cut.words(), cut.calls(), place, signal);
    finish(&world, &named(&world, &said), 0);
    cut.assert_done(&world);
    assert_eq!(tasks(&world), Vec::<Value>::new());
}

#[rstest]
fn a_whole_run_of_the_same_command_leaves_nothing_to_finish(
    #[values(Cut::Put, Cut::Get, Cut::Copy, Cut::Rm, Cut::SyncUp, Cut::SyncDown)] cut: Cut,
    #[values("INT", "KILL")] signal: &str,
    #[values((1, Passed::Never), (4, Passed::Now))] place: Place,
) {
    let world = cut.world();
    for _ in 0..2 {
        cut_short(&world, cut.words(), cut.calls(), (1, Passed::Never), signal);
    }
    cut_short(&world, cut.words(), cut.calls(), place, signal);
    assert_eq!(tasks(&world).len(), 3);
    // Another command does not affect the task.
    world.binary.run(&["put", "one.txt", "/other/"]).expect(0);
    assert_eq!(tasks(&world).len(), 3);
    world
        .binary
        .run(&["rm", "--yes", "/other/one.txt"])
        .expect(0);
    world.binary.run_within(LIMIT, cut.words()).expect(0);
    cut.assert_done(&world);
    assert_eq!(tasks(&world), Vec::<Value>::new());
}

#[test]
fn a_run_that_covers_half_leaves_the_other_half() {
    let world = Cut::Put.world();
    let paths = NAMES.map(|name| format!("many/{name}"));
    let put = |names: &[String]| -> Vec<String> {
        let words = ["put", "--jobs", "1"].into_iter().map(str::to_owned);
        words
            .chain(names.iter().cloned())
            .chain(["/many/".to_owned()])
            .collect()
    };
    let all = put(&paths);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let said = cut_short(&world, &all, Cut::Put.calls(), (1, Passed::Never), "INT");
    let half = put(&paths[..4]);
    world
        .binary
        .run(&half.iter().map(String::as_str).collect::<Vec<_>>())
        .expect(0);
    let left = tasks(&world);
    assert_eq!(
        (left.len(), &left[0]["total"], &left[0]["done"]),
        (1, &8.into(), &4.into()),
        "{left:?}"
    );
    finish(&world, &named(&world, &said), 0);
    Cut::Put.assert_done(&world);
    assert_eq!(tasks(&world), Vec::<Value>::new());
}

#[test]
fn what_another_process_works_on_is_refused() {
    let world = Cut::Put.world();
    let mut child = begin(
        &world,
        Cut::Put.words(),
        Cut::Put.calls(),
        (3, Passed::Never),
    );
    let running = tasks(&world).remove(0);
    assert_eq!(
        (&running["state"], &running["finishWith"]),
        (&"running".into(), &Value::Null)
    );
    let run = world
        .binary
        .run(&["tasks", "retry", &running["number"].to_string()])
        .expect(1);
    assert!(
        run.stderr
            .contains("another filedeck has it, which is still running"),
        "{}",
        run.stderr
    );
    assert_eq!(end(&mut child, "INT"), 130);
    finish(&world, &named(&world, ""), 0);
    Cut::Put.assert_done(&world);
}

#[test]
fn what_a_damaged_journal_still_has_is_looked_up_before_it_is_done_again() {
    let world = Cut::Put.world();
    let words = [Cut::Put.words(), &["--again", "--on-clash", "keep-both"]].concat();
    let command = named(
        &world,
        &cut_short(&world, &words, Cut::Put.calls(), (5, Passed::Never), "INT"),
    );
    // The journal is a copy from before the first file was sent.
    let journal = world.binary.home.path().join("state/journal.db");
    database::execute(&journal, "UPDATE item SET state = 'waiting'");
    fs::write(journal.with_added_extension("unfinished"), "1000000").unwrap();
    let said = finish(&world, &command, 0);
    assert!(said.contains("lacks what was written to it last"), "{said}");
    Cut::Put.assert_done(&world);
}

#[test]
fn the_rest_ends_with_the_code_of_the_whole() {
    let world = Cut::Put.world();
    let said = cut_short(
        &world,
        Cut::Put.words(),
        Cut::Put.calls(),
        (8, Passed::Never),
        "INT",
    );
    let (last, command) = (world.binary.work().join("many/f7"), named(&world, &said));
    fs::remove_file(&last).unwrap();
    let failed = finish(&world, &command, 5);
    assert!(
        failed.contains("cannot upload f7") && failed.contains("7 done, 1 failed, 0 not tried"),
        "{failed}"
    );
    assert_eq!(tasks(&world)[0]["finishWith"], *command);
    fs::write(&last, content("f7")).unwrap();
    finish(&world, &command, 0);
    Cut::Put.assert_done(&world);
    assert_eq!(tasks(&world), Vec::<Value>::new());
}

#[test]
fn the_command_names_an_account_that_is_not_the_usual_one() {
    let world = Cut::Put.world();
    let config = world.binary.config_dir();
    let account = format!(
        "settle_time = 1\n[accounts.other]\nbase_url = \"{}\"\ntoken_file = \"t\"\n",
        world.proxy.url
    );
    fs::write(config.join("config.toml"), account).unwrap();
    fs::write(config.join("t"), TOKEN).unwrap();
    fs::set_permissions(config.join("t"), fs::Permissions::from_mode(0o600)).unwrap();
    let words = [Cut::Put.words(), &["--account", "other"]].concat();
    let said = cut_short(&world, &words, Cut::Put.calls(), (3, Passed::Never), "INT");
    let (_, command) = said.trim_end().rsplit_once("finish it with: ").unwrap();
    assert!(command.ends_with(" --account other"), "{said}");
    finish(&world, command, 0);
    Cut::Put.assert_done(&world);
    assert_eq!(
        world
            .binary
            .run(&["tasks", "--account", "other"])
            .expect(0)
            .stdout,
        ""
    );
}

#[test]
fn a_sync_that_has_not_come_to_its_deletions_is_to_be_given_again() {
    let world = Cut::SyncUp.world();
    world.binary.run(&["put", "one.txt", "/many/"]).expect(0);
    let words = [Cut::SyncUp.words(), &["--delete"]].concat();
    let said = cut_short(&world, &words, Cut::SyncUp.calls(), (3, Passed::Now), "INT");
    assert!(
        said.contains("give the command again to finish it"),
        "{said}"
    );
    world.binary.run_within(LIMIT, &words).expect(0);
    Cut::SyncUp.assert_done(&world);
    assert_eq!(tasks(&world), Vec::<Value>::new());
}

#[test]
fn what_comes_from_standard_input_is_to_be_given_again() {
    let world = Cut::Put.world();
    world.proxy.rules(vec![Rule::new(
        Cut::Put.calls(),
        Which::Nth(1),
        Fault::Silence(Passed::Never),
    )]);
    let words = ["put", "-", "/box/piped.txt"];
    let mut command = world.binary.command(&words);
    let mut child = command.stdin(fs::File::open(world.binary.work().join("one.txt")).unwrap());
    child = child.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    world.service.block_on(world.proxy.until(|log| {
        log.iter()
            .any(|relayed| Cut::Put.calls().hold(&relayed.seen))
    }));
    assert_eq!(end(&mut child, "INT"), 130);
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(
        said.contains("give the command again to finish it"),
        "{said}"
    );
    let mut command = world.binary.command(&words);
    let again = command
        .stdin(fs::File::open(world.binary.work().join("one.txt")).unwrap())
        .output()
        .unwrap();
    assert!(again.status.success(), "{again:?}");
    assert_eq!(tasks(&world), Vec::<Value>::new());
}
