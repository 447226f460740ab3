//! Holds a signal until an attending caller takes it. Detects that nobody does; the consequences
//! are up to the caller.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::signal::{EndSignal, Signal};

/// The time that a second signal gives the first to be taken: shells and `timeout` send each signal
/// twice.
const PATIENCE: Duration = Duration::from_millis(250);

#[derive(Debug, Default)]
pub(super) struct PendingSignals {
    waiting: Mutex<Waiting>,
    called: Notify,
    taken: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    attended: bool,
    end: Option<EndSignal>,
    /// The latest job control signal, which overrides earlier ones.
    job: Option<Signal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unattended;

impl PendingSignals {
    pub(super) fn open(&self) {
        self.lock().attended = true;
    }

    pub(super) fn close(&self) {
        self.lock().attended = false;
        self.taken.notify_all();
    }

    /// Leaves the signal for the attending caller. Blocks briefly while another one is waiting.
    pub(super) fn leave(&self, signal: EndSignal) -> Result<(), Unattended> {
        let is_occupied = |waiting: &mut Waiting| waiting.attended && waiting.end.is_some();
        let waited = self
            .taken
            .wait_timeout_while(self.lock(), PATIENCE, is_occupied);
        let mut waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        if !waiting.attended || waiting.end.is_some() {
            return Err(Unattended);
        }
        waiting.end = Some(signal);
        self.called.notify_one();
        Ok(())
    }

    /// Leaves a job control signal, which nobody has to take.
    #[cfg(any(unix, test))]
    pub(super) fn leave_job(&self, signal: Signal) {
        self.lock().job = Some(signal);
        self.called.notify_one();
    }

    pub(super) fn take_end(&self) -> Option<EndSignal> {
        let taken = self.lock().end.take();
        self.taken.notify_all();
        taken
    }

    pub(super) fn take(&self) -> Option<Signal> {
        self.take_end()
            .map(Signal::End)
            .or_else(|| self.lock().job.take())
    }

    /// Waits until there is something to take. Supports one caller at a time.
    pub(super) async fn next<T>(&self, take: impl Fn(&Self) -> Option<T>) -> T {
        loop {
            if let Some(taken) = take(self) {
                return taken;
            }
            self.called.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn a_signal_is_left_for_who_attends_and_for_nobody_else() {
        let pending = PendingSignals::default();
        assert_eq!(pending.leave(EndSignal::Terminated), Err(Unattended));
        pending.open();
        assert_eq!(pending.leave(EndSignal::Terminated), Ok(()));
        assert_eq!(pending.take(), Some(Signal::End(EndSignal::Terminated)));
        assert_eq!(pending.take(), None);
        pending.close();
        assert_eq!(pending.leave(EndSignal::Terminated), Err(Unattended));
    }

    #[test]
    fn what_was_not_taken_can_be_told_after_the_end() {
        let pending = PendingSignals::default();
        pending.open();
        pending.leave(EndSignal::HungUp).unwrap();
        pending.close();
        assert_eq!(pending.take_end(), Some(EndSignal::HungUp));
    }

    #[test]
    fn a_second_signal_gives_up_on_who_does_not_take_the_first() {
        let pending = PendingSignals::default();
        pending.open();
        pending.leave(EndSignal::Terminated).unwrap();
        assert_eq!(pending.leave(EndSignal::Terminated), Err(Unattended));
    }

    #[tokio::test]
    async fn a_signal_that_is_sent_twice_can_be_taken_twice() {
        let pending = Arc::new(PendingSignals::default());
        pending.open();
        let sender = Arc::clone(&pending);
        let sent = thread::spawn(move || {
            [EndSignal::HungUp, EndSignal::HungUp].map(|signal| sender.leave(signal))
        });
        for _ in 0..2 {
            assert_eq!(
                pending.next(PendingSignals::take_end).await,
                EndSignal::HungUp
            );
        }
        assert_eq!(sent.join().unwrap(), [Ok(()), Ok(())]);
    }

    #[test]
    fn going_on_overrules_a_stop_and_an_end_goes_first() {
        let pending = PendingSignals::default();
        pending.open();
        pending.leave_job(Signal::Suspend);
        pending.leave_job(Signal::Continued);
        pending.leave(EndSignal::Quit).unwrap();
        assert_eq!(pending.take(), Some(Signal::End(EndSignal::Quit)));
        assert_eq!(pending.take(), Some(Signal::Continued));
        assert_eq!(pending.take(), None);
    }
}
