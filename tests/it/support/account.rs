//! Clients and engines for a service of the tests.

use std::time::Duration;

use filedeck::api::{Account, Client, Timing, Version};
use filedeck::engine::{self, Event, Handle, Journal, OpId, Outcome, Progress, Request, Setup};
use secrecy::SecretString;
use tokio::sync::mpsc;
use url::Url;

use super::service::TestService;

pub(crate) const TOKEN: &str = "canary-token";

/// Short, so that a test of a lost answer does not sit through the time that a real service gets to settle.
pub(crate) const TIMING: Timing = Timing { stall: Duration::from_secs(20), settle: Duration::from_millis(160) };

/// A client of a capture server.
pub(crate) fn client(base_url: &Url) -> Client {
    versioned_client(base_url, Version::V3)
}

pub(crate) fn versioned_client(base_url: &Url, version: Version) -> Client {
    Client::new(Account { base_url: base_url.clone(), token: SecretString::from(TOKEN), version, timing: TIMING })
        .unwrap()
}

/// A client of the real service.
pub(crate) fn client_of(service: &TestService, version: Version) -> Client {
    let (base_url, token) = (service.running.base_url(), service.running.token().clone());
    Client::new(Account { base_url, token, version, timing: TIMING }).unwrap()
}

/// An engine with its events; mints ids.
pub(crate) struct Engine {
    pub(crate) handle: Handle,
    pub(crate) events: mpsc::Receiver<Event>,
    last: u64,
}

impl Engine {
    pub(crate) fn start(client: Client, journal: Option<Journal>) -> Self {
        let (handle, events) = engine::spawn(Setup { client, journal });
        Self { handle, events, last: 0 }
    }

    pub(crate) fn submit(&mut self, request: Request) -> OpId {
        self.last += 1;
        let op = OpId(self.last);
        self.handle.submit(op, request).unwrap();
        op
    }

    pub(crate) async fn next(&mut self) -> Event {
        let wait = Duration::from_secs(20);
        tokio::time::timeout(wait, self.events.recv()).await.unwrap().unwrap()
    }

    /// Runs one request to its end: what came of it, and the progress on the way.
    pub(crate) async fn run(&mut self, request: Request) -> (Result<Outcome, filedeck::api::Error>, Vec<Progress>) {
        let op = self.submit(request);
        let mut told = Vec::new();
        loop {
            match self.next().await {
                Event::Progress { op: of, progress } if of == op => told.push(progress),
                Event::Done { op: of, result } if of == op => return (result, told),
                Event::Budget(_) => {}
                other => panic!("unexpected {other:?}"),
            }
        }
    }

    /// Runs a request that must succeed.
    pub(crate) async fn outcome(&mut self, request: Request) -> Outcome {
        self.run(request).await.0.unwrap()
    }
}
