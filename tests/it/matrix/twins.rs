//! An upload that the service stores only after it was sent again: both copies are reported.

use super::world::{Patience, World};
use crate::support::proxy::{Calls, Fault, Passed, Rule, Which};

/// Four listings, the second upload, and the listing after it.
const WITH_THE_LAST_LOOK: Passed = Passed::After(6);

#[test]
fn a_copy_that_is_stored_after_the_file_was_sent_again_is_named_with_the_other() {
    let lost = Rule::new(
        Calls::to("POST", "/files/v3/files"),
        Which::First(1),
        Fault::Reset(WITH_THE_LAST_LOOK),
    );
    let world = World::new(
        Patience {
            stall: 20,
            settle: 2,
        },
        vec![lost],
    );
    let run = world.binary.run(&["put", "one.txt", "/box/"]).expect(0);
    let stored: Vec<String> = world
        .stored()
        .into_keys()
        .filter(|path| path.contains("one"))
        .collect();
    assert_eq!(stored, ["/box/one-1.txt", "/box/one.txt"]);
    assert!(
        run.stderr
            .contains("an answer was lost, and the file was stored twice: /box/one.txt (id "),
        "{run:?}"
    );
    assert!(run.stderr.contains(" and /box/one-1.txt (id "), "{run:?}");
}
