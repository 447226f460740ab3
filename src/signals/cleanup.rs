//! What is done before a signal ends the process without anybody's help: the terminal is given back, if it was taken.

use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

/// How long it may take: a terminal that is held up takes nothing.
const PATIENCE: Duration = Duration::from_millis(250);

static LAST_ACT: OnceLock<fn()> = OnceLock::new();

/// Has this done. The first one that is given counts.
pub fn set_last_act(act: fn()) {
    let _ = LAST_ACT.set(act);
}

/// Does it, or gives up on it.
pub(super) fn act() {
    let Some(act) = LAST_ACT.get() else { return };
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        act();
        done.send(())
    });
    let _ = is_done.recv_timeout(PATIENCE);
}
