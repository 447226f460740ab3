//! The ledger of an account's request budget, which the processes of this machine share: who took
//! how many requests, and until when they count. Opened at the first request; without it, every
//! process relies on its own count.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use jiff::Timestamp;
use rusqlite::{Connection, Row};
use tokio::sync::OnceCell;

use super::database::Journal;
use crate::api::{BudgetLedger, EndedLease, Error, LEASE_LASTS, Lease, LeaseRequest};

/// The most requests of one lease: a process that is killed takes no more with it.
const REQUESTS: i64 = 10;
/// The window of the service's limit, in milliseconds.
const WINDOW: i64 = 10_000;
/// The longest that a lease can last, in milliseconds; longer ones come from a clock that was set
/// back.
const LONGEST: i64 = 10 * 60 * 1_000;
/// The bounds of a wait, in milliseconds: others give back what they do not use, so it is worth
/// looking again soon.
const LEAST_WAIT: i64 = 250;
const MOST_WAIT: i64 = 1_000;

#[derive(Debug)]
pub struct RequestLeases {
    path: PathBuf,
    account: String,
    journal: OnceCell<Option<Journal>>,
}

impl RequestLeases {
    /// Uses the journal at `path`, whose directory must exist; `account` is its name there.
    pub fn new(path: &Path, account: &str) -> Self {
        Self {
            path: path.to_owned(),
            account: account.to_owned(),
            journal: OnceCell::new(),
        }
    }

    async fn journal(&self) -> Option<&Journal> {
        let open = || async {
            let opened = Journal::open_leases(&self.path, self.account.as_str()).await;
            opened
                .inspect_err(|error| tracing::warn!(%error, "the request budget is not shared"))
                .ok()
        };
        self.journal.get_or_init(open).await.as_ref()
    }

    /// Returns the result of `work`, unless the journal cannot be used: a request does not fail for
    /// that.
    async fn with_journal<T>(
        &self,
        work: impl AsyncFnOnce(&Journal) -> Result<T, Error>,
    ) -> Option<T> {
        let journal = self.journal().await?;
        work(journal)
            .await
            .inspect_err(|error| tracing::warn!(%error, "the request budget is not shared"))
            .ok()
    }
}

impl BudgetLedger for RequestLeases {
    fn take(&self, request: LeaseRequest) -> BoxFuture<'_, Lease> {
        let take =
            async move |journal: &Journal| journal.take_lease(request, Timestamp::now()).await;
        async move { self.with_journal(take).await.unwrap_or(Lease::Unknown) }.boxed()
    }

    fn end(&self, leases: Vec<EndedLease>) -> BoxFuture<'_, ()> {
        let end = async move |journal: &Journal| journal.end_leases(leases, Timestamp::now()).await;
        async move { self.with_journal(end).await.unwrap_or_default() }.boxed()
    }

    fn hold(&self, wait: Duration) -> BoxFuture<'_, ()> {
        let hold =
            async move |journal: &Journal| journal.hold_requests(wait, Timestamp::now()).await;
        async move { self.with_journal(hold).await.unwrap_or_default() }.boxed()
    }
}

impl Journal {
    async fn take_lease(&self, request: LeaseRequest, now: Timestamp) -> Result<Lease, Error> {
        self.change(move |journal, change| {
            journal.take_requests(change, request, now.as_millisecond())
        })
        .await
    }

    fn take_requests(
        &self,
        change: &Connection,
        request: LeaseRequest,
        now: i64,
    ) -> rusqlite::Result<Lease> {
        let forget =
            "DELETE FROM request_lease WHERE account = ?1 AND (until <= ?2 OR until > ?2 + ?3)";
        change
            .prepare_cached(forget)?
            .execute((&self.account, now, LONGEST))?;
        if let Some(ended) = request.ended {
            give_back(change, ended, now)?;
        }
        let taken = "SELECT coalesce(sum(requests), 0), \
                     coalesce(sum(requests) FILTER (WHERE is_transfer), 0), coalesce(min(until), ?2) \
                     FROM request_lease WHERE account = ?1";
        let read = |row: &Row<'_>| <(i64, i64, i64)>::try_from(row);
        let (all, transfers, next) = change
            .prepare_cached(taken)?
            .query_row((&self.account, now), read)?;
        let max = i64::from(request.max);
        let left = if request.is_transfer {
            (max - all).min(max * 4 / 5 - transfers)
        } else {
            max - all
        };
        if left < 1 {
            let wait = (next - now).clamp(LEAST_WAIT, MOST_WAIT);
            return Ok(Lease::Wait(Duration::from_millis(wait.unsigned_abs())));
        }
        let requests = left.min(REQUESTS);
        // The last of them may be sent at the lease's end.
        let until = now + millis(LEASE_LASTS) + WINDOW;
        let id = self.insert_lease(change, requests, request.is_transfer, until)?;
        Ok(Lease::Granted {
            id,
            requests: u32::try_from(requests).unwrap_or(1),
        })
    }

    async fn end_leases(&self, leases: Vec<EndedLease>, now: Timestamp) -> Result<(), Error> {
        let now = now.as_millisecond();
        self.change(move |_, change| {
            leases
                .iter()
                .try_for_each(|lease| give_back(change, *lease, now))
        })
        .await
    }

    async fn hold_requests(&self, wait: Duration, now: Timestamp) -> Result<(), Error> {
        let until = now.as_millisecond() + millis(wait);
        let all = i64::from(u32::MAX);
        self.change(move |journal, change| {
            journal.insert_lease(change, all, false, until).map(drop)
        })
        .await
    }

    fn insert_lease(
        &self,
        change: &Connection,
        requests: i64,
        is_transfer: bool,
        until: i64,
    ) -> rusqlite::Result<i64> {
        let row = "INSERT INTO request_lease (account, requests, is_transfer, until) VALUES (?1, ?2, ?3, ?4)";
        change
            .prepare_cached(row)?
            .insert((&self.account, requests, is_transfer, until))
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis())
        .unwrap_or(LONGEST)
        .min(LONGEST)
}

/// Ends a lease: the used requests count for a window from now on, the others no longer.
fn give_back(change: &Connection, lease: EndedLease, now: i64) -> rusqlite::Result<()> {
    let used = "UPDATE request_lease SET requests = ?2, until = ?3 WHERE id = ?1";
    change
        .prepare_cached(used)?
        .execute((lease.id, lease.used, now + WINDOW))
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: LeaseRequest = LeaseRequest {
        is_transfer: false,
        max: 25,
        ended: None,
    };

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_700_000_000_000 + millis).unwrap()
    }

    fn granted(lease: Lease) -> (i64, u32) {
        match lease {
            Lease::Granted { id, requests } => (id, requests),
            other => panic!("{other:?}"),
        }
    }

    fn wait(lease: Lease) -> u64 {
        match lease {
            Lease::Wait(wait) => u64::try_from(wait.as_millis()).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn two_processes_take_no_more_than_the_budget_together() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.db");
        let open = async || Journal::open_leases(&path, "a").await.unwrap();
        let (one, other) = (open().await, open().await);
        let (first, requests) = granted(one.take_lease(ASK, at(0)).await.unwrap());
        assert_eq!(requests, 10);
        assert_eq!(granted(other.take_lease(ASK, at(10)).await.unwrap()).1, 10);
        assert_eq!(granted(other.take_lease(ASK, at(20)).await.unwrap()).1, 5);
        assert_eq!(wait(other.take_lease(ASK, at(11_400)).await.unwrap()), 250);
        one.end_leases(vec![EndedLease { id: first, used: 3 }], at(11_450))
            .await
            .unwrap();
        assert_eq!(
            granted(other.take_lease(ASK, at(11_460)).await.unwrap()).1,
            7,
            "what was not used is there again"
        );
        // Those of the second process are over, what the first one used is not.
        assert_eq!(
            granted(other.take_lease(ASK, at(11_525)).await.unwrap()).1,
            10
        );
        assert_eq!(
            granted(other.take_lease(ASK, at(11_526)).await.unwrap()).1,
            5
        );
    }

    #[tokio::test]
    async fn transfers_leave_a_fifth_to_reads_and_accounts_are_apart() {
        let journal = Journal::in_memory("a").await.unwrap();
        let transfer = LeaseRequest {
            is_transfer: true,
            ..ASK
        };
        for requests in [10, 10] {
            assert_eq!(
                granted(journal.take_lease(transfer, at(0)).await.unwrap()).1,
                requests
            );
        }
        wait(journal.take_lease(transfer, at(0)).await.unwrap());
        assert_eq!(granted(journal.take_lease(ASK, at(0)).await.unwrap()).1, 5);
        let other = Journal {
            account: "b".into(),
            ..journal
        };
        assert_eq!(granted(other.take_lease(ASK, at(0)).await.unwrap()).1, 10);
    }

    #[tokio::test]
    async fn a_refusal_holds_all_back_and_a_clock_that_was_set_back_nobody_for_long() {
        let journal = Journal::in_memory("a").await.unwrap();
        journal
            .hold_requests(Duration::from_secs(7), at(0))
            .await
            .unwrap();
        assert_eq!(wait(journal.take_lease(ASK, at(6_500)).await.unwrap()), 500);
        assert_eq!(
            granted(journal.take_lease(ASK, at(7_000)).await.unwrap()).1,
            10
        );
        journal
            .hold_requests(Duration::from_mins(1), at(0))
            .await
            .unwrap();
        assert_eq!(
            granted(journal.take_lease(ASK, at(-3_600_000)).await.unwrap()).1,
            10
        );
    }
}
