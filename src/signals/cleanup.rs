//! The last work before a signal ends the process: restores the terminal, and finishes work that
//! must not be cut short.

use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use super::hold::wait_for_holds;

/// The time limit of the last act: a terminal that is held up accepts no output.
const PATIENCE: Duration = Duration::from_millis(250);

static LAST_ACT: OnceLock<fn()> = OnceLock::new();

/// Sets the act to run. Only the first call has an effect.
pub fn set_last_act(act: fn()) {
    let _ = LAST_ACT.set(act);
}

/// Runs the act within the time limit, then waits for holds.
pub(super) fn act() {
    if let Some(act) = LAST_ACT.get() {
        let (done, is_done) = mpsc::channel();
        thread::spawn(move || {
            act();
            done.send(())
        });
        let _ = is_done.recv_timeout(PATIENCE);
    }
    wait_for_holds();
}
