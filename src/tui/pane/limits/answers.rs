//! Handles answers to reads of the limits: stores them, saves a snapshot, and reports the levels
//! passed since the last one.

use std::collections::BTreeMap;

use crate::api::Error;
use crate::engine::OpId;
use crate::engine::limits::{LimitEntry, LimitHistory, Report};
use crate::engine::question::{ReadLimits, SaveSnapshot};
use crate::tui::pane::ask::{OnAnswer, ask};
use crate::tui::state::limits::Crossing;
use crate::tui::state::{LimitsRead, MessageLevel, SnapshotRead, State};

impl OnAnswer for LimitsRead {
    type Question = ReadLimits;

    fn answered(self, state: &mut State, _: OpId, answer: Vec<LimitEntry>) {
        let now = state.now;
        state
            .session
            .limits
            .change(|limits| limits.book.store_answer(&self.0, answer, now));
        ended(state, &self.0);
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.session.limits.book.fail(&self.0, error.clone());
        ended(state, &self.0);
    }
}

/// Logs the failed reports and saves a snapshot of the others, once all reports on the account have
/// arrived.
fn ended(state: &mut State, report: &Report) {
    let book = &state.session.limits.book;
    if book.is_reading() || !Report::OF_ACCOUNT.contains(report) {
        return;
    }
    let (problems, snapshot) = (book.problems(), book.snapshot(state.now));
    for (titles, error) in problems {
        // Only in the log: the view shows the error itself.
        state.note_failed(true, &format!("Limits could not be read: {titles}"), &error);
    }
    if let Some(snapshot) = snapshot {
        ask(state, SnapshotRead, SaveSnapshot(snapshot));
    }
}

impl OnAnswer for SnapshotRead {
    type Question = SaveSnapshot;

    fn answered(self, state: &mut State, _: OpId, answer: BTreeMap<String, LimitHistory>) {
        let mut crossings = Vec::new();
        state
            .session
            .limits
            .change(|limits| crossings = limits.book.remember(answer));
        if !crossings.is_empty() {
            let text = words(&crossings);
            state.mention(MessageLevel::Warn, text);
        }
    }

    fn failed(self, state: &mut State, _: OpId, error: &Error) {
        state.note_failed(true, "The history of the limits could not be saved", error);
    }
}

/// The crossings in words: `Records passed 90%; Pipelines and Deals passed 75% since the last
/// start.`
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

/// The names as in `A, B and C`.
fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}
