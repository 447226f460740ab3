//! This process's share of an account's request budget. The processes of one machine share a ledger
//! and take leases of a few requests from it (`guarantees.md#the-request-budget-is-kept`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::observe::{Observation, Observer, WaitCause};

/// The age at which a lease is given back; its unused requests expire.
pub const LEASE_LASTS: Duration = Duration::from_millis(1_500);

/// A request to the ledger for a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseRequest {
    /// Set for transfers and polls, which get a smaller share of the budget than reads.
    pub is_transfer: bool,
    /// The account's maximum number of requests in ten seconds.
    pub max: u32,
    /// The previous lease, with the number of requests used.
    pub ended: Option<EndedLease>,
}

/// A lease that is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedLease {
    /// The id that the ledger assigned.
    pub id: i64,
    /// The number of requests sent.
    pub used: u32,
}

/// The ledger's answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// Requests may be sent.
    Granted {
        /// The id with which to give the lease back.
        id: i64,
        /// The number of requests; at least one.
        requests: u32,
    },
    /// No requests are left for this long.
    Wait(Duration),
    /// There is no ledger; each process counts on its own.
    Unknown,
}

/// The ledger in which the processes of this machine record the requests that they take from an
/// account's budget.
pub trait BudgetLedger: fmt::Debug + Send + Sync {
    /// Takes a lease of a few requests.
    fn take(&self, request: LeaseRequest) -> BoxFuture<'_, Lease>;

    /// Gives leases back.
    fn end(&self, leases: Vec<EndedLease>) -> BoxFuture<'_, ()>;

    /// Stops all processes for the duration of `wait`, because the service refused a request for
    /// its rate.
    fn hold(&self, wait: Duration) -> BoxFuture<'_, ()>;
}

#[derive(Debug)]
pub(super) struct SharedBudget {
    ledger: Arc<dyn BudgetLedger>,
    reads: Mutex<Option<Held>>,
    transfers: Mutex<Option<Held>>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    id: i64,
    used: u32,
    left: u32,
    since: Instant,
}

impl Held {
    fn ended(self) -> EndedLease {
        EndedLease {
            id: self.id,
            used: self.used,
        }
    }
}

impl SharedBudget {
    pub(super) fn new(ledger: Arc<dyn BudgetLedger>) -> Self {
        Self {
            ledger,
            reads: Mutex::default(),
            transfers: Mutex::default(),
        }
    }

    /// Waits until one request may be sent. Waiting callers take turns.
    pub(super) async fn acquire(&self, is_transfer: bool, max: u32, observer: &Observer) {
        let mut held = if is_transfer {
            self.transfers.lock()
        } else {
            self.reads.lock()
        }
        .await;
        loop {
            if let Some(lease) = held
                .as_mut()
                .filter(|lease| lease.left > 0 && lease.since.elapsed() < LEASE_LASTS)
            {
                lease.left -= 1;
                lease.used += 1;
                return;
            }
            let ended = held.map(Held::ended);
            match self
                .ledger
                .take(LeaseRequest {
                    is_transfer,
                    max,
                    ended,
                })
                .await
            {
                Lease::Granted { id, requests } => {
                    *held = Some(Held {
                        id,
                        used: 0,
                        left: requests,
                        since: Instant::now(),
                    });
                }
                Lease::Wait(wait) => {
                    *held = None;
                    observer.tell(Observation::Waiting {
                        wait,
                        cause: WaitCause::RateLimit,
                    });
                    sleep(wait).await;
                }
                Lease::Unknown => return,
            }
        }
    }

    pub(super) async fn hold(&self, wait: Duration) {
        self.ledger.hold(wait).await;
    }

    pub(super) async fn end(&self) {
        let held = [
            self.reads.lock().await.take(),
            self.transfers.lock().await.take(),
        ];
        let leases: Vec<EndedLease> = held.into_iter().flatten().map(Held::ended).collect();
        if !leases.is_empty() {
            self.ledger.end(leases).await;
        }
    }
}
