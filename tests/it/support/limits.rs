//! Sample limits reports: an account with types that are full, nearly full and empty.

use std::collections::BTreeMap;

use filedeck::api::model::ObjectTypeName;
use filedeck::api::{Error, Kind};
use filedeck::engine::limits::{
    Day, EntrySubject, LimitEntry, LimitHistory, Measure, Report, Share, readings,
};
use filedeck::tui::state::limits::{AccountReading, Reports};
use jiff::{SignedDuration, Timestamp};

pub fn name(id: &str, plural: &str) -> ObjectTypeName {
    let singular = plural.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let singular_label = singular.unwrap_or_else(|| plural.trim_end_matches('s').to_owned());
    ObjectTypeName::new(id, singular_label, plural)
}

pub fn of_type(id: &str, plural: &str, measure: Measure) -> LimitEntry {
    LimitEntry::new(EntrySubject::Type(name(id, plural)), measure)
}

#[expect(clippy::cast_precision_loss, reason = "small figures")]
pub fn used(usage: u64, limit: u64) -> Measure {
    Measure::Share(Share {
        usage,
        limit,
        percentage: usage as f64 * 100.0 / limit as f64,
    })
}

pub fn all(usage: u64, limit: u64) -> LimitEntry {
    LimitEntry::new(EntrySubject::All, used(usage, limit))
}

const CONTACTS: (&str, &str) = ("0-1", "Contacts");
const COMPANIES: (&str, &str) = ("0-2", "Companies");
const DEALS: (&str, &str) = ("0-3", "Deals");
const TICKETS: (&str, &str) = ("0-5", "Tickets");
const SUBSCRIPTIONS: (&str, &str) = ("2-1", "Subscriptions");
const VESSELS: (&str, &str) = ("2-9", "Vessels");

pub fn account() -> Vec<(Report, Vec<LimitEntry>)> {
    let entry = |(id, plural), measure| of_type(id, plural, measure);
    let label = |from: (&str, &str), to: (&str, &str), labels: &[&str]| LimitEntry {
        subject: EntrySubject::Pair(name(from.0, from.1), name(to.0, to.1)),
        measure: used(labels.len() as u64, 50),
        labels: labels.iter().map(|&label| label.to_owned()).collect(),
    };
    let custom = |usage, limit| LimitEntry::new(EntrySubject::Custom, used(usage, limit));
    let flags = |of, at, near| {
        entry(
            of,
            Measure::Flags {
                at: Some(at),
                near: Some(near),
            },
        )
    };
    vec![
        (
            Report::CustomProperties,
            vec![
                all(3_088, 8_000),
                entry(CONTACTS, used(872, 1_000)),
                entry(COMPANIES, used(310, 1_000)),
                entry(DEALS, used(701, 1_000)),
                entry(TICKETS, used(200, 1_000)),
                entry(SUBSCRIPTIONS, used(1_000, 1_000)),
                entry(VESSELS, used(5, 1_000)),
            ],
        ),
        (
            Report::Records,
            vec![
                entry(CONTACTS, used(6_300_112, 15_000_000)),
                entry(DEALS, used(94, 15_000_000)),
                custom(48_522, 1_500_000),
                entry(SUBSCRIPTIONS, Measure::Count(48_210)),
                entry(VESSELS, Measure::Count(312)),
            ],
        ),
        (
            Report::Pipelines,
            vec![
                entry(DEALS, used(22, 25)),
                entry(TICKETS, used(3, 25)),
                custom(3, 100),
                entry(SUBSCRIPTIONS, Measure::Count(3)),
            ],
        ),
        (
            Report::Labels,
            vec![
                label(CONTACTS, DEALS, &["Champion", "Decision maker"]),
                label(
                    CONTACTS,
                    COMPANIES,
                    &["Billing contact", "Former employee", "Technical lead"],
                ),
            ],
        ),
        (
            Report::CalculatedProperties,
            vec![all(192, 200), entry(CONTACTS, Measure::Count(120))],
        ),
        (Report::CustomObjectTypes, vec![all(2, 10)]),
        (
            Report::Sources,
            vec![
                flags(CONTACTS, false, true),
                flags(SUBSCRIPTIONS, true, true),
            ],
        ),
    ]
}

/// The associations of Subscriptions, the first type in the list.
pub fn associations() -> Vec<(Report, Vec<LimitEntry>)> {
    let from = || SUBSCRIPTIONS.0.to_owned();
    let record = |id, label: &str, usage| {
        LimitEntry::new(
            EntrySubject::Record {
                id,
                label: label.to_owned(),
            },
            used(usage, 50_000),
        )
    };
    let flags = |(id, plural), at, near| {
        of_type(
            id,
            plural,
            Measure::Flags {
                at: Some(at),
                near: Some(near),
            },
        )
    };
    let totals = |at, near| {
        LimitEntry::new(
            EntrySubject::All,
            Measure::Totals {
                limit: 50_000,
                at,
                near,
            },
        )
    };
    vec![
        (
            Report::Targets { from: from() },
            vec![flags(DEALS, false, true), flags(CONTACTS, true, true)],
        ),
        (
            Report::Pair {
                from: from(),
                to: CONTACTS.0.to_owned(),
            },
            vec![
                totals(3, 1),
                record(35_019_034, "shared-inbox@example.com", 50_000),
                record(35_020_118, "Support robot", 50_000),
                record(35_014_201, "Ada Marlow", 44_310),
            ],
        ),
        (
            Report::Pair {
                from: from(),
                to: DEALS.0.to_owned(),
            },
            vec![
                totals(0, 12),
                record(9_042_117, "Renewal 2026 – EMEA", 41_870),
            ],
        ),
    ]
}

/// Thirty days: Contacts grow by 3 a day, Deals fall by 4, calculated properties grow by 1; all
/// else is constant.
pub fn past(now: Timestamp) -> BTreeMap<String, LimitHistory> {
    let mut past = BTreeMap::new();
    for (report, entries) in account() {
        for reading in readings(&report, &entries) {
            let step = match reading.gauge.as_str() {
                "custom-properties 0-1" => 3,
                "custom-properties 0-3" => -4,
                "calculated-properties" => 1,
                _ => 0,
            };
            let day = |days: i64| Day {
                at: now - SignedDuration::from_hours(24 * days),
                usage: reading.usage.saturating_add_signed(-step * days),
            };
            let before = Some((reading.usage, reading.limit));
            past.insert(
                reading.gauge.clone(),
                LimitHistory {
                    before,
                    days: (0..30).rev().map(day).collect(),
                },
            );
        }
    }
    past
}

/// A reading of another account, with the reports of `account`.
pub fn reading(name: &str, read_at: Timestamp) -> AccountReading {
    let mut book = Reports::default();
    for (report, entries) in account() {
        book.store_answer(&report, entries, read_at);
    }
    AccountReading {
        name: name.to_owned(),
        book,
        read_at,
        warnings: Vec::new(),
    }
}

pub fn unread(name: &str, read_at: Timestamp, why: &str) -> AccountReading {
    let mut book = Reports::default();
    book.fail(
        &Report::CustomProperties,
        Error::new(Kind::Unauthorized, why),
    );
    AccountReading {
        book,
        ..reading(name, read_at)
    }
}
