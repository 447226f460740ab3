//! `put` of many files, cut short and repeated, over a bad network, and from many processes: each
//! file is stored once.

use std::process::{Child, Stdio};
use std::time::Duration;

use rstest::rstest;

use super::world::{Patience, STORED, World, content, in_folder};
use crate::cli::binary::end;
use crate::support::proxy::{Calls, Fault, Passed, Relayed, Rule, Which};

const PATIENCE: Patience = Patience {
    stall: 20,
    settle: 1,
};

/// Far more than any of these commands takes.
const LIMIT: Duration = Duration::from_mins(3);

fn uploads() -> Calls {
    Calls::to("POST", "/files/v3/files")
}

fn with_files(world: &World, count: usize) -> Vec<String> {
    let names: Vec<String> = (0..count)
        .map(|number| format!("f{number:03}.txt"))
        .collect();
    for name in &names {
        world.binary.write(name, &content(name));
    }
    names
}

fn put<'a>(jobs: &'a str, names: &'a [String]) -> Vec<&'a str> {
    ["put", "--jobs", jobs]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .chain(["/box/"])
        .collect()
}

#[track_caller]
fn assert_each_is_there_once(world: &World, names: &[String]) {
    let expected = in_folder(
        "/box",
        STORED.into_iter().chain(names.iter().map(String::as_str)),
    );
    let stored = world.stored();
    let missing: Vec<_> = expected
        .iter()
        .filter(|(path, sum)| stored.get(*path) != Some(sum))
        .collect();
    let extra: Vec<_> = stored
        .iter()
        .filter(|(path, _)| !expected.contains_key(*path))
        .collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "missing: {missing:?}\nnot sent: {extra:?}"
    );
}

#[rstest]
#[case::killed("KILL", -1)]
#[case::interrupted("INT", 130)]
#[case::terminated("TERM", 143)]
fn a_put_that_was_cut_short_is_finished_by_the_same_command(
    #[case] signal: &str,
    #[case] code: i32,
    #[values(Passed::Now, Passed::Never)] fortieth: Passed,
    #[values("1", "4")] jobs: &str,
) {
    let world = World::new(
        PATIENCE,
        vec![Rule::new(
            uploads(),
            Which::Nth(40),
            Fault::Silence(fortieth),
        )],
    );
    let names = with_files(&world, 100);
    let command = world
        .binary
        .command(&put(jobs, &names))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = command.unwrap();
    let is_at_the_fortieth = |answers: usize| {
        world.proxy.until(move |log| {
            let posts = log.iter().filter(|relayed| uploads().hold(&relayed.seen));
            posts
                .filter(|relayed| relayed.answered.len() >= answers)
                .count()
                >= 40
        })
    };
    world
        .service
        .block_on(is_at_the_fortieth(usize::from(matches!(
            fortieth,
            Passed::Now
        ))));
    assert_eq!(end(&mut child, signal), code);
    if code > 0 {
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert!(said.contains("which may have been stored"), "{said}");
        if jobs == "1" {
            assert!(
                said.contains("39 done") && said.contains("f039.txt"),
                "{said}"
            );
        }
    }
    world.binary.run_within(LIMIT, &put(jobs, &names)).expect(0);
    assert_each_is_there_once(&world, &names);
}

#[rstest]
#[case::before_the_body_arrives(Fault::ResetBefore)]
#[case::after_the_file_is_stored(Fault::Reset(Passed::Now))]
#[ignore = "slow; tests/nightly/run has it"]
fn thirty_of_a_hundred_connections_that_break_cost_no_file_and_make_none_twice(
    #[case] fault: Fault,
    #[values(("1", 60), ("4", 200))] (jobs, files): (&str, usize),
) {
    let world = World::new(
        PATIENCE,
        vec![Rule::new(uploads(), Which::Percent(30), fault)],
    );
    let names = with_files(&world, files);
    let run = world.binary.run_within(LIMIT, &put(jobs, &names));
    assert_each_is_there_once(&world, &names);
    run.expect(0);
}

#[test]
fn a_folder_of_a_thousand_files_arrives_once_though_three_of_ten_answers_are_lost() {
    let rule = Rule::new(uploads(), Which::Percent(30), Fault::Reset(Passed::Now));
    let world = World::new(PATIENCE, vec![rule]);
    std::fs::create_dir(world.binary.work().join("box")).unwrap();
    let names: Vec<String> = (0..1_000)
        .map(|number| format!("f{number:03}.txt"))
        .collect();
    for name in &names {
        world.binary.write(&format!("box/{name}"), &content(name));
    }
    let run = world
        .binary
        .run_within(LIMIT, &["put", "--jobs", "16", "box", "/"])
        .expect(0);
    let sent = world
        .proxy
        .log()
        .into_iter()
        .filter(|relayed| uploads().hold(&relayed.seen));
    let stored: usize = sent
        .map(|relayed| {
            relayed
                .answered
                .iter()
                .filter(|status| **status == 201)
                .count()
        })
        .sum();
    assert_eq!(
        stored,
        names.len(),
        "none was sent again that the service had stored: {}",
        run.stderr
    );
    assert_eq!(
        run.stdout.lines().count(),
        names.len(),
        "each is told: {}",
        run.stderr
    );
    assert_each_is_there_once(&world, &names);
}

#[test]
fn puts_at_the_same_time_into_a_folder_that_is_not_there_make_one() {
    let world = World::new(PATIENCE, Vec::new());
    let numbers = (0..10).map(|number| format!("one-{number}.txt"));
    let names: Vec<String> = numbers.collect();
    let children: Vec<Child> = names
        .iter()
        .map(|name| {
            let words = ["put", "one.txt", "/new/deep/", "--name", name];
            world
                .binary
                .command(&words)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{said}");
    }
    let mut folders = world.folders();
    folders.sort();
    assert_eq!(folders, ["/box", "/new", "/new/deep"]);
    let paths: Vec<String> = world
        .stored()
        .into_keys()
        .filter(|path| path.starts_with("/new"))
        .collect();
    assert_eq!(
        paths,
        names
            .iter()
            .map(|name| format!("/new/deep/{name}"))
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_put_sends_as_many_at_once_as_it_is_asked_to() {
    let world = World::new(
        PATIENCE,
        vec![Rule::new(uploads(), Which::All, Fault::hang())],
    );
    let names = with_files(&world, 20);
    let command = world
        .binary
        .command(&put("5", &names))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = command.unwrap();
    let are_five = |log: &[Relayed]| {
        log.iter()
            .filter(|relayed| uploads().hold(&relayed.seen))
            .count()
            == 5
    };
    world.service.block_on(world.proxy.until(are_five));
    assert_eq!(end(&mut child, "TERM"), 143);
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(
        said.contains("0 done, 0 failed, 15 not tried; under way: f000.txt, f001.txt"),
        "{said}"
    );
    assert!(
        said.contains("and 2 more, which may have been stored"),
        "{said}"
    );
    assert_eq!(world.proxy.count(uploads()), 5);
}

#[test]
fn what_would_meet_all_ends_a_put_of_several_at_once_with_its_own_code() {
    let world = World::new(
        PATIENCE,
        vec![Rule::new(uploads(), Which::All, Fault::status(401, &[]))],
    );
    let names = with_files(&world, 20);
    let run = world.binary.run_within(LIMIT, &put("4", &names)).expect(3);
    assert!(
        run.stderr.contains("0 done") && run.stderr.contains("not tried"),
        "{}",
        run.stderr
    );
    assert!(world.proxy.count(uploads()) <= 4);
}
