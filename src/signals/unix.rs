//! Signals as Unix has them: heard on a thread of their own, they end the process where nobody takes them.

use std::sync::Arc;
use std::{io, thread};

use nix::sys::signal::{SigSet, SigmaskHow};
use rustix::process::{self, Signal as Number};
use signal_hook::consts::{SIGABRT, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level;

use super::desk::Desk;
use super::last_act;
use super::signal::{EndSignal, Signal};

#[derive(Debug)]
pub(super) struct Source(Handle);

/// Hears the signals from now on. Those that come before the thread runs wait for it.
pub(super) fn listen(desk: Arc<Desk>) -> io::Result<Source> {
    // One that came while its place is made would be lost.
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
    let signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT]);
    before.thread_set_mask()?;
    let mut signals = signals?;
    let source = Source(signals.handle());
    let hear = move || signals.forever().for_each(|number| hear(&desk, number));
    thread::Builder::new().name("signals".to_owned()).spawn(hear)?;
    Ok(source)
}

impl Source {
    pub(super) fn hear_job_control(&self) -> io::Result<()> {
        self.0.add_signal(SIGTSTP)?;
        self.0.add_signal(SIGCONT)
    }
}

fn hear(desk: &Desk, number: i32) {
    let signal = match number {
        SIGTERM => EndSignal::Terminated,
        SIGHUP => EndSignal::HungUp,
        SIGINT => EndSignal::Interrupted,
        SIGQUIT => EndSignal::Quit,
        SIGTSTP => return desk.leave_job(Signal::Suspend),
        SIGCONT => return desk.leave_job(Signal::Continued),
        // Who sends SIGABRT wants to see the process die of it.
        other => {
            last_act::act();
            let _ = low_level::emulate_default_handler(other);
            return;
        }
    };
    if desk.leave(signal).is_err() {
        last_act::act();
        low_level::exit(signal as i32);
    }
}

/// Stops this process until it is continued.
pub fn stop_process() -> io::Result<()> {
    Ok(process::kill_process(process::getpid(), Number::STOP)?)
}

/// Stops this process and whoever started it in the same job, as the terminal does for Ctrl-Z:
/// a shell that waits for the starter would not notice otherwise.
pub fn stop_group() -> io::Result<()> {
    Ok(process::kill_current_process_group(Number::STOP)?)
}
