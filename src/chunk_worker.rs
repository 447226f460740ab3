//! Processes chunks of bytes in order on a blocking thread while the next chunks arrive. The thread
//! exists only while there is work, so a slow sender does not hold one.

use std::{io, mem};

use bytes::Bytes;
use fast_md5::Md5;
use tokio::task::{JoinHandle, spawn_blocking};

/// Bytes that may be queued for a worker before `add` waits. Enough that of two workers on the same
/// bytes, neither idles while the other pauses briefly or its thread wakes up.
const MOST_WAITING: usize = 512 << 10;

pub(crate) trait ChunkWork: Send + 'static {
    /// May block on the disk.
    fn work(&mut self, chunk: &[u8]) -> io::Result<()>;
}

impl ChunkWork for Md5 {
    fn work(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.update(chunk);
        Ok(())
    }
}

/// Dropping it discards the queued chunks.
pub(crate) struct Worker<W> {
    thread: Thread<W>,
    waiting: Vec<Bytes>,
    waiting_bytes: usize,
}

enum Thread<W> {
    Idle(W),
    /// A thread owns the worker.
    Busy(JoinHandle<io::Result<W>>),
    /// The error has been returned.
    Failed,
}

impl<W: ChunkWork> Worker<W> {
    pub(crate) fn new(worker: W) -> Self {
        Self {
            thread: Thread::Idle(worker),
            waiting: Vec::new(),
            waiting_bytes: 0,
        }
    }

    /// Returns as soon as there is room for the chunk. Fails with the error of an earlier chunk.
    pub(crate) async fn add(&mut self, chunk: Bytes) -> io::Result<()> {
        let is_busy = matches!(&self.thread, Thread::Busy(thread) if !thread.is_finished());
        let has_room = is_busy && self.waiting_bytes < MOST_WAITING;
        let worker = if has_room {
            None
        } else {
            Some(self.idle().await?)
        };
        self.waiting_bytes += chunk.len();
        self.waiting.push(chunk);
        if let Some(worker) = worker {
            self.begin(worker);
        }
        Ok(())
    }

    pub(crate) async fn finish(mut self) -> io::Result<W> {
        let worker = self.idle().await?;
        if self.waiting.is_empty() {
            return Ok(worker);
        }
        self.begin(worker);
        self.idle().await
    }

    /// Returns the worker once its current work is done. Cancel-safe.
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

    /// Processes all queued chunks on a thread. A worker that panics is lost.
    fn begin(&mut self, mut worker: W) {
        let chunks = mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        self.thread = Thread::Busy(spawn_blocking(move || {
            chunks
                .into_iter()
                .try_for_each(|chunk| worker.work(&chunk))?;
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

    /// Waits for a turn before each chunk, and fails at an empty one.
    struct Slow {
        turns: Receiver<()>,
        done: Vec<u8>,
    }

    impl ChunkWork for Slow {
        fn work(&mut self, chunk: &[u8]) -> io::Result<()> {
            self.turns.recv().map_err(io::Error::other)?;
            self.done.extend_from_slice(chunk);
            if chunk.is_empty() {
                Err(io::ErrorKind::StorageFull.into())
            } else {
                Ok(())
            }
        }
    }

    #[tokio::test]
    async fn lots_are_worked_on_in_their_order_and_only_so_many_wait() {
        let (turn, turns) = channel();
        let mut worker = Worker::new(Slow {
            turns,
            done: Vec::new(),
        });
        let half = |number: u8| Bytes::from(vec![number; MOST_WAITING / 2]);
        for number in 0..3 {
            worker.add(half(number)).await.unwrap();
        }
        assert!(
            timeout(Duration::ZERO, worker.add(half(9))).await.is_err(),
            "there was room for one more"
        );
        turn.send(()).unwrap();
        worker.add(half(7)).await.unwrap();
        (0..3).for_each(|_| turn.send(()).unwrap());
        let mut done = worker.finish().await.unwrap().done;
        done.dedup();
        assert_eq!(done, [0, 1, 2, 7]);
    }

    /// Adds chunks until one fails.
    async fn first_error<W: ChunkWork>(worker: &mut Worker<W>) -> io::Error {
        let until_error = async {
            loop {
                if let Err(error) = worker.add(vec![2].into()).await {
                    return error;
                }
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), until_error).await.unwrap()
    }

    struct Broken;

    impl ChunkWork for Broken {
        fn work(&mut self, _: &[u8]) -> io::Result<()> {
            std::panic::resume_unwind(Box::new("on purpose"))
        }
    }

    // Used to hang: a panic left the worker busy.
    #[tokio::test]
    async fn a_panic_is_a_failure_like_any_other() {
        let mut worker = Worker::new(Broken);
        let error = first_error(&mut worker).await;
        assert!(error.to_string().contains("panicked"), "{error}");
        assert!(worker.finish().await.is_err());
        let mut worker = Worker::new(Broken);
        worker.add(vec![1].into()).await.unwrap();
        assert!(
            worker
                .finish()
                .await
                .is_err_and(|error| error.to_string().contains("panicked"))
        );
    }

    // Used to hang: a failure did not free the room of the chunks that it discarded.
    #[tokio::test]
    async fn a_failure_is_told_to_the_next_who_comes_and_nothing_more_is_done() {
        let (turn, turns) = channel();
        let mut worker = Worker::new(Slow {
            turns,
            done: Vec::new(),
        });
        worker.add(Bytes::new()).await.unwrap();
        worker.add(vec![1].into()).await.unwrap();
        turn.send(()).unwrap();
        let error = first_error(&mut worker).await;
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(worker.add(vec![3].into()).await.is_err());
        assert!(worker.finish().await.is_err());
    }
}
