//! The throw-away store of `--demo`: sample files in a temporary directory that goes with it.

use std::net::Ipv4Addr;
use std::path::Path;

use clap::ValueEnum;
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::claim::Address;
use crate::service::faults::Faults;
use crate::service::fetch::AllowedNetwork;
use crate::service::rate_limit::RateLimit;
use crate::service::{self, Options, Running};

/// How the demo's service misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DemoMode {
    /// Every answer takes its time
    Slow,
    /// Some answers are server errors
    Flaky,
    /// The request budget is small, so that 429 answers come
    Limited,
}

#[derive(Debug)]
pub struct Demo {
    running: Running,
    dir: TempDir,
}

impl Demo {
    /// Serves a new store; `mode` makes the service misbehave.
    pub async fn open(mode: Option<DemoMode>) -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new().prefix("filedeck-demo-").tempdir()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let options = Options {
            sample: true,
            import_allow: AllowedNetwork::loopback().to_vec(),
            faults: match mode {
                Some(DemoMode::Slow) => Faults::slow(),
                Some(DemoMode::Flaky) => Faults::flaky(),
                Some(DemoMode::Limited) | None => Faults::none(),
            },
            rate_limit: (mode == Some(DemoMode::Limited)).then(RateLimit::tight),
            ..Options::new(dir.path())
        };
        let running = service::start(listener, options).await?;
        Ok(Self { running, dir })
    }

    pub fn address(&self) -> Address {
        Address { base_url: self.running.base_url(), token: self.running.token().clone() }
    }

    /// Goes when the demo is closed.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Stops serving and removes the directory.
    pub async fn close(self) {
        self.running.shutdown().await;
        if let Err(error) = self.dir.close() {
            tracing::warn!("the demo's directory stays: {error}");
        }
    }
}
