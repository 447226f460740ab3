//! `put` of one file: stored once whatever happens, and never reported as lost if it may have been
//! stored.

use super::cell::Cell;
use super::command::Command;
use super::common;
use crate::support::proxy::{End, Fault, Passed, Which};

const COMMAND: Command = Command::Put(&["one.txt"]);
const BELOW: Command = Command::PutBelow(&["one.txt"]);
const LARGE: Command = Command::Put(&["big.bin"]);
const EXISTING: &[&str] = &["--duplicates", "return-existing"];

fn once(fault: &'static str, what: Fault) -> Cell {
    Cell::of(COMMAND, fault, Which::First(1), what)
}

fn always(fault: &'static str, what: Fault) -> Cell {
    Cell::of(COMMAND, fault, Which::All, what).settles_early()
}

/// With the third listing, which is not the last one. A file stored later is a twin that no client
/// can prevent; `twins` shows that it is reported.
const LATE: Passed = Passed::After(3);

/// The command ends without knowing the outcome, and says so.
fn is_unknown(cell: Cell) -> Cell {
    cell.says("may have been stored")
        .says("check before you upload it again")
        .hides("try again")
        .hides("cannot upload")
}

pub(super) fn cells() -> Vec<Cell> {
    let mut cells = vec![
        Cell::new(COMMAND, "no fault", Vec::new()).sends_at_most(1),
        Cell::new(LARGE, "no fault", Vec::new()).sends_at_most(1),
    ];
    cells.extend(resets());
    cells.extend(silence());
    cells.extend(answers());
    cells.extend(folders());
    cells.extend(common::waits(COMMAND));
    cells
}

fn resets() -> Vec<Cell> {
    vec![
        once("a reset before the body", Fault::ResetBefore),
        always("resets before the body", Fault::ResetBefore)
            .fails(&[1])
            .says("one.txt")
            .sends_at_most(12),
        Cell::of(
            LARGE,
            "a reset in the middle of the body",
            Which::First(1),
            Fault::ResetWithin,
        ),
        Cell::of(
            LARGE,
            "resets in the middle of the body",
            Which::All,
            Fault::ResetWithin,
        )
        .settles_early()
        .fails(&[1])
        .sends_at_most(12),
        once("a reset after it was stored", Fault::Reset(Passed::Now)).sends_at_most(1),
        always("resets after it was stored", Fault::Reset(Passed::Now)).sends_at_most(1),
        once("a reset, stored later", Fault::Reset(LATE)).sends_at_most(1),
        Cell::of(
            LARGE,
            "a reset, stored later",
            Which::First(1),
            Fault::Reset(LATE),
        )
        .sends_at_most(1),
        once("504, stored later", Fault::page(LATE, 504)).sends_at_most(1),
        once("504 after it was stored", Fault::page(Passed::Now, 504)).sends_at_most(1),
        once("503 after it was stored", Fault::page(Passed::Now, 503)).sends_at_most(1),
        once(
            "a reset of a connection that was idle during a wait",
            Fault::stale(429, &[("retry-after", "5")]),
        )
        .takes(5)
        .hides("lost")
        .sends_at_most(2),
    ]
}

fn silence() -> Vec<Cell> {
    vec![
        is_unknown(always("silence", Fault::hang()).fails(&[1])).impatient(),
        Cell::of(LARGE, "silence", Which::All, Fault::hang())
            .fails(&[1])
            .impatient(),
        once("silence after it was stored", Fault::Silence(Passed::Now))
            .sends_at_most(1)
            .impatient(),
        Cell::total(COMMAND, "silence to everything", Fault::hang())
            .fails(&[1])
            .says("did not answer|no answer|transferred|sent nothing")
            .impatient(),
    ]
}

fn answers() -> Vec<Cell> {
    vec![
        once(
            "an answer that is cut after it was stored",
            Fault::cut(End::Reset),
        )
        .sends_at_most(1),
        once("an answer longer than it says", Fault::length_off_by(-20)).sends_at_most(1),
        once("an answer shorter than it says", Fault::length_off_by(20)).sends_at_most(1),
        once(
            "an answer that stops in the middle",
            Fault::cut(End::Silence),
        )
        .sends_at_most(1),
        once("an answer without an end", Fault::endless()).sends_at_most(1),
        once(
            "a web page with 201 after it was stored",
            Fault::page(Passed::Now, 201),
        )
        .sends_at_most(1),
        always("a portal's page", Fault::portal(200))
            .fails(&[1])
            .says("web page|may have been stored")
            .sends_at_most(8),
        Cell::total(COMMAND, "a portal for everything", Fault::portal(200))
            .fails(&[1])
            .says("web page"),
        always("empty 200", Fault::status(200, &[]))
            .fails(&[1])
            .sends_at_most(8),
        always("204", Fault::status(204, &[]))
            .fails(&[1])
            .sends_at_most(8),
        always("a web page with 404", Fault::portal(404))
            .fails(&[1, 4])
            .sends_at_most(8),
        always("empty 201", Fault::status(201, &[]))
            .fails(&[1])
            .sends_at_most(8),
        once(
            "200 instead of 201",
            Fault::changed(|_, answer| answer.status = 200),
        )
        .sends_at_most(1),
        once(
            "200 where the file may be there",
            Fault::changed(|_, answer| answer.status = 200),
        )
        .options(EXISTING)
        .sends_at_most(1),
    ]
}

fn folders() -> Vec<Cell> {
    let cell = |fault, what| {
        let cell = Cell::of(BELOW, fault, Which::First(1), what);
        cell.check(|world| world.folders() == ["/box", "/new"])
    };
    vec![
        Cell::new(BELOW, "no fault", Vec::new()).sends_at_most(1),
        cell("a reset before the folder is made", Fault::ResetBefore),
        cell(
            "a reset after the folder is made",
            Fault::Reset(Passed::Now),
        ),
        cell("a reset, and the folder made later", Fault::Reset(LATE)),
        cell(
            "504 after the folder is made",
            Fault::page(Passed::Now, 504),
        ),
        cell(
            "an answer that is cut after the folder is made",
            Fault::cut(End::Reset),
        ),
        Cell::of(
            BELOW,
            "a portal's page for the folder",
            Which::All,
            Fault::portal(200),
        )
        .fails(&[1]),
    ]
}
