//! Work on lots of bytes in their order, on a thread that may wait, while the next lots come. The thread is there only
//! while there is something to do, so that a slow sender holds none.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};

/// So many lots are in a lane at most. Enough that neither of two lanes of the same bytes stands still when the other
/// does for a moment, or while its thread is woken.
const MOST_LOTS: usize = 4;

/// What is done to every lot.
pub(crate) trait Work: Send + 'static {
    /// May take time and wait for the disk.
    fn work(&mut self, lot: &[u8]) -> io::Result<()>;
}

/// Dropped, it leaves the lots that wait undone.
pub(crate) struct Lane<W: Work> {
    shared: Arc<Shared<W>>,
    /// The last one that was called.
    thread: Option<JoinHandle<()>>,
}

struct Shared<W> {
    state: Mutex<State<W>>,
    room: Semaphore,
}

struct State<W> {
    waiting: VecDeque<Bytes>,
    worker: Worker<W>,
}

enum Worker<W> {
    Idle(W),
    /// A thread has it.
    Busy,
    /// The error is given once.
    Failed(Option<io::Error>),
}

impl<W: Work> Lane<W> {
    pub(crate) fn new(worker: W) -> Self {
        let state = Mutex::new(State { waiting: VecDeque::new(), worker: Worker::Idle(worker) });
        Self { shared: Arc::new(Shared { state, room: Semaphore::new(MOST_LOTS) }), thread: None }
    }

    /// Returns as soon as there is room for the lot. Fails with what went wrong with an earlier one.
    pub(crate) async fn add(&mut self, lot: Bytes) -> io::Result<()> {
        self.shared.room.acquire().await.map_err(io::Error::other)?.forget();
        let mut state = self.shared.state();
        match mem::replace(&mut state.worker, Worker::Busy) {
            Worker::Busy => state.waiting.push_back(lot),
            Worker::Idle(worker) => {
                state.waiting.push_back(lot);
                let shared = self.shared.clone();
                self.thread = Some(spawn_blocking(move || shared.work(worker)));
            }
            Worker::Failed(error) => {
                state.worker = Worker::Failed(None);
                return Err(error.unwrap_or_else(failed_before));
            }
        }
        Ok(())
    }

    /// Who did the work, once all of it is done.
    pub(crate) async fn finish(mut self) -> io::Result<W> {
        if let Some(thread) = self.thread.take() {
            thread.await.map_err(io::Error::other)?;
        }
        match mem::replace(&mut self.shared.state().worker, Worker::Failed(None)) {
            Worker::Idle(worker) => Ok(worker),
            Worker::Failed(Some(error)) => Err(error),
            Worker::Busy | Worker::Failed(None) => Err(failed_before()),
        }
    }
}

impl<W: Work> Drop for Lane<W> {
    fn drop(&mut self) {
        self.shared.state().waiting.clear();
    }
}

impl<W: Work> Shared<W> {
    fn work(&self, mut worker: W) {
        loop {
            let mut state = self.state();
            let Some(lot) = state.waiting.pop_front() else {
                state.worker = Worker::Idle(worker);
                return;
            };
            drop(state);
            // One that panicked is not asked again. Without a word, whoever waits for room would wait for ever.
            let done = catch_unwind(AssertUnwindSafe(|| worker.work(&lot))).unwrap_or_else(|_| Err(panicked()));
            drop(lot);
            self.room.add_permits(1);
            if let Err(error) = done {
                let mut state = self.state();
                self.room.add_permits(mem::take(&mut state.waiting).len());
                state.worker = Worker::Failed(Some(error));
                return;
            }
        }
    }
}

impl<W> Shared<W> {
    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn panicked() -> io::Error {
    io::Error::other("what was done with the bytes panicked")
}

fn failed_before() -> io::Error {
    io::Error::other("an earlier write failed")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// Begins each lot when it is let, and fails at one that is empty.
    struct Slow {
        turns: Receiver<()>,
        done: Vec<u8>,
    }

    impl Work for Slow {
        fn work(&mut self, lot: &[u8]) -> io::Result<()> {
            self.turns.recv().map_err(io::Error::other)?;
            self.done.extend_from_slice(lot);
            if lot.is_empty() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    #[tokio::test]
    async fn lots_are_worked_on_in_their_order_and_only_so_many_wait() {
        let (turn, turns) = channel();
        let mut lane = Lane::new(Slow { turns, done: Vec::new() });
        for number in 0..u8::try_from(MOST_LOTS).unwrap() {
            lane.add(vec![number].into()).await.unwrap();
        }
        assert!(timeout(Duration::ZERO, lane.add(vec![9].into())).await.is_err(), "there was room for one more");
        turn.send(()).unwrap();
        lane.add(vec![7].into()).await.unwrap();
        (0..MOST_LOTS).for_each(|_| turn.send(()).unwrap());
        assert_eq!(lane.finish().await.unwrap().done, [0, 1, 2, 3, 7]);
    }

    /// Panics at the first lot.
    struct Broken;

    impl Work for Broken {
        fn work(&mut self, _: &[u8]) -> io::Result<()> {
            std::panic::resume_unwind(Box::new("on purpose"))
        }
    }

    // Seen to hang while a panic left the lane busy.
    #[tokio::test]
    async fn a_panic_is_a_failure_like_any_other() {
        let mut lane = Lane::new(Broken);
        let told = async {
            loop {
                if let Err(error) = lane.add(vec![1].into()).await {
                    return error;
                }
                tokio::task::yield_now().await;
            }
        };
        let told = timeout(Duration::from_secs(20), told).await.unwrap();
        assert!(told.to_string().contains("panicked"), "{told}");
        assert!(lane.finish().await.is_err());
        let mut lane = Lane::new(Broken);
        lane.add(vec![1].into()).await.unwrap();
        assert!(lane.finish().await.is_err_and(|error| error.to_string().contains("panicked")));
    }

    // Seen to hang while a failure did not give back the room of the lots that it left undone.
    #[tokio::test]
    async fn a_failure_is_told_to_the_next_who_comes_and_nothing_more_is_done() {
        let (turn, turns) = channel();
        let mut lane = Lane::new(Slow { turns, done: Vec::new() });
        lane.add(Bytes::new()).await.unwrap();
        lane.add(vec![1].into()).await.unwrap();
        turn.send(()).unwrap();
        let told = async {
            loop {
                if let Err(error) = lane.add(vec![2].into()).await {
                    return error;
                }
                tokio::task::yield_now().await;
            }
        };
        let told = timeout(Duration::from_secs(20), told).await.unwrap();
        assert_eq!(told.kind(), io::ErrorKind::StorageFull);
        assert!(lane.add(vec![3].into()).await.is_err());
        assert!(lane.finish().await.is_err());
    }
}
