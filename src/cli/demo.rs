//! The throw-away store of `--demo`: sample files in a temporary directory that is removed at its
//! end.

mod limits_past;
mod past;

use std::net::Ipv4Addr;
use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;
use jiff::Timestamp;
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::address::ServiceAddress;
use crate::drawing::Drawer;
use crate::engine::PastBatches;
use crate::engine::limits::Snapshot;
use crate::service::crm::Usage;
use crate::service::faults::{FaultRule, Faults};
use crate::service::network::Network;
use crate::service::{self, RunningService, ServiceOptions};

/// The way in which the demo's service misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DemoMode {
    /// Every answer is slow
    Slow,
    /// Some answers are server errors
    Flaky,
    /// The request budget is small, so that some answers are 429
    Limited,
}

impl DemoMode {
    /// Returns the faults of the mode, written as values of `serve --fault`.
    fn faults(self) -> &'static [&'static str] {
        match self {
            // A slow, distant connection.
            Self::Slow => &["delay=600ms", "slow=64KiB"],
            // A bad day: some requests fail, some responses break off, and now and then one is rate
            // limited.
            Self::Flaky => &[
                "delay=900ms,every=3",
                "status=503,every=5",
                "status=500,every=11",
                "cut=20,every=13",
                "rate-limit=SECONDLY,retry-after=1s,every=17",
            ],
            Self::Limited => &[],
        }
    }

    /// Returns the quotas of the mode, written as values of `serve --rate-limit`: a person browsing
    /// exceeds them.
    fn rate_limits(self) -> &'static [&'static str] {
        match self {
            Self::Limited => &["20/10s", "250000/day"],
            Self::Slow | Self::Flaky => &[],
        }
    }
}

/// Reads values of the command line.
fn read<T: FromStr<Err: Into<anyhow::Error>>>(words: &[&str]) -> anyhow::Result<Vec<T>> {
    let values = words.iter().map(|words| words.parse().map_err(Into::into));
    values.collect()
}

#[derive(Debug)]
pub struct Demo {
    running: RunningService,
    dir: TempDir,
}

impl Demo {
    /// Serves a new store; `mode` makes the service misbehave.
    pub async fn open(mode: Option<DemoMode>) -> anyhow::Result<Self> {
        let dir = tempfile::Builder::new()
            .prefix("filedeck-demo-")
            .tempdir()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let options = ServiceOptions {
            sample: true,
            import_allow: Network::loopback().to_vec(),
            drawer: Drawer::this_program(),
            faults: Faults::new(read::<FaultRule>(mode.map_or(&[], DemoMode::faults))?),
            rate_limits: read(mode.map_or(&[], DemoMode::rate_limits))?,
            ..ServiceOptions::new(dir.path())
        };
        let running = service::serve(listener, options).await?;
        Ok(Self { running, dir })
    }

    pub fn address(&self) -> ServiceAddress {
        ServiceAddress {
            base_url: self.running.base_url(),
            token: self.running.token().clone(),
        }
    }

    /// Returns the activity of the last days, as tasks on files of the library.
    pub async fn past(&self) -> anyhow::Result<Vec<PastBatches>> {
        /// More files than the sample library has.
        const MOST: u32 = 1_000;
        Ok(past::past(
            &self.running.first_files(MOST).await?,
            Timestamp::now(),
        ))
    }

    /// Returns snapshots of the limits as they grew in the last days.
    pub fn limits_past(&self) -> anyhow::Result<Vec<Snapshot>> {
        Ok(limits_past::snapshots(&Usage::sample()?, Timestamp::now()))
    }

    /// Returns the directory, which is removed when the demo is closed.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub async fn close(self) {
        self.running.shutdown().await;
        if let Err(error) = self.dir.close() {
            tracing::warn!("the demo's directory could not be removed: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::rate_limit::Quota;

    #[test]
    fn every_mode_is_in_words_that_serve_understands() {
        for mode in DemoMode::value_variants() {
            let faults: Vec<FaultRule> = read(mode.faults()).unwrap();
            let quotas: Vec<Quota> = read(mode.rate_limits()).unwrap();
            assert!(
                !(faults.is_empty() && quotas.is_empty()),
                "{mode:?} does nothing"
            );
        }
    }
}
