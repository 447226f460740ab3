//! How much of the account's limits was used: one reading an hour of each gauge, for a year.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use sqlx::SqliteConnection;

use super::database::Journal;
use crate::api::Error;
use crate::engine::limits::{Day, LimitHistory, Snapshot};

const HOUR: i64 = 3_600;
const KEPT: SignedDuration = SignedDuration::from_hours(366 * 24);
const TREND: SignedDuration = SignedDuration::from_hours(30 * 24);

impl Journal {
    /// Keeps a snapshot, in place of one of the same hour; gives what is remembered of its gauges, by their names.
    pub async fn keep_snapshot(&self, snapshot: &Snapshot) -> Result<BTreeMap<String, LimitHistory>, Error> {
        self.keep(snapshot).await.map_err(|error| self.failed(&error))
    }

    /// Adds snapshots of the past, all of them or none.
    pub async fn add_snapshots(&self, snapshots: &[Snapshot]) -> Result<(), Error> {
        let add = async {
            let mut change = self.pool.begin_with("BEGIN IMMEDIATE").await?;
            for snapshot in snapshots {
                self.write(&mut change, snapshot).await?;
            }
            change.commit().await
        };
        add.await.map_err(|error| self.failed(&error))
    }

    async fn keep(&self, snapshot: &Snapshot) -> Result<BTreeMap<String, LimitHistory>, sqlx::Error> {
        // Another process may keep one, too: what is read first could not be written after, were it not locked from the start.
        let mut change = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let last = "SELECT name, used, most FROM gauge JOIN reading ON gauge = number \
                    WHERE account = $1 AND hour = (SELECT max(hour) FROM reading WHERE gauge = number)";
        let last: Vec<(String, i64, i64)> = sqlx::query_as(last).bind(&self.account).fetch_all(&mut *change).await?;
        self.write(&mut change, snapshot).await?;
        let forget = "DELETE FROM reading \
                      WHERE hour < $2 AND gauge IN (SELECT number FROM gauge WHERE account = $1)";
        sqlx::query(forget).bind(&self.account).bind(hour_before(snapshot.at, KEPT)).execute(&mut *change).await?;
        // Of each day the row with the last hour.
        let days = "SELECT name, max(hour), used FROM gauge JOIN reading ON gauge = number \
                    WHERE account = $1 AND hour > $2 GROUP BY number, hour / 24 ORDER BY number, hour / 24";
        let days: Vec<(String, i64, i64)> = sqlx::query_as(days)
            .bind(&self.account)
            .bind(hour_before(snapshot.at, TREND))
            .fetch_all(&mut *change)
            .await?;
        change.commit().await?;
        let mut past: BTreeMap<String, LimitHistory> =
            snapshot.readings.iter().map(|reading| (reading.gauge.clone(), LimitHistory::default())).collect();
        for (gauge, used, most) in last {
            if let Some(past) = past.get_mut(&gauge) {
                past.before = Some((count(used), count(most)));
            }
        }
        for (gauge, hour, used) in days {
            if let Some(past) = past.get_mut(&gauge) {
                let at = Timestamp::from_second(hour * HOUR).unwrap_or(snapshot.at);
                past.days.push(Day { at, usage: count(used) });
            }
        }
        Ok(past)
    }

    async fn write(&self, change: &mut SqliteConnection, snapshot: &Snapshot) -> Result<(), sqlx::Error> {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let rows: Vec<(&str, i64, i64)> = snapshot
            .readings
            .iter()
            .map(|reading| (reading.gauge.as_str(), number(reading.usage), number(reading.limit)))
            .collect();
        let rows = serde_json::to_string(&rows).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let name = "INSERT INTO gauge (account, name) SELECT $1, value ->> 0 FROM json_each($2) WHERE true \
                    ON CONFLICT DO NOTHING";
        sqlx::query(name).bind(&self.account).bind(&rows).execute(&mut *change).await?;
        let keep = "INSERT INTO reading (gauge, hour, used, most) \
                    SELECT number, $3, value ->> 1, value ->> 2 FROM json_each($2) JOIN gauge \
                    ON account = $1 AND name = value ->> 0 WHERE true \
                    ON CONFLICT (gauge, hour) DO UPDATE SET used = excluded.used, most = excluded.most";
        let hour = hour_before(snapshot.at, SignedDuration::ZERO);
        sqlx::query(keep).bind(&self.account).bind(&rows).bind(hour).execute(change).await.map(drop)
    }
}

fn hour_before(at: Timestamp, span: SignedDuration) -> i64 {
    (at.as_second() - span.as_secs()).div_euclid(HOUR)
}

fn count(kept: i64) -> u64 {
    u64::try_from(kept).unwrap_or(0)
}
