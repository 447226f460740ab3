//! The history of the account's limits: one reading an hour of each gauge, for a year.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row};

use super::database::Journal;
use super::text::json;
use crate::api::Error;
use crate::engine::limits::{Day, LimitHistory, Snapshot};

const HOUR: i64 = 3_600;
const KEPT: SignedDuration = SignedDuration::from_hours(366 * 24);
const TREND: SignedDuration = SignedDuration::from_hours(30 * 24);

impl Journal {
    /// Keeps a snapshot, in place of one of the same hour; returns the history of its gauges, by
    /// name.
    pub async fn keep_snapshot(
        &self,
        snapshot: &Snapshot,
    ) -> Result<BTreeMap<String, LimitHistory>, Error> {
        let snapshot = snapshot.clone();
        self.change(move |journal, change| journal.keep(change, &snapshot))
            .await
    }

    /// Adds snapshots of the past, all of them or none.
    pub async fn add_snapshots(&self, snapshots: &[Snapshot]) -> Result<(), Error> {
        let snapshots = snapshots.to_vec();
        self.change(move |journal, change| {
            snapshots
                .iter()
                .try_for_each(|snapshot| journal.insert_snapshot(change, snapshot))
        })
        .await
    }

    fn keep(
        &self,
        change: &Connection,
        snapshot: &Snapshot,
    ) -> rusqlite::Result<BTreeMap<String, LimitHistory>> {
        let read = |row: &Row<'_>| <(String, i64, i64)>::try_from(row);
        let last = "SELECT name, used, most FROM gauge JOIN reading ON gauge = number \
                    WHERE account = ?1 AND hour = (SELECT max(hour) FROM reading WHERE gauge = number)";
        let mut past: BTreeMap<String, LimitHistory> = snapshot
            .readings
            .iter()
            .map(|reading| (reading.gauge.clone(), LimitHistory::default()))
            .collect();
        for row in change
            .prepare_cached(last)?
            .query_map([&self.account], read)?
        {
            let (gauge, used, most) = row?;
            if let Some(past) = past.get_mut(&gauge) {
                past.before = Some((count(used), count(most)));
            }
        }
        self.insert_snapshot(change, snapshot)?;
        let forget = "DELETE FROM reading \
                      WHERE hour < ?2 AND gauge IN (SELECT number FROM gauge WHERE account = ?1)";
        change
            .prepare_cached(forget)?
            .execute((&self.account, hour_before(snapshot.at, KEPT)))?;
        // For each day, the row with the last hour.
        let days = "SELECT name, max(hour), used FROM gauge JOIN reading ON gauge = number \
                    WHERE account = ?1 AND hour > ?2 GROUP BY number, hour / 24 ORDER BY number, hour / 24";
        let since = hour_before(snapshot.at, TREND);
        for row in change
            .prepare_cached(days)?
            .query_map((&self.account, since), read)?
        {
            let (gauge, hour, used) = row?;
            if let Some(past) = past.get_mut(&gauge) {
                let at = Timestamp::from_second(hour * HOUR).unwrap_or(snapshot.at);
                past.days.push(Day {
                    at,
                    usage: count(used),
                });
            }
        }
        Ok(past)
    }

    fn insert_snapshot(&self, change: &Connection, snapshot: &Snapshot) -> rusqlite::Result<()> {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let rows: Vec<(&str, i64, i64)> = snapshot
            .readings
            .iter()
            .map(|reading| {
                (
                    reading.gauge.as_str(),
                    number(reading.usage),
                    number(reading.limit),
                )
            })
            .collect();
        let rows = json(&rows);
        let name = "INSERT INTO gauge (account, name) SELECT ?1, value ->> 0 FROM json_each(?2) WHERE true \
                    ON CONFLICT DO NOTHING";
        change
            .prepare_cached(name)?
            .execute((&self.account, &rows))?;
        let keep = "INSERT INTO reading (gauge, hour, used, most) \
                    SELECT number, ?3, value ->> 1, value ->> 2 FROM json_each(?2) JOIN gauge \
                    ON account = ?1 AND name = value ->> 0 WHERE true \
                    ON CONFLICT (gauge, hour) DO UPDATE SET used = excluded.used, most = excluded.most";
        let hour = hour_before(snapshot.at, SignedDuration::ZERO);
        change
            .prepare_cached(keep)?
            .execute((&self.account, &rows, hour))
            .map(drop)
    }
}

fn hour_before(at: Timestamp, span: SignedDuration) -> i64 {
    (at.as_second() - span.as_secs()).div_euclid(HOUR)
}

fn count(kept: i64) -> u64 {
    u64::try_from(kept).unwrap_or(0)
}
