//! Platforms without Unix signals: only Ctrl-C arrives from outside.

use std::sync::Arc;
use std::{io, process, thread};

use super::cleanup;
use super::pending::PendingSignals;
use super::signal::EndSignal;

#[derive(Debug)]
pub(super) struct SignalSource;

pub(super) fn listen(pending: Arc<PendingSignals>) -> io::Result<SignalSource> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let hear = async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if pending.leave(EndSignal::Interrupted).is_err() {
                cleanup::act();
                process::exit(EndSignal::Interrupted as i32);
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || runtime.block_on(hear))?;
    Ok(SignalSource)
}

impl SignalSource {
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Unix")]
    pub(super) fn hear_job_control(&self) -> io::Result<()> {
        Ok(())
    }
}

pub fn stop_process() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn stop_group() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
