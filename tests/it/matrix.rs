//! Every command of the binary under every fault of a network and of a service, each cell with its
//! one outcome: the exit code, the messages, and the state of both sides afterwards.
//! `FILEDECK_TEST_CELLS` selects the cells whose names contain it.

mod cell;
mod command;
mod common;
#[cfg(unix)]
mod crowds;
mod get;
#[cfg(unix)]
mod interrupted;
mod limits;
#[cfg(unix)]
mod lost_journal;
mod ls;
mod many;
mod put;
mod replacement;
mod rm;
mod trickles;
mod twins;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cell::Cell;

/// The number of parallel cells: most of their time is waiting.
const AT_ONCE: usize = 6;

#[test]
fn every_cell_holds() {
    let picked = std::env::var("FILEDECK_TEST_CELLS").unwrap_or_default();
    let cells: Vec<Cell> = [
        ls::cells(),
        put::cells(),
        many::cells(),
        get::cells(),
        rm::cells(),
        limits::cells(),
    ]
    .into_iter()
    .flatten()
    .filter(|cell| cell.name().contains(&picked))
    .collect();
    let (all, failed) = (cells.len(), AtomicUsize::new(0));
    let cells = Mutex::new(cells.into_iter());
    let next = || cells.lock().unwrap().next();
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                while let Some(cell) = next() {
                    let name = cell.name();
                    let result = catch_unwind(AssertUnwindSafe(|| cell.run()));
                    if let Err(wrong) =
                        result.unwrap_or_else(|_| Err("the test itself failed".to_owned()))
                    {
                        failed.fetch_add(1, Ordering::SeqCst);
                        eprintln!("FAILS {name}: {wrong}");
                    }
                }
            });
        }
    });
    let failed = failed.into_inner();
    eprintln!("{} of {all} cells hold", all - failed);
    assert_eq!(failed, 0, "cells that do not hold");
}
