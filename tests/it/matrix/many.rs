//! `put`, `get` and `rm` of several files, some of which meet a fault: the others are done.

use super::cell::Cell;
use super::command::Command;
use crate::support::proxy::{Fault, Passed, Rule, Which};

const PUT: Command = Command::Put(&["one.txt", "two.txt", "three.txt"]);
const GET: Command = Command::Get(&["a.txt", "b.txt", "c.bin"]);
const RM: Command = Command::Rm(&["a.txt", "b.txt", "c.bin"]);
const OTHERS: &[&str] = &["one.txt", "three.txt"];
const IN_ORDER: &[&str] = &["--jobs", "1"];

pub(super) fn cells() -> Vec<Cell> {
    // Every request for the file in the middle.
    let two = |fault, what| {
        let rule = Rule::new(PUT.calls().naming("two.txt"), Which::All, what);
        Cell::new(PUT, fault, vec![rule]).settles_early()
    };
    let some_fail = |cell: Cell| cell.happens_but_exits(&[5]).says("2 done, 1 failed");
    let second = |command, fault, what| Cell::of(command, fault, Which::Nth(2), what);
    vec![
        Cell::new(PUT, "no fault", Vec::new()).sends_at_most(3),
        some_fail(two("resets of one file for good", Fault::ResetBefore).only(OTHERS)),
        some_fail(
            two("a portal's page for one file", Fault::portal(200))
                .only(OTHERS)
                .sends_at_most(10),
        ),
        some_fail(two("403 for one file", Fault::status(403, &[])).only(OTHERS)),
        some_fail(two("silence for one file", Fault::hang()).only(OTHERS)).impatient(),
        two("silence for one file", Fault::hang())
            .options(IN_ORDER)
            .only(&["one.txt"])
            .happens_but_exits(&[5])
            .says("1 done, 1 failed, 1 not tried")
            .impatient(),
        Cell::of(
            PUT,
            "resets after they were stored",
            Which::All,
            Fault::Reset(Passed::Now),
        )
        .sends_at_most(3),
        Cell::of(
            PUT,
            "a reset of every second request",
            Which::Every(2),
            Fault::ResetBefore,
        ),
        second(
            PUT,
            "429 in the middle",
            Fault::status(429, &[("retry-after", "1")]),
        )
        .sends_at_most(4)
        .takes(1),
        Cell::new(GET, "no fault", Vec::new()),
        Cell::of(
            GET,
            "a reset of every second request",
            Which::Every(2),
            Fault::ResetBefore,
        ),
        second(GET, "403 for one file", Fault::status(403, &[]))
            .options(IN_ORDER)
            .only(&["a.txt", "c.bin"])
            .happens_but_exits(&[5]),
        Cell::new(RM, "no fault", Vec::new()).sends_at_most(3),
        Cell::of(
            RM,
            "a reset of every second request",
            Which::Every(2),
            Fault::ResetBefore,
        ),
        Cell::of(
            RM,
            "a reset after every second was deleted",
            Which::Every(2),
            Fault::Reset(Passed::Now),
        ),
        second(RM, "403 for one file", Fault::status(403, &[]))
            .only(&["a.txt", "c.bin"])
            .happens_but_exits(&[5])
            .says("2 done, 1 failed"),
    ]
}
