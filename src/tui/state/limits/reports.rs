//! The limits reports, each with its answer, pending request and last error; and the history of the
//! gauges.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::name::{gauge, title};
use crate::api::Error;
use crate::api::model::ObjectTypeName;
use crate::engine::OpId;
use crate::engine::limits::{LimitEntry, LimitHistory, Measure, Report, Share, Snapshot, readings};

/// The answer, pending request and last error of a report; any of them may be present at once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportState {
    pub entries: Option<Vec<LimitEntry>>,
    pub loading: Option<OpId>,
    pub problem: Option<Error>,
    pub asked_at: Option<Timestamp>,
    pub loaded_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reports {
    answers: BTreeMap<Report, ReportState>,
    past: BTreeMap<String, LimitHistory>,
    /// The time of the last request for the account's reports.
    pub asked_at: Option<Timestamp>,
}

/// A gauge that has reached a level since its previous reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossing {
    /// The level in percent.
    pub level: u8,
    /// Safe to show.
    pub gauge: String,
}

const LEVELS: [u8; 2] = [90, 75];

static NOTHING: ReportState = ReportState {
    entries: None,
    loading: None,
    problem: None,
    asked_at: None,
    loaded_at: None,
};

impl Reports {
    pub fn answer(&self, report: &Report) -> &ReportState {
        self.answers.get(report).unwrap_or(&NOTHING)
    }

    /// The entries of a report; empty if it is not loaded.
    pub fn entries(&self, report: &Report) -> &[LimitEntry] {
        self.answer(report).entries.as_deref().unwrap_or_default()
    }

    /// The object types in the report on custom properties.
    pub fn types(&self) -> impl Iterator<Item = &LimitEntry> {
        self.entries(&Report::CustomProperties)
            .iter()
            .filter(|entry| entry.object_type().is_some())
    }

    /// The object types with their custom properties, fullest first.
    pub fn fullest_types(&self) -> Vec<(&ObjectTypeName, Share)> {
        let mut types: Vec<_> = self
            .types()
            .filter_map(|entry| Some((entry.object_type()?, entry.share()?)))
            .collect();
        types.sort_by(|(_, a), (_, b)| b.percentage.total_cmp(&a.percentage));
        types
    }

    /// The object type with this id, as named by any report; without labels if none does.
    pub fn object_type(&self, id: &str) -> ObjectTypeName {
        let named = self
            .answers
            .values()
            .filter_map(|answer| answer.entries.as_ref())
            .flatten();
        let named = named
            .filter_map(LimitEntry::object_type)
            .find(|name| name.object_type_id == id);
        let unnamed = || ObjectTypeName {
            object_type_id: id.to_owned(),
            singular_label: String::new(),
            plural_label: String::new(),
        };
        named.cloned().unwrap_or_else(unnamed)
    }

    /// The entry with the highest percentage.
    pub fn worst(&self, report: &Report) -> Option<(&LimitEntry, Share)> {
        let shares = self
            .entries(report)
            .iter()
            .filter_map(|entry| Some((entry, entry.share()?)));
        // `max_by` returns the last of equals; the first is wanted.
        shares
            .rev()
            .max_by(|(_, a), (_, b)| a.percentage.total_cmp(&b.percentage))
    }

    pub fn fullest(&self) -> Option<f64> {
        let worst = Report::OF_ACCOUNT
            .iter()
            .filter_map(|report| self.worst(report));
        worst
            .map(|(_, share)| share.percentage)
            .max_by(f64::total_cmp)
    }

    pub fn past(&self, report: &Report, entry: &LimitEntry) -> Option<&LimitHistory> {
        self.past_of(&report.gauge(&entry.subject))
    }

    pub fn past_of(&self, gauge: &str) -> Option<&LimitHistory> {
        self.past.get(gauge)
    }

    pub fn ask(&mut self, report: Report, op: OpId, now: Timestamp) {
        let answer = self.answers.entry(report).or_default();
        (answer.loading, answer.asked_at) = (Some(op), Some(now));
    }

    pub fn store_answer(&mut self, report: &Report, entries: Vec<LimitEntry>, now: Timestamp) {
        let answer = self.answers.entry(report.clone()).or_default();
        let asked_at = answer.asked_at;
        *answer = ReportState {
            entries: Some(entries),
            asked_at,
            loaded_at: Some(now),
            ..ReportState::default()
        };
    }

    pub fn fail(&mut self, report: &Report, error: Error) {
        let answer = self.answers.entry(report.clone()).or_default();
        (answer.loading, answer.problem) = (None, Some(error));
    }

    pub fn is_reading(&self) -> bool {
        Report::OF_ACCOUNT
            .iter()
            .any(|report| self.answer(report).loading.is_some())
    }

    /// The last failures, grouped by error: the titles of the reports, and the error.
    pub fn problems(&self) -> Vec<(String, Error)> {
        let mut problems: Vec<(String, Error)> = Vec::new();
        for report in &Report::OF_ACCOUNT {
            let Some(error) = &self.answer(report).problem else {
                continue;
            };
            match problems
                .iter_mut()
                .find(|(_, known)| known.message == error.message)
            {
                Some((titles, _)) => *titles = format!("{titles}, {}", title(report)),
                None => problems.push((title(report).to_owned(), error.clone())),
            }
        }
        problems
    }

    /// The current readings, to be saved; reports whose last read failed are left out.
    pub fn snapshot(&self, now: Timestamp) -> Option<Snapshot> {
        let fresh = Report::OF_ACCOUNT
            .iter()
            .filter(|report| self.answer(report).problem.is_none());
        let readings: Vec<_> = fresh
            .flat_map(|report| readings(report, self.entries(report)))
            .collect();
        (!readings.is_empty()).then_some(Snapshot { at: now, readings })
    }

    /// Stores the history of the gauges and returns those that have reached a level since their
    /// previous reading.
    pub fn remember(&mut self, past: BTreeMap<String, LimitHistory>) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        for report in &Report::OF_ACCOUNT {
            for entry in self.entries(report) {
                let Some((share, (usage, limit))) = entry.share().zip(
                    past.get(&report.gauge(&entry.subject))
                        .and_then(|past| past.before),
                ) else {
                    continue;
                };
                let has_come = |level: &&u8| {
                    let was_below =
                        u128::from(usage) * 100 < u128::from(limit) * u128::from(**level);
                    was_below && share.percentage >= f64::from(**level)
                };
                if let Some(level) = LEVELS.iter().find(has_come) {
                    crossings.push(Crossing {
                        level: *level,
                        gauge: gauge(report, &entry.subject, false),
                    });
                }
            }
        }
        self.past.extend(past);
        crossings
    }

    /// The next report about associations of this type that is out of date; `None` while one of
    /// them is being read.
    pub fn lacks(&self, from: &str) -> Option<Report> {
        let is_waiting = self.is_known(from) && self.answer(&Report::Sources).loading.is_some();
        if is_waiting || self.has_none(from) {
            return None;
        }
        let targets = Report::Targets {
            from: from.to_owned(),
        };
        let pairs = self
            .entries(&targets)
            .iter()
            .filter_map(|entry| match entry.measure {
                Measure::Flags { at: Some(true), .. }
                | Measure::Flags {
                    near: Some(true), ..
                } => Some(Report::Pair {
                    from: from.to_owned(),
                    to: entry.object_type()?.object_type_id.clone(),
                }),
                _ => None,
            });
        let mut wanted = vec![targets.clone()];
        wanted.extend(pairs);
        if wanted
            .iter()
            .any(|report| self.answer(report).loading.is_some())
        {
            return None;
        }
        wanted
            .into_iter()
            .find(|report| self.answer(report).asked_at < self.asked_at.max(Some(Timestamp::MIN)))
    }

    /// Returns `true` if the report lists no records of this type at or near an association limit.
    pub fn has_none(&self, from: &str) -> bool {
        let sources = self.answer(&Report::Sources);
        let is_there = sources.entries.is_some() && sources.problem.is_none();
        // A type missing from the report on object types is looked up at the service instead.
        is_there
            && self.is_known(from)
            && !self
                .entries(&Report::Sources)
                .iter()
                .any(|entry| is_of(entry, from))
    }

    fn is_known(&self, id: &str) -> bool {
        self.types().any(|entry| is_of(entry, id))
    }
}

fn is_of(entry: &LimitEntry, id: &str) -> bool {
    entry
        .object_type()
        .is_some_and(|name| name.object_type_id == id)
}
