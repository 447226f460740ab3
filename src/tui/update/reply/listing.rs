//! Answers to reads of the open folder: they change the rows that they are about. The answer of a read that was given up
//! does not come here.

use std::collections::BTreeSet;

use super::gone;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::message::{Entry, Target};
use crate::engine::{OpId, Outcome};
use crate::tui::message::Effect;
use crate::tui::state::{ListPurpose, ListRead, State, View};
use crate::tui::update::{listing, mark, rename};

pub(super) fn done(state: &mut State, op: OpId, result: Result<Outcome, Error>) -> Vec<Effect> {
    let Some(pending) = state.current.listing.pending.filter(|pending| pending.op == op) else { return Vec::new() };
    let now = state.now;
    let list = &mut state.current.listing;
    let is_for_names = pending.ask == ListRead::Whole(ListPurpose::Rename);
    match (pending.ask, result) {
        (ListRead::First, Ok(Outcome::Listed { entries, next })) => list.take_first(entries, next, now),
        (ListRead::Next, Ok(Outcome::Listed { entries, next })) => list.take_next(entries, next, now),
        (ListRead::Look, Ok(Outcome::Looked { found, gone })) => looked(state, found, &gone.into_iter().collect()),
        (ListRead::Whole(purpose), Ok(Outcome::AllListed)) => {
            list.finish_whole(now);
            mark::mark(state, purpose);
        }
        (_, Err(error)) if error.kind == Kind::NotFound && list.of.folder().is_some_and(|place| !place.is_root()) => {
            list.pending = None;
            return gone::open_nearest(state);
        }
        (_, Err(error)) => {
            failed(state, op, &error);
            return Vec::new();
        }
        (_, Ok(_)) => {
            failed(state, op, &Error::new(Kind::Internal, "The answer does not fit the question."));
            return Vec::new();
        }
    }
    state.current.listing.pending = None;
    state.current.listing.catch_up();
    let mut effects = Vec::new();
    if is_for_names {
        effects.extend(rename::read_whole(state));
    }
    if state.current.listing.stale {
        effects.extend(listing::reconcile(state));
        return effects;
    }
    if state.current.listing.is_empty() && state.current.listing.is_whole() {
        // A folder that is gone lists like an empty one: look whether it is there.
        effects.extend(gone::ask_still_there(state));
        return effects;
    }
    effects.extend(listing::sought(state));
    effects
}

/// Rows that were asked about are changed, come in or go.
fn looked(state: &mut State, found: Vec<Entry>, gone: &BTreeSet<Target>) {
    // What is not there cannot be waited for, nor what the service does not tell of.
    let is_mute = found.is_empty() && gone.is_empty();
    if state.current.listing.seek.as_ref().is_some_and(|target| is_mute || gone.contains(target)) {
        state.current.listing.seek = None;
    }
    state.current.listing.settle(found, gone);
}

/// Rows of the whole folder, while it is read.
pub(super) fn part(state: &mut State, op: OpId, entries: Vec<Entry>) {
    if state.current.listing.pending.is_some_and(|pending| pending.op == op) {
        state.current.listing.take_part(entries, state.now);
    }
}

/// How many files were looked at so far.
pub(super) fn looked_at(state: &mut State, op: OpId, count: usize) {
    if state.current.listing.pending.is_some_and(|pending| pending.op == op) {
        state.current.listing.look_at(count);
    }
}

/// A read of the open folder came to nothing.
pub(super) fn failed(state: &mut State, op: OpId, error: &Error) {
    let Some(pending) = state.current.listing.pending.filter(|pending| pending.op == op) else { return };
    let list = &mut state.current.listing;
    list.pending = None;
    list.stop_whole();
    list.stale = false;
    // Rows that could not be looked at again are no worse than before.
    if pending.ask != ListRead::Look {
        list.fail(error.clone());
    }
    let what = format!("{} could not be read", visible(list.of.title()));
    let is_shown = list.is_empty() && list.problem().is_some() && state.view == View::Files;
    state.note_failed(is_shown, &what, error);
}
