//! The usage of limits in words and figures, and the check whether it has reached a percentage.

use jiff::Timestamp;

use crate::api::text::visible;
use crate::engine::limits::{LimitEntry, LimitHistory, Measure, Report, Share};
use crate::tui::state::limits::{Forecast, forecast, gauge};
use crate::tui::widget::figures;

const FULL: f64 = 100.0;

pub(super) fn in_words(report: &Report) -> String {
    match report {
        Report::Targets { from } => format!("the association limits of {from}"),
        Report::Pair { from, to } => format!("the association limits of {from} with {to}"),
        report => format!("the limits report {}", report.name()),
    }
}

pub(super) fn flags(at: Option<bool>, near: Option<bool>) -> &'static str {
    match (at, near) {
        (Some(true), Some(true)) => "AT and NEAR the limit",
        (Some(true), _) => "AT the limit",
        (Some(false), Some(true)) => "NEAR the limit",
        (None, Some(true)) => "NEAR the limit, and perhaps AT it",
        (Some(false), Some(false)) => "ok",
        (None, _) | (_, None) => "unknown: the report does not say",
    }
}

/// Returns the change in usage since thirty days ago, or since the first day on record.
pub(super) fn change(share: Share, past: Option<&LimitHistory>) -> Option<i64> {
    let first = past?.days.first()?;
    Some(
        i64::try_from(share.usage)
            .ok()?
            .saturating_sub(i64::try_from(first.usage).ok()?),
    )
}

pub(super) fn days_until_full(
    share: Share,
    past: Option<&LimitHistory>,
    now: Timestamp,
) -> Option<u32> {
    match forecast(share, past, now) {
        Forecast::Full => Some(0),
        Forecast::Days(days) => Some(days),
        Forecast::Steady | Forecast::Falling | Forecast::Unknown => None,
    }
}

pub(super) fn trend(share: Share, past: Option<&LimitHistory>, now: Timestamp) -> String {
    let change = change(share, past)
        .zip(past.and_then(LimitHistory::since))
        .map(|(change, since)| format!("{change:+} since {}, ", since.strftime("%Y-%m-%d")))
        .unwrap_or_default();
    let then = match forecast(share, past, now) {
        Forecast::Full => "full".to_owned(),
        Forecast::Days(1) => "full in about 1 day".to_owned(),
        Forecast::Days(days) => format!("full in about {days} days"),
        Forecast::Steady => "not full within a year".to_owned(),
        Forecast::Falling => "falling".to_owned(),
        Forecast::Unknown => "no trend known".to_owned(),
    };
    format!("{change}{then}")
}

/// Describes the limits of a report that have reached the percentage, and those whose usage it does
/// not tell; each once.
pub(super) fn reached(fail_at: u8, report: &Report, entries: &[LimitEntry]) -> Vec<String> {
    let words = |entry: &LimitEntry| {
        let mut name = gauge(report, &entry.subject, false);
        if let Some(id) = entry.id() {
            name = format!("{name} ({})", visible(&id));
        }
        let percentage = entry.percentage()?;
        let is_told = match entry.measure {
            Measure::Flags { at, near } => {
                at.is_some() && (near.is_some() || f64::from(fail_at) >= FULL)
            }
            Measure::Share(_) | Measure::Count(_) | Measure::Totals { .. } => true,
        };
        if percentage >= f64::from(fail_at) {
            return Some(format!(
                "{name}: {} of the limit is used",
                figures::percent(percentage)
            ));
        }
        (!is_told).then(|| format!("{name}: the report does not say how much of the limit is used"))
    };
    // The number of records says the same again of those that are named.
    let is_total = |entry: &&LimitEntry| matches!(entry.measure, Measure::Totals { .. });
    let (totals, limits): (Vec<_>, Vec<_>) = entries.iter().partition(is_total);
    let mut lines: Vec<String> = limits.into_iter().filter_map(words).collect();
    if lines.is_empty() {
        lines.extend(totals.into_iter().filter_map(words));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::limits::{Day, EntrySubject};

    #[test]
    fn a_trend_names_the_day_of_the_oldest_reading() {
        let now: Timestamp = "2026-11-21T09:30:00Z".parse().unwrap();
        let day = |at: &str, usage| Day {
            at: at.parse().unwrap(),
            usage,
        };
        let past = LimitHistory {
            before: None,
            days: vec![day("2026-11-02T23:00:00Z", 40), Day { at: now, usage: 45 }],
        };
        let share = Share {
            usage: 45,
            limit: 50,
            percentage: 90.0,
        };
        assert_eq!(
            trend(share, Some(&past), now),
            "+5 since 2026-11-02, no trend known"
        );
        assert_eq!(trend(share, None, now), "no trend known");
    }

    #[test]
    fn the_number_of_records_is_printed_only_where_none_is_named() {
        let (from, to) = ("0-1".to_owned(), "0-2".to_owned());
        let report = Report::Pair { from, to };
        let totals = Measure::Totals {
            limit: 100,
            at: 0,
            near: 2,
        };
        let totals = LimitEntry::new(EntrySubject::All, totals);
        let lines = reached(80, &report, &[totals]);
        assert_eq!(
            lines,
            ["Associations of 0-1 with 0-2: 80% of the limit is used"]
        );
    }
}
