//! A replacement whose response was lost: it is sent again, and is not taken for a change by
//! somebody else.

use rstest::rstest;

use super::world::{Patience, World, content};
use crate::support::proxy::{Calls, End, Fault, Passed, Rule, Which};

/// Fails if the last look before the end of the body counts the content of an earlier attempt as a
/// change.
#[rstest]
#[case::a_reset(Fault::Reset(Passed::Now))]
#[case::a_cut_answer(Fault::cut(End::Close))]
#[case::a_gateway(Fault::page(Passed::Now, 504))]
fn a_replacement_whose_response_was_lost_is_no_clash_with_itself(#[case] fault: Fault) {
    let lost = Rule::new(Calls::to("PUT", "/files/v3/files/"), Which::First(1), fault);
    let world = World::new(
        Patience {
            stall: 20,
            settle: 2,
        },
        vec![lost],
    );
    world
        .binary
        .run(&["replace", "one.txt", "/box/a.txt"])
        .expect(0);
    assert_eq!(
        world
            .binary
            .run(&["cat", "/box/a.txt"])
            .expect(0)
            .stdout
            .as_bytes(),
        content("one.txt")
    );
}
