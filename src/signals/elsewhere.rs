//! Where there are no signals, Ctrl-C from outside is all there is.

use std::sync::Arc;
use std::{io, process, thread};

use super::desk::Desk;
use super::last_act;
use super::signal::EndSignal;

#[derive(Debug)]
pub(super) struct Source;

pub(super) fn listen(desk: Arc<Desk>) -> io::Result<Source> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let hear = async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if desk.leave(EndSignal::Interrupted).is_err() {
                last_act::act();
                process::exit(EndSignal::Interrupted as i32);
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || runtime.block_on(hear))?;
    Ok(Source)
}

impl Source {
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
