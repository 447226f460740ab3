//! Answers to reads of the limits: into the book, from there into the journal, and from what that remembers to the user.

use std::collections::BTreeMap;

use crate::api::Error;
use crate::engine::Request;
use crate::engine::limits::{LimitEntry, LimitHistory, Report};
use crate::tui::message::Effect;
use crate::tui::state::limits::Crossing;
use crate::tui::state::{MessageLevel, Read, State};

pub(super) fn done(state: &mut State, report: &Report, entries: Vec<LimitEntry>) -> Vec<Effect> {
    let now = state.now;
    state.current.limits.change(|limits| limits.book.take(report, entries, now));
    ended(state, report)
}

pub(super) fn failed(state: &mut State, report: &Report, error: &Error) -> Vec<Effect> {
    state.current.limits.book.fail(report, error.clone());
    ended(state, report)
}

/// Once all reports on the account are there: notes what could not be read, and keeps the rest.
fn ended(state: &mut State, report: &Report) -> Vec<Effect> {
    let book = &state.current.limits.book;
    if book.is_reading() || !Report::OF_ACCOUNT.contains(report) {
        return Vec::new();
    }
    let (problems, snapshot) = (book.problems(), book.snapshot(state.now));
    for (titles, error) in problems {
        // The view shows it in its place.
        state.note_failed(true, &format!("Limits could not be read: {titles}"), &error);
    }
    let keep =
        snapshot.map(|snapshot| Effect::Submit(state.current.ops.read(Read::Remember), Request::Remember(snapshot)));
    keep.into_iter().collect()
}

pub(super) fn not_kept(state: &mut State, error: &Error) {
    state.note_failed(true, "The history of the limits could not be saved", error);
}

/// Takes what is remembered, and says which gauges have come to a level since they were read before.
pub(super) fn remembered(state: &mut State, past: BTreeMap<String, LimitHistory>) {
    let mut crossings = Vec::new();
    state.current.limits.change(|limits| crossings = limits.book.remember(past));
    if !crossings.is_empty() {
        state.say(MessageLevel::Warn, words(&crossings));
    }
}

/// `Limits past 90%: Records · Contacts. Past 75%: Pipelines · Deals.`
fn words(crossings: &[Crossing]) -> String {
    let mut sentences = Vec::new();
    for level in [90, 75] {
        let gauges: Vec<&str> = crossings
            .iter()
            .filter(|crossing| crossing.level == level)
            .map(|crossing| crossing.gauge.as_str())
            .collect();
        if !gauges.is_empty() {
            sentences.push(format!("passed {level}% since the last start: {}", gauges.join(", ")));
        }
    }
    format!("Limits {}.", sentences.join("; "))
}
