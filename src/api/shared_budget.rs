//! The part of an account's budget of requests that this process has taken: the processes of one machine share a ledger,
//! and take leases of a few requests from it (`guarantees.md#the-request-budget-is-kept`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::observe::{Observation, Observer, WaitCause};

/// A lease that is older is given back; what was left of it is not used.
pub const LEASE_LASTS: Duration = Duration::from_millis(1_500);

/// What is asked of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseRequest {
    /// Transfers and polls have a smaller part of the budget than reads.
    pub is_transfer: bool,
    /// The most requests of the account in ten seconds.
    pub max: u32,
    /// The lease before this one, with how much of it was used.
    pub ended: Option<EndedLease>,
}

/// A lease that is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedLease {
    /// As the ledger gave it.
    pub id: i64,
    /// Requests that were sent.
    pub used: u32,
}

/// The ledger's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// So many requests may be sent.
    Granted {
        /// For giving it back.
        id: i64,
        /// At least one.
        requests: u32,
    },
    /// Nothing is left for so long.
    Wait(Duration),
    /// There is no ledger: every process goes by its own count.
    Unknown,
}

/// Where the processes of this machine write down what they take of an account's budget.
pub trait BudgetLedger: fmt::Debug + Send + Sync {
    /// Takes a few requests.
    fn take(&self, request: LeaseRequest) -> BoxFuture<'_, Lease>;

    /// Gives back what is left of these.
    fn end(&self, leases: Vec<EndedLease>) -> BoxFuture<'_, ()>;

    /// The service refused a request for its rate: nobody takes anything for so long.
    fn hold(&self, wait: Duration) -> BoxFuture<'_, ()>;
}

/// The leases of this process, one for reads and one for transfers.
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
        EndedLease { id: self.id, used: self.used }
    }
}

impl SharedBudget {
    pub(super) fn new(ledger: Arc<dyn BudgetLedger>) -> Self {
        Self { ledger, reads: Mutex::default(), transfers: Mutex::default() }
    }

    /// Waits for leave to send one request. Those who wait take turns.
    pub(super) async fn acquire(&self, is_transfer: bool, max: u32, observer: &Observer) {
        let mut held = if is_transfer { self.transfers.lock() } else { self.reads.lock() }.await;
        loop {
            if let Some(lease) = held.as_mut().filter(|lease| lease.left > 0 && lease.since.elapsed() < LEASE_LASTS) {
                lease.left -= 1;
                lease.used += 1;
                return;
            }
            let ended = held.map(Held::ended);
            match self.ledger.take(LeaseRequest { is_transfer, max, ended }).await {
                Lease::Granted { id, requests } => {
                    *held = Some(Held { id, used: 0, left: requests, since: Instant::now() });
                }
                Lease::Wait(wait) => {
                    *held = None;
                    observer.tell(Observation::Waiting { wait, cause: WaitCause::RateLimit });
                    sleep(wait).await;
                }
                Lease::Unknown => return,
            }
        }
    }

    pub(super) async fn hold(&self, wait: Duration) {
        self.ledger.hold(wait).await;
    }

    /// Gives back what is left.
    pub(super) async fn end(&self) {
        let held = [self.reads.lock().await.take(), self.transfers.lock().await.take()];
        let leases: Vec<EndedLease> = held.into_iter().flatten().map(Held::ended).collect();
        if !leases.is_empty() {
            self.ledger.end(leases).await;
        }
    }
}
