//! The lines of an object type or a report.

use std::borrow::Cow;

use super::name::{self, label};
use super::reports::Reports;
use crate::api::model::ObjectTypeName;
use crate::api::text::visible;
use crate::engine::limits::{EntrySubject, LimitEntry, Measure, Report, Share};
use crate::tui::style::symbols::towards;

#[derive(Debug, Clone, PartialEq)]
pub struct LimitLine {
    /// The indentation: 1 for a line that belongs to the one above, else 0.
    pub depth: usize,
    /// Safe to show.
    pub name: String,
    /// The second of two associated types; safe to show.
    pub to: Option<String>,
    /// The id as the service sent it.
    pub id: Option<String>,
    /// The key of the gauge's history; only shares have one.
    pub gauge: Option<String>,
    pub what: LineValue,
}

#[derive(Debug, Clone, PartialEq)]
pub enum LineValue {
    /// Precedes lines of another kind.
    Heading,
    Share(Share),
    Count(u64),
    /// Associations with that type: the flags, worst first, each with its number of records once
    /// known; and the percentage of the fullest record.
    Flags(Vec<(Flag, Option<u64>)>, Option<f64>),
    /// A line that is only a name.
    Name,
    /// A line whose name is a sentence.
    Words,
    /// The report is not loaded yet, or could not be read.
    Unread(Report),
}

/// The state of a type's records according to a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    At,
    Near,
    /// The report does not say.
    Unknown,
    Ok,
}

impl Flag {
    pub fn word(self) -> &'static str {
        match self {
            Self::At => "at limit",
            Self::Near => "near",
            Self::Unknown => "unknown",
            Self::Ok => "ok",
        }
    }

    pub fn is_trouble(self) -> bool {
        self != Self::Ok
    }
}

/// The flags of an entry, worst first; empty if it is not about records.
pub fn flags(entry: &LimitEntry) -> &'static [Flag] {
    match entry.measure {
        Measure::Flags {
            at: Some(true),
            near: Some(true),
        } => &[Flag::At, Flag::Near],
        Measure::Flags {
            at: Some(true),
            near: Some(false),
        } => &[Flag::At],
        Measure::Flags {
            at: Some(true),
            near: None,
        } => &[Flag::At, Flag::Unknown],
        Measure::Flags {
            at: Some(false),
            near: Some(true),
        } => &[Flag::Near],
        Measure::Flags {
            at: None,
            near: Some(true),
        } => &[Flag::Near, Flag::Unknown],
        Measure::Flags {
            at: Some(false),
            near: Some(false),
        } => &[Flag::Ok],
        Measure::Flags { .. } => &[Flag::Unknown],
        _ => &[],
    }
}

fn line(depth: usize, name: impl Into<String>, what: LineValue) -> LimitLine {
    LimitLine {
        depth,
        name: name.into(),
        to: None,
        id: None,
        gauge: None,
        what,
    }
}

fn line_of(depth: usize, subject: &EntrySubject, what: LineValue) -> LimitLine {
    match subject {
        EntrySubject::Pair(from, to) => LimitLine {
            to: Some(label(to)),
            ..line(depth, label(from), what)
        },
        subject => line(depth, name::subject(subject), what),
    }
}

impl LimitLine {
    /// The name, with the type that it leads to.
    pub fn called(&self, is_spoken: bool) -> Cow<'_, str> {
        match &self.to {
            Some(to) => towards(&self.name, to, is_spoken).into(),
            None => (&self.name).into(),
        }
    }
}

/// The type's limits in all reports, then the types with which its records are at or near an
/// association limit, with some of the records.
pub(super) fn of_type(book: &Reports, of: &ObjectTypeName) -> Vec<LimitLine> {
    let mut lines = own(book, of);
    if !lines.is_empty() {
        lines.push(line(0, "Associations of records", LineValue::Heading));
    }
    lines.extend(associations(book, &of.object_type_id));
    lines
}

fn associations(book: &Reports, from: &str) -> Vec<LimitLine> {
    let targets = Report::Targets {
        from: from.to_owned(),
    };
    let answer = book.answer(&targets).entries.as_deref();
    if book.has_none(from) || answer.is_some_and(<[LimitEntry]>::is_empty) {
        return vec![line(0, "No type is near its limit.", LineValue::Words)];
    }
    let Some(entries) = answer else {
        let sources = book.answer(&Report::Sources);
        let is_first = sources.loading.is_some() && sources.entries.is_none();
        return vec![line(
            0,
            "",
            LineValue::Unread(if is_first { Report::Sources } else { targets }),
        )];
    };
    worst_first(entries)
        .into_iter()
        .flat_map(|entry| target(book, from, entry))
        .collect()
}

/// The flags of the associations with a type, then the records that the service names.
fn target(book: &Reports, from: &str, entry: &LimitEntry) -> Vec<LimitLine> {
    let to = entry.id().unwrap_or_default();
    let pair = Report::Pair {
        from: from.to_owned(),
        to: to.clone(),
    };
    let records = book.entries(&pair);
    let totals = records.iter().find_map(|entry| match entry.measure {
        Measure::Totals { at, near, .. } => Some((at, near)),
        _ => None,
    });
    let count = |flag: Flag| match flag {
        Flag::At => totals.map(|(at, _)| at),
        Flag::Near => totals.map(|(_, near)| near),
        Flag::Unknown | Flag::Ok => None,
    };
    let flagged: Vec<_> = flags(entry)
        .iter()
        .map(|flag| (*flag, count(*flag)))
        .collect();
    let names_records = flagged
        .iter()
        .any(|(flag, _)| matches!(flag, Flag::At | Flag::Near));
    let fullest = records
        .iter()
        .filter_map(|entry| Some(entry.share()?.percentage))
        .max_by(f64::total_cmp);
    let what = LineValue::Flags(flagged.clone(), fullest);
    let mut lines = vec![LimitLine {
        id: Some(to),
        ..line_of(0, &entry.subject, what)
    }];
    if totals.is_none() && names_records {
        lines.push(line(1, "", LineValue::Unread(pair)));
        return lines;
    }
    for (flag, count) in flagged {
        let Some(count) = count else { continue };
        let shown = lines.len();
        let shares = records
            .iter()
            .filter_map(|entry| Some((entry, entry.share()?)));
        let named = shares.filter(|(_, share)| (share.usage >= share.limit) == (flag == Flag::At));
        lines.extend(named.map(|(entry, share)| LimitLine {
            id: entry.id(),
            ..line_of(1, &entry.subject, LineValue::Share(share))
        }));
        let named = u64::try_from(lines.len() - shown).unwrap_or(u64::MAX);
        if let Some(rest) = count.checked_sub(named).filter(|rest| *rest > 0) {
            let words = format!(
                "and {rest} more {} that the service does not name",
                flag.word()
            );
            lines.push(line(1, words, LineValue::Words));
        }
    }
    lines
}

fn own(book: &Reports, of: &ObjectTypeName) -> Vec<LimitLine> {
    let reports = [
        (Report::CustomProperties, "Properties"),
        (Report::Records, "Records"),
        (Report::Pipelines, "Pipelines"),
        (Report::CalculatedProperties, "Calculated"),
    ];
    let is_of_type = |entry: &&LimitEntry| {
        entry
            .object_type()
            .is_some_and(|name| name.object_type_id == of.object_type_id)
    };
    let shares = reports.iter().filter_map(|(report, title)| {
        let entry = book.entries(report).iter().find(is_of_type)?;
        measured(report, entry, line(0, *title, LineValue::Name))
    });
    let labels = book
        .entries(&Report::Labels)
        .iter()
        .filter_map(|entry| match &entry.subject {
            EntrySubject::Pair(from, to) if from.object_type_id == of.object_type_id => {
                let (id, to) = (Some(to.object_type_id.clone()), Some(label(to)));
                measured(
                    &Report::Labels,
                    entry,
                    LimitLine {
                        to,
                        id,
                        ..line(0, "Labels", LineValue::Name)
                    },
                )
            }
            _ => None,
        });
    shares.chain(labels).collect()
}

/// Adds the measured value to a line; a share also gets the key of its history.
fn measured(report: &Report, entry: &LimitEntry, of: LimitLine) -> Option<LimitLine> {
    match entry.measure {
        Measure::Share(share) => {
            let gauge = Some(report.gauge(&entry.subject));
            Some(LimitLine {
                gauge,
                what: LineValue::Share(share),
                ..of
            })
        }
        Measure::Count(count) => Some(LimitLine {
            what: LineValue::Count(count),
            ..of
        }),
        _ => None,
    }
}

/// Everything in a report, worst first; entries without a limit of their own come last.
pub(super) fn of_report(book: &Reports, report: &Report) -> Vec<LimitLine> {
    let Some(entries) = &book.answer(report).entries else {
        return vec![line(0, "", LineValue::Unread(report.clone()))];
    };
    if entries.is_empty() {
        let words = if *report == Report::Sources {
            "No type is near its limit."
        } else {
            "This report is empty."
        };
        return vec![line(0, words, LineValue::Words)];
    }
    let mut lines = Vec::new();
    for entry in worst_first(entries) {
        let flagged: Vec<_> = flags(entry).iter().map(|flag| (*flag, None)).collect();
        if !flagged.is_empty() {
            lines.push(LimitLine {
                id: entry.id(),
                ..line_of(0, &entry.subject, LineValue::Flags(flagged, None))
            });
        }
        let named = LimitLine {
            id: entry.id(),
            ..line_of(0, &entry.subject, LineValue::Name)
        };
        lines.extend(measured(report, entry, named));
        lines.extend(
            entry
                .labels
                .iter()
                .map(|label| line(1, visible(label), LineValue::Name)),
        );
    }
    lines
}

fn worst_first(entries: &[LimitEntry]) -> Vec<&LimitEntry> {
    let rank = |entry: &LimitEntry| match entry.measure {
        Measure::Share(share) => (2, share.percentage),
        Measure::Flags { at: Some(true), .. } => (2, 3.0),
        Measure::Flags {
            near: Some(true), ..
        } => (2, 2.0),
        Measure::Flags { at: None, .. } | Measure::Flags { near: None, .. } => (2, 1.0),
        Measure::Flags { .. } | Measure::Totals { .. } => (2, 0.0),
        Measure::Count(_) => (1, 0.0),
    };
    let mut sorted: Vec<&LimitEntry> = entries.iter().collect();
    sorted.sort_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        b.0.cmp(&a.0).then_with(|| b.1.total_cmp(&a.1))
    });
    sorted
}
