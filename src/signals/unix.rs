//! Unix signals, received on their own thread. They end the process if nobody takes them.

use std::sync::Arc;
use std::{io, thread};

use nix::sys::signal::{SigSet, SigmaskHow};
use rustix::process::{self, Signal as Number};
use signal_hook::consts::{SIGABRT, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level;

use super::cleanup;
use super::pending::PendingSignals;
use super::signal::{EndSignal, Signal};

#[derive(Debug)]
pub(super) struct SignalSource(Handle);

/// Starts listening. Signals that arrive before the thread runs wait for it.
pub(super) fn listen(pending: Arc<PendingSignals>) -> io::Result<SignalSource> {
    // A signal that arrives while its handler is being installed would be lost.
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT]);
    before.thread_set_mask()?;
    let mut signals = signals?;
    let source = SignalSource(signals.handle());
    let hear = move || signals.forever().for_each(|number| hear(&pending, number));
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(hear)?;
    Ok(source)
}

impl SignalSource {
    pub(super) fn hear_job_control(&self) -> io::Result<()> {
        self.0.add_signal(SIGTSTP)?;
        self.0.add_signal(SIGCONT)
    }
}

fn hear(pending: &PendingSignals, number: i32) {
    let signal = match number {
        SIGTERM => EndSignal::Terminated,
        SIGHUP => EndSignal::HungUp,
        SIGINT => EndSignal::Interrupted,
        SIGQUIT => EndSignal::Quit,
        SIGTSTP => return pending.leave_job(Signal::Suspend),
        SIGCONT => return pending.leave_job(Signal::Continued),
        // The sender of SIGABRT wants the process to die of it.
        other => {
            cleanup::act();
            let _ = low_level::emulate_default_handler(other);
            return;
        }
    };
    if pending.leave(signal).is_err() {
        cleanup::act();
        low_level::exit(signal as i32);
    }
}

pub fn stop_process() -> io::Result<()> {
    Ok(process::kill_process(process::getpid(), Number::STOP)?)
}

/// Stops the whole process group, as the terminal does for Ctrl-Z: otherwise a shell that waits for
/// the process that started this one would not notice.
pub fn stop_group() -> io::Result<()> {
    Ok(process::kill_current_process_group(Number::STOP)?)
}
