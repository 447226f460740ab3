//! The last work before a signal ends the process without anybody's help: the terminal is given back, if it was taken, and
//! work that must not be cut short comes to its end.

use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use super::hold::wait_for_holds;

/// How long it may take: a terminal that is held up takes nothing.
const PATIENCE: Duration = Duration::from_millis(250);

static LAST_ACT: OnceLock<fn()> = OnceLock::new();

/// Has this done. The first one that is given counts.
pub fn set_last_act(act: fn()) {
    let _ = LAST_ACT.set(act);
}

/// Does it, or gives up on it.
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
