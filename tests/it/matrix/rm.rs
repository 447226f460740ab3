//! `rm`, and `rm --permanent` with its receipt.

use super::cell::Cell;
use super::command::Command;
use super::common;
use crate::support::proxy::{Fault, Passed, Which};

const RM: Command = Command::Rm(&["a.txt"]);

pub(super) fn cells() -> Vec<Cell> {
    let mut cells: Vec<Cell> = [RM, Command::Purge(&["a.txt"])]
        .into_iter()
        .flat_map(of)
        .collect();
    let just_before = Cell::of(
        RM,
        "somebody else deleted it just before",
        Which::All,
        Fault::second_answer(),
    );
    cells.push(
        just_before
            .happens_but_exits(&[4])
            .says("http 404")
            .sends_at_most(1),
    );
    cells
}

fn of(command: Command) -> Vec<Cell> {
    let once = |fault, what| Cell::of(command, fault, Which::First(1), what);
    let always = |fault, what| Cell::of(command, fault, Which::All, what);
    let mut cells = common::waits(command);
    cells.extend([
        Cell::new(command, "no fault", Vec::new()).sends_at_most(1),
        once("a reset before the service had it", Fault::ResetBefore),
        always("resets before the service had it", Fault::ResetBefore)
            .fails(&[1])
            .sends_at_most(8),
        once("a reset after it was done", Fault::Reset(Passed::Now)),
        always("resets after it was done", Fault::Reset(Passed::Now))
            .happens_but_exits(&[1])
            .sends_at_most(8),
        once("silence after it was done", Fault::Silence(Passed::Now))
            .happens_but_exits(&[0, 1])
            .impatient(),
        always("silence", Fault::hang())
            .fails(&[1])
            .says("did not answer|no answer|transferred|sent nothing")
            .impatient(),
        Cell::total(command, "silence to everything", Fault::hang())
            .fails(&[1])
            .impatient(),
        once(
            "504 while the service goes on",
            Fault::page(Passed::Now, 504),
        ),
        always("a portal's page", Fault::portal(200)).fails(&[1]),
        Cell::total(command, "a portal for everything", Fault::portal(200))
            .fails(&[1])
            .says("web page"),
        always("empty 200", Fault::status(200, &[])).fails(&[1]),
        always("a web page with 404", Fault::portal(404)).fails(&[1, 4]),
        always("empty 404", Fault::status(404, &[])).fails(&[1, 4]),
        always("202", Fault::status(202, &[])).fails(&[1]),
        Cell::then(
            command,
            "a reset, then a web page with 404",
            Fault::ResetBefore,
            Fault::portal(404),
        )
        .fails(&[1, 4]),
        Cell::then(
            command,
            "a reset, then a portal's page",
            Fault::ResetBefore,
            Fault::portal(200),
        )
        .fails(&[1]),
        once("a web page with 503", Fault::portal(503)),
        always("404 of the service", Fault::not_found())
            .fails(&[4])
            .says("http 404")
            .sends_at_most(1),
    ]);
    cells
}
