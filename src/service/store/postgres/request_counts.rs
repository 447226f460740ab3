//! Request counts that all processes share. The row of a token is locked while its requests are
//! counted.

use std::collections::VecDeque;

use jiff::Timestamp;
use jiff::civil::Date;
use tokio_postgres::types::FromSqlOwned;

use super::tables::PostgresTables;
use super::values::{integer, millis, stored_time, unreadable};
use crate::service::store::error::StoreError;
use crate::service::store::request_counts::RequestCounts;

impl PostgresTables<'_> {
    /// Must be called in a transaction that sees the commits of others.
    pub(super) fn count_requests<T>(
        &self,
        token: &str,
        day: Option<Date>,
        count: impl FnOnce(&mut RequestCounts) -> T,
    ) -> Result<T, StoreError> {
        let day = day.map(|day| day.to_string());
        let recent: Vec<i64> = self.hold(
            "SELECT times FROM requests_of_tokens WHERE token = $1 FOR UPDATE",
            "INSERT INTO requests_of_tokens (token, times) VALUES ($1, '{}')
             ON CONFLICT (token) DO UPDATE SET times = requests_of_tokens.times RETURNING times",
            token,
        )?;
        let today: i64 = match &day {
            Some(day) => self.hold(
                "SELECT requests FROM requests_of_days WHERE day = $1 FOR UPDATE",
                "INSERT INTO requests_of_days (day, requests) VALUES ($1, 0)
                 ON CONFLICT (day) DO UPDATE SET requests = requests_of_days.requests RETURNING requests",
                day,
            )?,
            None => 0,
        };
        let recent = recent
            .into_iter()
            .map(stored_time)
            .collect::<Result<VecDeque<Timestamp>, _>>()?;
        let before = RequestCounts {
            recent,
            today: u64::try_from(today).map_err(unreadable)?,
        };
        let mut counts = before.clone();
        let done = count(&mut counts);
        if counts.recent != before.recent {
            let times: Vec<i64> = counts.recent.iter().copied().map(millis).collect();
            self.execute(
                "UPDATE requests_of_tokens SET times = $2 WHERE token = $1",
                &[&token, &times],
            )?;
        }
        let Some(day) = day else { return Ok(done) };
        if counts.today != before.today {
            let today = integer(counts.today);
            self.execute(
                "UPDATE requests_of_days SET requests = $2 WHERE day = $1",
                &[&day, &today],
            )?;
        }
        if before.today == 0 {
            self.execute("DELETE FROM requests_of_days WHERE day < $1", &[&day])?;
        }
        Ok(done)
    }

    /// Locks a row and returns its value. Inserts it only once, since each write leaves an old
    /// version behind.
    fn hold<T: FromSqlOwned>(
        &self,
        select: &str,
        insert: &str,
        key: &str,
    ) -> Result<T, StoreError> {
        match self.first(select, &[&key], |row| Ok(row.try_get(0)?))? {
            Some(value) => Ok(value),
            None => self.value(insert, &[&key]),
        }
    }
}
