//! Forecasts when a gauge fills up, by a least-squares line through its history, unless the line
//! does not fit.

use jiff::Timestamp;

use crate::engine::limits::{Day, LimitHistory, Share};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forecast {
    Full,
    /// The number of days until it is full.
    Days(u32),
    /// Not full within a year.
    Steady,
    Falling,
    /// Too little history, or no linear trend.
    Unknown,
}

/// The fewest days on record, and the least time between the first and the last.
const LEAST_POINTS: usize = 5;
const LEAST_DAYS: f64 = 7.0;
/// The share of the variance that the line must explain (R²).
const LEAST_FIT: f64 = 0.8;
/// The share of the limit below which a change counts as none.
const LEAST_CHANGE: f64 = 0.01;
const MOST_DAYS: f64 = 365.0;
const DAY: f64 = 86_400.0;

pub fn forecast(share: Share, past: Option<&LimitHistory>, now: Timestamp) -> Forecast {
    if share.usage >= share.limit && share.limit > 0 {
        return Forecast::Full;
    }
    let Some(line) = past.and_then(|past| TrendLine::through(&past.days, now)) else {
        return Forecast::Unknown;
    };
    let limit = float(share.limit).max(1.0);
    let is_still = line.range / limit < LEAST_CHANGE;
    let days = float(share.left()) / line.slope;
    match line {
        _ if line.range == 0.0 => Forecast::Steady,
        line if line.fit < LEAST_FIT && is_still => Forecast::Steady,
        line if line.fit < LEAST_FIT => Forecast::Unknown,
        line if line.slope < 0.0 && is_still => Forecast::Steady,
        line if line.slope < 0.0 => Forecast::Falling,
        _ if days > MOST_DAYS => Forecast::Steady,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0..=365"
        )]
        _ => Forecast::Days(days.ceil().max(1.0) as u32),
    }
}

/// The share of its limit by which a gauge grows in a day; `None` if too little is known.
pub(super) fn growth(share: Share, past: Option<&LimitHistory>, now: Timestamp) -> Option<f64> {
    let line = TrendLine::through(&past?.days, now)?;
    Some(line.slope / float(share.limit).max(1.0))
}

#[derive(Debug, Clone, Copy)]
struct TrendLine {
    /// The change per day.
    slope: f64,
    /// R²; meaningless where nothing changes.
    fit: f64,
    /// The difference between the highest and the lowest value.
    range: f64,
}

impl TrendLine {
    fn through(days: &[Day], now: Timestamp) -> Option<Self> {
        let x = |day: &Day| float_signed(day.at.as_second() - now.as_second()) / DAY;
        let points: Vec<(f64, f64)> = days.iter().map(|day| (x(day), float(day.usage))).collect();
        let span = points.last()?.0 - points.first()?.0;
        if points.len() < LEAST_POINTS || span < LEAST_DAYS {
            return None;
        }
        let count = float(u64::try_from(points.len()).unwrap_or(u64::MAX));
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(&|point| point.0), mean(&|point| point.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| {
            points
                .iter()
                .map(|(x, y)| of(x - mean_x, y - mean_y))
                .sum::<f64>()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        let (low, high) = points
            .iter()
            .fold((f64::MAX, f64::MIN), |(low, high), (_, y)| {
                (low.min(*y), high.max(*y))
            });
        let fit = if yy > 0.0 { xy * xy / (xx * yy) } else { 0.0 };
        Some(Self {
            slope: xy / xx,
            fit,
            range: high - low,
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "for an estimate")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "for an estimate")]
fn float_signed(seconds: i64) -> f64 {
    seconds as f64
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use rstest::rstest;

    use super::*;

    fn now() -> Timestamp {
        "2026-11-21T09:30:00Z".parse().unwrap()
    }

    /// One reading a day, the last one now.
    fn past(usages: &[u64]) -> LimitHistory {
        let days = usages.iter().rev().zip(0..).map(|(usage, day)| Day {
            at: now() - SignedDuration::from_hours(24 * day),
            usage: *usage,
        });
        let mut days: Vec<Day> = days.collect();
        days.reverse();
        LimitHistory { before: None, days }
    }

    fn of(usages: &[u64]) -> Forecast {
        let usage = *usages.last().unwrap();
        forecast(
            Share {
                usage,
                limit: 1_000,
                percentage: 0.0,
            },
            Some(&past(usages)),
            now(),
        )
    }

    #[rstest]
    #[case::grows(&[910, 915, 920, 925, 930, 935, 940, 945, 950], Forecast::Days(10))]
    #[case::nearly_full_counts_small_steps(&[991, 992, 993, 994, 995, 996, 997, 998, 999], Forecast::Days(1))]
    #[case::full(&[1_000; 9], Forecast::Full)]
    #[case::over(&[1_200; 9], Forecast::Full)]
    #[case::nothing_changes(&[400; 9], Forecast::Steady)]
    #[case::would_take_years(&[400, 400, 401, 401, 402, 402, 403, 403, 404], Forecast::Steady)]
    #[case::wavers_a_little(&[400, 402, 399, 401, 400, 402, 399, 401, 400], Forecast::Steady)]
    #[case::falls(&[800, 790, 780, 770, 760, 750, 740, 730, 720], Forecast::Falling)]
    #[case::falls_a_little(&[405, 404, 403, 402, 401, 400, 399, 398, 397], Forecast::Steady)]
    #[case::jumps_about(&[400, 700, 300, 650, 420, 800, 350, 600, 500], Forecast::Unknown)]
    #[case::one_jump_is_no_line(&[100, 100, 100, 100, 100, 100, 100, 100, 900], Forecast::Unknown)]
    #[case::too_few_days(&[100, 200, 300, 400], Forecast::Unknown)]
    #[case::too_short_a_time(&[100, 200, 300, 400, 500, 600, 700], Forecast::Unknown)]
    fn it_is_said_only_where_the_line_fits(#[case] usages: &[u64], #[case] expected: Forecast) {
        assert_eq!(of(usages), expected);
    }

    #[test]
    fn days_without_a_reading_do_not_count_as_standing_still() {
        let mut past = past(&[900, 0, 0, 0, 920, 0, 930, 0, 940, 0, 950]);
        past.days.retain(|day| day.usage > 0);
        let share = Share {
            usage: 950,
            limit: 1_000,
            percentage: 95.0,
        };
        assert_eq!(forecast(share, Some(&past), now()), Forecast::Days(10));
        assert_eq!(forecast(share, None, now()), Forecast::Unknown);
    }
}
