//! Answers to reads of the limits: into the book, from there into the journal, and from what that remembers to the user.

use std::collections::BTreeMap;

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::limits::{LimitEntry, LimitHistory, Report};
use crate::engine::question::SaveSnapshot;
use crate::tui::state::limits::Crossing;
use crate::tui::state::{LimitsRead, MessageLevel, SnapshotRead, State};
use crate::tui::update::ask::{OnAnswer, ask};

impl OnAnswer for LimitsRead {
    fn answered(self, state: &mut State, _: OpId, answer: Vec<LimitEntry>) {
        let now = state.now;
        state.current.limits.change(|limits| limits.book.take(&self.0, answer, now));
        ended(state, &self.0);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.current.limits.book.fail(&self.0, error.clone());
        ended(state, &self.0);
    }
}

/// Once all reports on the account are there: notes what could not be read, and keeps the rest.
fn ended(state: &mut State, report: &Report) {
    let book = &state.current.limits.book;
    if book.is_reading() || !Report::OF_ACCOUNT.contains(report) {
        return;
    }
    let (problems, snapshot) = (book.problems(), book.snapshot(state.now));
    for (titles, error) in problems {
        // The view shows it in its place.
        state.note_failed(true, &format!("Limits could not be read: {titles}"), &error);
    }
    if let Some(snapshot) = snapshot {
        ask(state, SnapshotRead, SaveSnapshot(snapshot));
    }
}

impl OnAnswer for SnapshotRead {
    fn answered(self, state: &mut State, _: OpId, answer: BTreeMap<String, LimitHistory>) {
        // Says which gauges have passed a level since they were read before.
        let mut crossings = Vec::new();
        state.current.limits.change(|limits| crossings = limits.book.remember(answer));
        if !crossings.is_empty() {
            let text = words(&crossings);
            state.mention(MessageLevel::Warn, text);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.note_failed(true, "The history of the limits could not be saved", error);
    }
}

/// `Records passed 90%; Pipelines and Deals passed 75% since the last start.`
fn words(crossings: &[Crossing]) -> String {
    let mut sentences = Vec::new();
    for level in [90, 75] {
        let gauges: Vec<&str> = crossings
            .iter()
            .filter(|crossing| crossing.level == level)
            .map(|crossing| crossing.gauge.as_str())
            .collect();
        if !gauges.is_empty() {
            sentences.push(format!("{} passed {level}%", listed(&gauges)));
        }
    }
    format!("{} since the last start.", sentences.join("; "))
}

/// `A, B and C`
fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}
