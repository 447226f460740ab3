//! The usage of limits in words and figures, and the check whether it has reached a percentage.

use jiff::Timestamp;

use crate::engine::limits::{LimitEntry, LimitHistory, Measure, Report, Share};
use crate::tui::state::limits::{Forecast, forecast, gauge};
use crate::tui::widget::figures;

const FULL: f64 = 100.0;
const BAR_CELLS: u32 = 20;

pub(super) fn in_words(report: &Report) -> String {
    match report {
        Report::Targets { from } => format!("the association limits of {from}"),
        Report::Pair { from, to } => format!("the association limits of {from} with {to}"),
        report => format!("the limits report {}", report.name()),
    }
}

pub(super) fn line(share: Share) -> String {
    let Share {
        usage,
        limit,
        percentage,
    } = share;
    format!(
        "{} {:>6}  {usage} of {limit}",
        bar(percentage),
        figures::percent(percentage)
    )
}

fn bar(percentage: f64) -> String {
    let filled = (1..=BAR_CELLS)
        .filter(|cell| f64::from(*cell) * FULL <= percentage * f64::from(BAR_CELLS))
        .count();
    format!("[{:-<1$}]", "#".repeat(filled), BAR_CELLS as usize)
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
        .map(|change| format!("{change:+} in 30 days, "))
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
/// not tell.
pub(super) fn reached(fail_at: u8, report: &Report, entries: &[LimitEntry]) -> Vec<String> {
    let words = |entry: &LimitEntry| {
        let name = gauge(report, &entry.subject, false);
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
    entries.iter().filter_map(words).collect()
}
