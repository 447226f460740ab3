//! Processes of one machine that use one account, each with a client and a ledger of its own.

use std::path::Path;
use std::sync::Arc;

use filedeck::api::ids::FileId;
use filedeck::api::{BudgetLedger, Client, EndedLease, Lease, LeaseRequest};
use filedeck::engine::RequestLeases;
use futures::future::join_all;
use serde_json::json;

use crate::support::account::client;
use crate::support::capture::{Capture, Reply};

/// The budget until the service reports its limit.
const BUDGET: usize = 90;
const READ: LeaseRequest = LeaseRequest {
    is_transfer: false,
    max: 90,
    ended: None,
};

async fn service() -> Capture {
    Capture::start(|_, _| Reply::json(200, &json!({ "id": "9", "archived": false }))).await
}

fn ledger(dir: &Path) -> RequestLeases {
    RequestLeases::new(&dir.join("journal.db"), "a")
}

async fn reads(client: &Client, count: usize) {
    let id = FileId::new("9");
    for read in join_all((0..count).map(|_| client.files().get(&id))).await {
        read.unwrap();
    }
}

#[tokio::test]
async fn what_two_processes_send_together_stays_within_the_budget() {
    let (service, dir) = (service().await, tempfile::tempdir().unwrap());
    let process = || client(&service.url).with_budget_ledger(Arc::new(ledger(dir.path())));
    let (one, other) = (process(), process());
    // Each has half of the budget, and both still have requests to send.
    let all = tokio::spawn(async move { tokio::join!(reads(&one, BUDGET), reads(&other, BUDGET)) });
    let third = ledger(dir.path());
    while service.seen().len() < BUDGET {
        tokio::task::yield_now().await;
    }
    assert!(
        matches!(third.take(READ).await, Lease::Wait(_)),
        "nothing is left for a third one"
    );
    assert_eq!(service.seen().len(), BUDGET);
    assert!(!all.is_finished());
    all.abort();
}

#[tokio::test]
async fn a_process_that_ends_gives_back_what_it_did_not_use() {
    let (service, dir) = (service().await, tempfile::tempdir().unwrap());
    for _ in 0..40 {
        let process = client(&service.url).with_budget_ledger(Arc::new(ledger(dir.path())));
        reads(&process, 2).await;
        process.give_back().await;
    }
    let next = ledger(dir.path());
    let Lease::Granted { id, requests } = next.take(READ).await else {
        panic!("40 processes sent 80 requests")
    };
    assert_eq!(requests, 10);
    next.end(vec![EndedLease { id, used: 0 }]).await;
}

#[tokio::test]
async fn a_refusal_for_the_rate_holds_the_other_process_back() {
    let service = Capture::start(|_, _| Reply::status(429, &[("retry-after", "60")])).await;
    let dir = tempfile::tempdir().unwrap();
    let refused = client(&service.url).with_budget_ledger(Arc::new(ledger(dir.path())));
    let reading = tokio::spawn(async move { refused.files().get(&FileId::new("9")).await });
    let other = ledger(dir.path());
    loop {
        match other.take(READ).await {
            Lease::Granted { id, .. } => other.end(vec![EndedLease { id, used: 0 }]).await,
            waits => break assert!(matches!(waits, Lease::Wait(_)), "{waits:?}"),
        }
    }
    assert_eq!(service.seen().len(), 1);
    reading.abort();
}

#[tokio::test]
async fn a_ledger_that_cannot_be_opened_stops_no_request() {
    let (service, dir) = (service().await, tempfile::tempdir().unwrap());
    std::fs::create_dir(dir.path().join("journal.db")).unwrap();
    reads(
        &client(&service.url).with_budget_ledger(Arc::new(ledger(dir.path()))),
        3,
    )
    .await;
    assert_eq!(service.seen().len(), 3);
}
