//! `get`: the right bytes under the final name, or nothing.

use super::cell::Cell;
use super::command::Command;
use super::common;
use super::world::{World, content};
use crate::support::proxy::{End, Fault, Passed, Which};

const COMMAND: Command = Command::Get(&["c.bin"]);
const SMALL: Command = Command::Get(&["a.txt"]);

fn once(fault: &'static str, what: Fault) -> Cell {
    Cell::of(COMMAND, fault, Which::First(1), what)
}

fn always(fault: &'static str, what: Fault) -> Cell {
    Cell::of(COMMAND, fault, Which::All, what)
}

pub(super) fn cells() -> Vec<Cell> {
    let mut cells = vec![Cell::new(COMMAND, "no fault", Vec::new()).sends_at_most(1)];
    cells.extend(connections());
    cells.extend(bodies());
    cells.extend(answers());
    cells.extend(common::waits(COMMAND));
    cells
}

fn connections() -> Vec<Cell> {
    vec![
        once("a reset", Fault::ResetBefore),
        always("resets", Fault::ResetBefore)
            .fails(&[1])
            .says("connection")
            .sends_at_most(12),
        once(
            "a reset after the service answered",
            Fault::Reset(Passed::Now),
        ),
        always("silence", Fault::hang())
            .fails(&[1])
            .says("did not answer|no answer|transferred|sent nothing")
            .impatient(),
        Cell::total(COMMAND, "silence to everything", Fault::hang())
            .fails(&[1])
            .says("did not answer|no answer|transferred|sent nothing")
            .impatient(),
        always("bodies that stop in the middle", Fault::cut(End::Silence))
            .happens_but_exits(&[0, 1])
            .impatient(),
        Cell::of(SMALL, "a byte a second", Which::All, Fault::drip())
            .takes(4)
            .sends_at_most(1),
    ]
}

fn bodies() -> Vec<Cell> {
    vec![
        once("a body that is cut by a reset", Fault::cut(End::Reset))
            .check(goes_on)
            .sends_at_most(2),
        once("a body that is cut by a close", Fault::cut(End::Close))
            .check(goes_on)
            .sends_at_most(2),
        Cell::of(
            COMMAND,
            "bodies that are cut three times",
            Which::First(3),
            Fault::cut(End::Reset),
        )
        .check(goes_on),
        Cell::then(
            COMMAND,
            "a body that is cut, and then a portal's page",
            Fault::cut(End::Reset),
            Fault::portal(200),
        )
        .fails(&[1]),
        Cell::then(
            COMMAND,
            "a body that is cut, and then the whole of it",
            Fault::cut(End::Reset),
            Fault::whole(),
        ),
        always("bodies without an end", Fault::endless())
            .fails(&[1])
            .says("more|larger|longer|differ from what the service describes")
            .check(little_came_down),
        once("a body shorter than it says", Fault::length_off_by(20)),
        always("bodies shorter than they say", Fault::length_off_by(20))
            .happens_but_exits(&[0, 1])
            .sends_at_most(12),
        always("bodies longer than they say", Fault::length_off_by(-20))
            .happens_but_exits(&[0, 1])
            .sends_at_most(12),
        always(
            "other bytes",
            Fault::changed(|_, answer| answer.body[7] ^= 1),
        )
        .fails(&[1])
        .says("md5"),
        always(
            "fewer bytes",
            Fault::changed(|_, answer| answer.body.truncate(100)),
        )
        .fails(&[1]),
        always(
            "more bytes",
            Fault::changed(|_, answer| answer.body.extend([b'.'; 100])),
        )
        .fails(&[1]),
    ]
}

fn answers() -> Vec<Cell> {
    vec![
        always("a portal's page", Fault::portal(200))
            .fails(&[1])
            .sends_at_most(12),
        Cell::total(COMMAND, "a portal for everything", Fault::portal(200))
            .fails(&[1])
            .says("web page"),
        always("empty 200", Fault::status(200, &[]))
            .fails(&[1])
            .sends_at_most(12),
        always("204", Fault::status(204, &[]))
            .fails(&[1])
            .sends_at_most(12),
        always("a web page with 404", Fault::portal(404))
            .fails(&[1, 4])
            .sends_at_most(12),
        always("503", Fault::status(503, &[]))
            .fails(&[1])
            .says("503|no byte moved")
            .sends_at_most(12),
    ]
}

/// Every request after the first asks for the missing bytes of the same version of the file.
fn goes_on(world: &World) -> bool {
    let log = world.proxy.log();
    let mut asked = log
        .iter()
        .filter(|relayed| COMMAND.calls().hold(&relayed.seen))
        .skip(1)
        .peekable();
    asked.peek().is_some()
        && asked.all(|relayed| {
            relayed.seen.header("range").is_some() && relayed.seen.header("if-range").is_some()
        })
}

/// Allows for the file's bytes and the contents of socket buffers.
fn little_came_down(world: &World) -> bool {
    let log = world.proxy.log();
    log.iter().map(|relayed| relayed.down).sum::<usize>() < content("c.bin").len() + (32 << 20)
}
