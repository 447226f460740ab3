//! Thirty days of limits for the demo: the sample's usage as it may have grown, read once a day.

use jiff::{SignedDuration, Timestamp};

use crate::engine::limits::{self, Report, Snapshot};
use crate::service::crm::{Usage, reports};

const DAYS: u64 = 30;

/// The growth of a type's custom properties per day, in tenths.
const GROWTH: [(&str, i64); 6] = [
    // Contacts, Companies, Deals, Tickets, Leads, Franchises.
    ("0-1", 22),
    ("0-2", 17),
    ("0-3", -12),
    ("0-5", 95),
    ("0-136", 4),
    ("2-2417", 54),
];
/// The number of days for which Tickets have been full.
const FULL_FOR: u64 = 4;
/// New records of a type per day.
const RECORDS: [(&str, u64); 3] = [("0-1", 41_000), ("0-53", 18_500), ("0-421", 420)];

/// Returns the sample's limits on each of the thirty days before `now`.
pub(super) fn snapshots(sample: &Usage, now: Timestamp) -> Vec<Snapshot> {
    (1..=DAYS)
        .rev()
        .filter_map(|days| snapshot(sample, days, now))
        .collect()
}

fn snapshot(sample: &Usage, days: u64, now: Timestamp) -> Option<Snapshot> {
    let usage = before(sample, days);
    let read = [
        (
            Report::CustomProperties,
            limits::custom_properties(reports::custom_properties(&usage)),
        ),
        (
            Report::Records,
            limits::by_definition(reports::records(&usage)),
        ),
        (
            Report::Pipelines,
            limits::by_definition(reports::pipelines(&usage)),
        ),
        (
            Report::Labels,
            limits::association_labels(
                reports::association_labels(&usage, None, None)
                    .ok()?
                    .results,
            ),
        ),
        (
            Report::CalculatedProperties,
            limits::calculated_properties(reports::calculated_properties(&usage)),
        ),
        (
            Report::CustomObjectTypes,
            limits::custom_object_types(&reports::custom_object_types(&usage)),
        ),
    ];
    let readings = read
        .iter()
        .flat_map(|(report, entries)| limits::readings(report, entries))
        .collect();
    let at = now
        .checked_sub(SignedDuration::from_hours(24).checked_mul(i32::try_from(days).ok()?)?)
        .ok()?;
    Some(Snapshot { at, readings })
}

/// Returns the sample's usage `days` days ago.
fn before(sample: &Usage, days: u64) -> Usage {
    let mut usage = sample.clone();
    for object_type in &mut usage.object_types {
        let id = object_type.id.as_str();
        let properties = &mut object_type.custom_properties;
        if let Some((_, tenths)) = GROWTH.iter().find(|(of, _)| *of == id) {
            let days = if properties.usage >= properties.limit {
                days.saturating_sub(FULL_FOR)
            } else {
                days
            };
            let change = tenths.unsigned_abs() * days / 10;
            let past = if *tenths < 0 {
                properties.usage + change
            } else {
                properties.usage.saturating_sub(change)
            };
            properties.usage = past.min(properties.limit);
        }
        if let Some((_, a_day)) = RECORDS.iter().find(|(of, _)| *of == id) {
            object_type.records.usage = object_type.records.usage.saturating_sub(a_day * days);
        }
        // Types with many calculated properties get one more each week.
        if object_type.calculated_properties > 10 {
            object_type.calculated_properties -= days / 7;
        }
        // Two pipelines of Deals were added today.
        if let Some(pipelines) = object_type.pipelines.as_mut().filter(|_| id == "0-3") {
            pipelines.usage = pipelines.usage.saturating_sub(2);
        }
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Journal;

    #[tokio::test]
    async fn thirty_days_lead_to_the_samples_own_usage() {
        let (journal, now) = (
            Journal::in_memory("demo").await.unwrap(),
            "2026-11-21T09:30:00Z".parse().unwrap(),
        );
        journal
            .add_snapshots(&snapshots(&Usage::sample().unwrap(), now))
            .await
            .unwrap();
        let past = journal
            .keep_snapshot(&snapshot(&Usage::sample().unwrap(), 0, now).unwrap())
            .await
            .unwrap();
        for object_type in &Usage::sample().unwrap().object_types {
            let days = &past[&format!("custom-properties {}", object_type.id)].days;
            assert_eq!(
                days.last().unwrap().usage,
                object_type.custom_properties.usage
            );
            let most = days
                .windows(2)
                .map(|pair| pair[1].usage.abs_diff(pair[0].usage))
                .max()
                .unwrap();
            assert!(
                days.len() == 30 && most <= 10,
                "{}: {days:?}",
                object_type.id
            );
        }
        let (usage, limit) = past["pipelines 0-3"].before.unwrap();
        assert!(
            usage * 100 < limit * 75,
            "there is something to say at the start"
        );
    }
}
