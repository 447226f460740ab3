//! A journal that was damaged or removed after a kill: the next run reports what is no longer
//! known.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rstest::rstest;

use super::world::{Patience, World};
use crate::cli::binary::end;
use crate::support::proxy::{Calls, Fault, Passed, Relayed, Rule, Which};

const SAID: &str = "journal.db lacks what was written to it last";

fn uploads() -> Calls {
    Calls::to("POST", "/files/v3/files")
}

/// A world in which a `put` of three files was killed at its second one.
fn killed() -> (World, PathBuf) {
    let hang = Rule::new(uploads(), Which::Nth(2), Fault::Silence(Passed::Never));
    let world = World::new(
        Patience {
            stall: 20,
            settle: 1,
        },
        vec![hang],
    );
    let words = [
        "put",
        "--jobs",
        "1",
        "one.txt",
        "two.txt",
        "three.txt",
        "/box/",
    ];
    let mut child = world
        .binary
        .command(&words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let are_two = |log: &[Relayed]| {
        log.iter()
            .filter(|relayed| uploads().hold(&relayed.seen))
            .count()
            == 2
    };
    world.service.block_on(world.proxy.until(are_two));
    assert_eq!(end(&mut child, "KILL"), -1);
    let journal = world.binary.home.path().join("state/journal.db");
    (world, journal)
}

fn log_of(journal: &Path) -> PathBuf {
    journal.with_extension("db-wal")
}

fn halve_the_log(journal: &Path) {
    let log = fs::read(log_of(journal)).unwrap();
    fs::write(log_of(journal), &log[..log.len() / 2]).unwrap();
}

fn damage_the_log(journal: &Path) {
    let mut log = fs::read(log_of(journal)).unwrap();
    let middle = log.len() / 2;
    log[middle] ^= 1;
    fs::write(log_of(journal), log).unwrap();
}

fn remove(journal: &Path) {
    fs::remove_file(journal).unwrap();
    fs::remove_file(log_of(journal)).unwrap();
}

#[rstest]
#[case::half_of_the_log(halve_the_log)]
#[case::a_damaged_log(damage_the_log)]
#[case::no_journal(remove)]
fn what_the_journal_lost_is_said_once(#[case] lose: fn(&Path)) {
    let (world, journal) = killed();
    lose(&journal);
    let first = world.binary.run(&["put", "three.txt", "/box/"]).expect(0);
    assert!(first.stderr.contains(SAID), "{first:?}");
    assert!(first.stderr.contains("start those again"), "{first:?}");
    let second = world.binary.run(&["put", "two.txt", "/box/"]).expect(0);
    assert!(!second.stderr.contains(SAID), "{second:?}");
}

#[test]
fn a_journal_that_lost_nothing_is_not_spoken_of() {
    let (world, _) = killed();
    let run = world.binary.run(&["put", "three.txt", "/box/"]).expect(0);
    assert!(!run.stderr.contains(SAID), "{run:?}");
}

#[test]
fn a_journal_in_which_all_had_ended_can_be_removed() {
    let world = World::new(
        Patience {
            stall: 20,
            settle: 1,
        },
        Vec::new(),
    );
    world.binary.run(&["put", "one.txt", "/box/"]).expect(0);
    fs::remove_file(world.binary.home.path().join("state/journal.db")).unwrap();
    let run = world.binary.run(&["put", "two.txt", "/box/"]).expect(0);
    assert!(!run.stderr.contains(SAID), "{run:?}");
}
