//! Every command that lists, with responses that arrive at a byte per second.

use std::time::Duration;

use super::world::{Patience, World};
use crate::support::proxy::{Calls, Fault, Rule, Which};

/// Longer than the pauses between bytes, which therefore do not end an attempt.
const PATIENCE: Patience = Patience {
    stall: 5,
    settle: 1,
};

/// Much less than one of the responses takes.
const WITHIN: Duration = Duration::from_secs(15);

#[test]
fn a_trickle_ends_every_command_that_lists() {
    let commands: [&[&str]; 9] = [
        &["ls", "/box"],
        &["tree"],
        &["du"],
        &["find", "a.txt"],
        &["stat", "/box/a.txt"],
        &["diff", ".", "/box"],
        &["get", "/box", "--output", "down"],
        &["sync", "/box", "down"],
        &["rm", "--yes", "/box/*"],
    ];
    std::thread::scope(|threads| {
        for words in commands {
            threads.spawn(move || {
                let world = World::new(
                    PATIENCE,
                    vec![Rule::new(Calls::all(), Which::All, Fault::drip())],
                );
                let run = world.binary.run_within(WITHIN, words);
                assert_eq!(run.code, 1, "{words:?}: {run:#?}");
                assert!(
                    run.stderr.contains("no whole answer"),
                    "{words:?}: {run:#?}"
                );
                assert_eq!(world.stored().len(), 3, "{words:?}");
            });
        }
    });
}
