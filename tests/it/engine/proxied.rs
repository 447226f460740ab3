//! Runs that reach their service through a proxy, all with one journal.

use super::*;
use crate::support::account::client_with;
use crate::support::proxy::{Calls, Proxy};

pub(super) struct World {
    pub(super) service: TestService,
    pub(super) proxy: Proxy,
    pub(super) dir: TempDir,
}

impl World {
    pub(super) async fn new() -> Self {
        let service = TestService::start().await;
        let proxy = Proxy::start(service.running.base_url()).await;
        Self {
            service,
            proxy,
            dir: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) async fn journal(&self) -> Journal {
        Journal::open(&self.dir.path().join("journal.db"), "test")
            .await
            .unwrap()
    }

    pub(super) async fn engine(&self) -> Engine {
        Engine::with_journal(
            client_with(&self.proxy.url, self.service.token()),
            self.journal().await,
        )
    }
}

pub(super) fn posts() -> Calls {
    Calls::to("POST", "/files/v3/files")
}
