//! Work that no signal cuts short: as long as any of it is under way, the process does not end by one.

use std::sync::{Condvar, Mutex, PoisonError};

static UNDER_WAY: Mutex<usize> = Mutex::new(0);
static DONE: Condvar = Condvar::new();

/// Keeps the process from ending until it is dropped.
#[derive(Debug)]
pub struct SignalHold(());

impl SignalHold {
    /// Begins work that has to come to its end, and soon.
    pub fn begin() -> Self {
        *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Self(())
    }
}

impl Drop for SignalHold {
    fn drop(&mut self) {
        *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        DONE.notify_all();
    }
}

/// Waits until no such work is under way. Comes last before the process ends.
pub fn wait_for_holds() {
    let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    // Nothing follows that could begin more of it.
    drop(DONE.wait_while(under_way, |under_way| *under_way > 0));
}
