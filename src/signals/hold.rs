//! Work that no signal may cut short: the process does not exit on a signal while any is in
//! progress.

use std::sync::{Condvar, Mutex, PoisonError};

static UNDER_WAY: Mutex<usize> = Mutex::new(0);
static DONE: Condvar = Condvar::new();

#[derive(Debug)]
pub struct SignalHold(());

impl SignalHold {
    /// Begins work that must finish, and finishes soon.
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

/// Waits until no such work is in progress. The last step before the process exits.
pub fn wait_for_holds() {
    let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    // Releasing the lock is safe: nothing after this begins more work.
    drop(DONE.wait_while(under_way, |under_way| *under_way > 0));
}
