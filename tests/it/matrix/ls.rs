//! `ls`.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::cell::Cell;
use super::command::Command;
use super::common;
use crate::support::proxy::{Fault, Which};

const COMMAND: Command = Command::Ls;

fn once(fault: &'static str, what: Fault) -> Cell {
    Cell::of(COMMAND, fault, Which::First(1), what)
}

fn always(fault: &'static str, what: Fault) -> Cell {
    Cell::of(COMMAND, fault, Which::All, what)
}

pub(super) fn cells() -> Vec<Cell> {
    let mut cells = common::reads(COMMAND);
    cells.extend([
        always(
            "a cursor that stands still",
            Fault::edited(|_, page| next(page, "1")),
        )
        .fails(&[1])
        .hides("404")
        .sends_at_most(10),
        always("pages that repeat", repeating())
            .fails(&[1])
            .sends_at_most(10),
        always("empty pages that go on", empty())
            .fails(&[1])
            .sends_at_most(20),
        always(
            "a page that begins with the last row of the one before",
            overlapping(),
        ),
        once(
            "a row with odd fields",
            Fault::edited(|_, page| odd(&mut page["results"][1])),
        ),
        once(
            "rows with odd fields",
            Fault::edited(|_, page| {
                page["results"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(odd);
            }),
        ),
    ]);
    cells
}

fn next(page: &mut Value, after: &str) {
    page["paging"] = json!({ "next": { "after": after } });
}

/// Repeats the first page as if it were the next one.
fn repeating() -> Fault {
    let first = Mutex::new(None);
    Fault::edited(move |seen, page| {
        page["results"] = first
            .lock()
            .unwrap()
            .get_or_insert_with(|| page["results"].clone())
            .clone();
        let offset = seen
            .query("after")
            .first()
            .map_or(0, |after| after.parse::<u32>().unwrap());
        next(page, &(offset + 3).to_string());
    })
}

/// Sends empty pages without end.
fn empty() -> Fault {
    Fault::edited(|seen, page| {
        page["results"] = json!([]);
        let offset = seen
            .query("after")
            .first()
            .map_or(0, |after| after.parse::<u32>().unwrap());
        next(page, &(offset + 1).to_string());
    })
}

/// Sends two rows and then the second of them again, with the third.
fn overlapping() -> Fault {
    let repeated = Mutex::new(None);
    Fault::edited(move |seen, page| {
        let results = page["results"].as_array_mut().unwrap();
        let mut repeated = repeated.lock().unwrap();
        if seen.query("after").is_empty() {
            results.truncate(2);
            *repeated = results.last().cloned();
            next(page, "2");
        } else {
            results.insert(0, repeated.take().unwrap());
        }
    })
}

fn odd(row: &mut Value) {
    row["archived"] = Value::Null;
    row["size"] = json!(-1);
}
