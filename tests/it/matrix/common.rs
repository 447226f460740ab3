//! Cells that several commands share.

use super::cell::Cell;
use super::command::Command;
use super::world::World;
use crate::support::proxy::{End, Fault, Passed, Which};

/// A command waits as long as it is asked to, and does not hammer the service without such a
/// request.
pub(super) fn waits(command: Command) -> Vec<Cell> {
    let once = |fault, what| Cell::of(command, fault, Which::First(1), what);
    let always = |fault, what| Cell::of(command, fault, Which::All, what);
    vec![
        once(
            "429 with two seconds",
            Fault::status(429, &[("retry-after", "2")]),
        )
        .takes(2)
        .says("waiting")
        .says("as the service asked")
        .sends_at_most(2),
        always(
            "429 with no wait",
            Fault::status(429, &[("retry-after", "0")]),
        )
        .fails(&[6])
        .sends_at_most(8)
        .takes(1),
        always(
            "429 with a date that is past",
            Fault::status(429, &[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")]),
        )
        .fails(&[6])
        .sends_at_most(8)
        .takes(1),
        once(
            "429 that names no wait",
            Fault::status(
                429,
                &[("x-hubspot-ratelimit-interval-milliseconds", "2000")],
            ),
        )
        .takes(2)
        .says("for the rate limit")
        .hides("asked for it")
        .sends_at_most(2),
        once(
            "477 with a second",
            Fault::status(477, &[("retry-after", "1")]),
        )
        .takes(1)
        .sends_at_most(2),
        once(
            "503 with a second",
            Fault::status(503, &[("retry-after", "1")]),
        )
        .takes(1)
        .sends_at_most(2),
        always("403", Fault::status(403, &[]))
            .fails(&[3])
            .sends_at_most(1),
    ]
}

pub(super) fn reads(command: Command) -> Vec<Cell> {
    let once = |fault, what| Cell::of(command, fault, Which::First(1), what);
    let always = |fault, what| Cell::of(command, fault, Which::All, what);
    let mut cells = waits(command);
    cells.extend([
        Cell::new(command, "no fault", Vec::new()),
        once("a reset", Fault::ResetBefore),
        always("resets", Fault::ResetBefore)
            .fails(&[1])
            .says("connection")
            .sends_at_most(8),
        once(
            "a reset after the service answered",
            Fault::Reset(Passed::Now),
        ),
        always("silence", Fault::hang())
            .fails(&[1])
            .says("did not answer|no answer|transferred|sent nothing")
            .impatient(),
        Cell::total(command, "silence to everything", Fault::hang())
            .fails(&[1])
            .says("did not answer|no answer|transferred|sent nothing")
            .impatient(),
        once("an answer that is cut", Fault::cut(End::Reset)),
        always("answers that are cut", Fault::cut(End::Close))
            .fails(&[1])
            .sends_at_most(8),
        always("answers that stop in the middle", Fault::cut(End::Silence))
            .fails(&[1])
            .impatient(),
        always("answers longer than they say", Fault::length_off_by(-20))
            .fails(&[1])
            .says("json"),
        always("answers shorter than they say", Fault::length_off_by(20))
            .fails(&[1])
            .sends_at_most(8),
        always("answers without an end", Fault::endless())
            .fails(&[1])
            .says("larger")
            .check(little_came_down),
        always("a portal's page", Fault::portal(200))
            .fails(&[1])
            .says("web page"),
        Cell::total(command, "a portal for everything", Fault::portal(200))
            .fails(&[1])
            .says("web page"),
        always("empty 200", Fault::status(200, &[])).fails(&[1]),
        always("204", Fault::status(204, &[])).fails(&[1]),
        always("a web page with 404", Fault::portal(404))
            .fails(&[1, 4])
            .sends_at_most(8),
        always("503", Fault::status(503, &[]))
            .fails(&[1])
            .says("503")
            .sends_at_most(8),
        once(
            "504 while the service goes on",
            Fault::page(Passed::Now, 504),
        ),
        always("401", Fault::status(401, &[]))
            .fails(&[3])
            .sends_at_most(1),
    ]);
    cells
}

/// Allows for the largest JSON response that is read, and the contents of socket buffers.
fn little_came_down(world: &World) -> bool {
    world
        .proxy
        .log()
        .iter()
        .all(|relayed| relayed.down < 24 << 20)
}
