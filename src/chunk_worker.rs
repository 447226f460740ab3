//! Work on chunks of bytes in their order, on a thread that may wait, while the next chunks come. The thread is there
//! only while there is something to do, so that a slow sender holds none.

use std::{io, mem};

use bytes::Bytes;
use fast_md5::Md5;
use tokio::task::{JoinHandle, spawn_blocking};

/// So many bytes wait for a worker before those who add more wait. Enough that neither of two workers on the same
/// bytes stands still when the other does for a moment, or while its thread is woken.
const MOST_WAITING: usize = 512 << 10;

/// What is done to every chunk.
pub(crate) trait ChunkWork: Send + 'static {
    /// May take time and wait for the disk.
    fn work(&mut self, chunk: &[u8]) -> io::Result<()>;
}

impl ChunkWork for Md5 {
    fn work(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.update(chunk);
        Ok(())
    }
}

/// Dropped, it leaves the chunks that wait undone.
pub(crate) struct Worker<W> {
    thread: Thread<W>,
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
}

enum Thread<W> {
    Idle(W),
    /// A thread has it.
    Busy(JoinHandle<io::Result<W>>),
    /// The error was given.
    Failed,
}

impl<W: ChunkWork> Worker<W> {
    pub(crate) fn new(worker: W) -> Self {
        Self { thread: Thread::Idle(worker), waiting: Vec::new(), waiting_bytes: 0 }
    }

    /// Returns as soon as there is room for the chunk. Fails with what went wrong with an earlier one.
    pub(crate) async fn add(&mut self, chunk: Bytes) -> io::Result<()> {
        let is_busy = matches!(&self.thread, Thread::Busy(thread) if !thread.is_finished());
        let has_room = is_busy && self.waiting_bytes < MOST_WAITING;
        let worker = if has_room { None } else { Some(self.idle().await?) };
        self.waiting_bytes += chunk.len();
        self.waiting.push(chunk);
        if let Some(worker) = worker {
            self.begin(worker);
        }
        Ok(())
    }

    /// Who did the work, once all of it is done.
    pub(crate) async fn finish(mut self) -> io::Result<W> {
        let worker = self.idle().await?;
        if self.waiting.is_empty() {
            return Ok(worker);
        }
        self.begin(worker);
        self.idle().await
    }

    /// The worker, once it has done what it has. Cancel-safe.
    async fn idle(&mut self) -> io::Result<W> {
        let done = match &mut self.thread {
            Thread::Busy(thread) => Some(thread.await),
            Thread::Idle(_) | Thread::Failed => None,
        };
        match (mem::replace(&mut self.thread, Thread::Failed), done) {
            (_, Some(done)) => done.map_err(io::Error::other)?,
            (Thread::Idle(worker), None) => Ok(worker),
            (_, None) => Err(io::Error::other("earlier work on these bytes failed")),
        }
    }

    /// Has a thread do all that waits. One that panics is not asked again.
    fn begin(&mut self, mut worker: W) {
        let chunks = mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        self.thread = Thread::Busy(spawn_blocking(move || {
            chunks.into_iter().try_for_each(|chunk| worker.work(&chunk))?;
            Ok(worker)
        }));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// Starts each chunk when it may, and fails at an empty one.
    struct Slow {
        turns: Receiver<()>,
        done: Vec<u8>,
    }

    impl ChunkWork for Slow {
        fn work(&mut self, chunk: &[u8]) -> io::Result<()> {
            self.turns.recv().map_err(io::Error::other)?;
            self.done.extend_from_slice(chunk);
            if chunk.is_empty() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    #[tokio::test]
    async fn lots_are_worked_on_in_their_order_and_only_so_many_wait() {
        let (turn, turns) = channel();
        let mut worker = Worker::new(Slow { turns, done: Vec::new() });
        let half = |number: u8| Bytes::from(vec![number; MOST_WAITING / 2]);
        for number in 0..3 {
            worker.add(half(number)).await.unwrap();
        }
        assert!(timeout(Duration::ZERO, worker.add(half(9))).await.is_err(), "there was room for one more");
        turn.send(()).unwrap();
        worker.add(half(7)).await.unwrap();
        (0..3).for_each(|_| turn.send(()).unwrap());
        let mut done = worker.finish().await.unwrap().done;
        done.dedup();
        assert_eq!(done, [0, 1, 2, 7]);
    }

    /// Adds chunks until it is told what went wrong.
    async fn first_error<W: ChunkWork>(worker: &mut Worker<W>) -> io::Error {
        let told = async {
            loop {
                if let Err(error) = worker.add(vec![2].into()).await {
                    return error;
                }
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), told).await.unwrap()
    }

    /// Panics at the first chunk.
    struct Broken;

    impl ChunkWork for Broken {
        fn work(&mut self, _: &[u8]) -> io::Result<()> {
            std::panic::resume_unwind(Box::new("on purpose"))
        }
    }

    // Seen to hang while a panic left the worker busy.
    #[tokio::test]
    async fn a_panic_is_a_failure_like_any_other() {
        let mut worker = Worker::new(Broken);
        let told = first_error(&mut worker).await;
        assert!(told.to_string().contains("panicked"), "{told}");
        assert!(worker.finish().await.is_err());
        let mut worker = Worker::new(Broken);
        worker.add(vec![1].into()).await.unwrap();
        assert!(worker.finish().await.is_err_and(|error| error.to_string().contains("panicked")));
    }

    // Seen to hang while a failure did not give back the room of the chunks that it left undone.
    #[tokio::test]
    async fn a_failure_is_told_to_the_next_who_comes_and_nothing_more_is_done() {
        let (turn, turns) = channel();
        let mut worker = Worker::new(Slow { turns, done: Vec::new() });
        worker.add(Bytes::new()).await.unwrap();
        worker.add(vec![1].into()).await.unwrap();
        turn.send(()).unwrap();
        let told = first_error(&mut worker).await;
        assert_eq!(told.kind(), io::ErrorKind::StorageFull);
        assert!(worker.add(vec![3].into()).await.is_err());
        assert!(worker.finish().await.is_err());
    }
}
