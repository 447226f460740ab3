//! Reads of blobs of one block. They are many, and each takes less time than the hop to a thread,
//! so a few threads take them from one queue. More threads join only if many reads wait or one
//! waits long, as on a slow disk.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::service::content::blob::{ContentDigest, SumBuilder, damaged};

/// The number of waiting reads per thread that brings another thread.
const WAITING_FOR_ONE: usize = 4;
const MOST_THREADS: usize = 64;
/// The time that a read waits before it brings another thread, since the existing ones may hang on
/// a bad disk.
const LONG: Duration = Duration::from_millis(20);

#[derive(Clone, Default)]
pub(super) struct SmallReads(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<ReadRequest>,
    threads: usize,
}

type Open = Box<dyn FnOnce() -> io::Result<File> + Send>;

struct ReadRequest {
    open: Open,
    /// Allocated for the whole blob by the requesting thread: see `blob::room`.
    bytes: Vec<u8>,
    digest: ContentDigest,
    answer: oneshot::Sender<io::Result<Bytes>>,
}

impl SmallReads {
    /// Reads all bytes of the blob that `open` opens, which must have this size and digest.
    pub(super) async fn read(
        &self,
        open: impl FnOnce() -> io::Result<File> + Send + 'static,
        size: u64,
        digest: ContentDigest,
    ) -> io::Result<Bytes> {
        let (answer, mut answered) = oneshot::channel();
        let bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
        self.queue().waiting.push_back(ReadRequest {
            open: Box::new(open),
            bytes,
            digest,
            answer,
        });
        self.bring_thread(|queue| queue.threads < queue.waiting.len().div_ceil(WAITING_FOR_ONE));
        let answer = if let Ok(answer) = timeout(LONG, &mut answered).await {
            answer
        } else {
            self.bring_thread(|queue| !queue.waiting.is_empty());
            answered.await
        };
        answer.map_err(io::Error::other)?
    }

    /// Starts another thread if the queue warrants one and the limit allows it.
    fn bring_thread(&self, is_worth_one: impl FnOnce(&Queue) -> bool) {
        let mut queue = self.queue();
        if queue.threads < MOST_THREADS && is_worth_one(&queue) {
            queue.threads += 1;
            let reads = self.clone();
            spawn_blocking(move || reads.work());
        }
    }

    fn work(&self) {
        loop {
            // Releases the lock on the queue before blocking on the disk.
            let next = self.queue().next();
            let Some(ReadRequest {
                open,
                bytes,
                digest,
                answer,
            }) = next
            else {
                return;
            };
            if !answer.is_closed() {
                // The caller may have stopped waiting.
                let _ = answer.send(read(open, bytes, &digest));
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Takes the oldest read. If there is none, the calling thread is counted as ended.
    fn next(&mut self) -> Option<ReadRequest> {
        let next = self.waiting.pop_front();
        self.threads -= usize::from(next.is_none());
        next
    }
}

fn read(open: Open, mut bytes: Vec<u8>, digest: &ContentDigest) -> io::Result<Bytes> {
    open()?
        .read_exact(&mut bytes)
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged(),
            _ => error,
        })?;
    let mut summing = SumBuilder::like(digest);
    summing.add(&bytes);
    if summing.finish().are_of(digest) {
        Ok(bytes.into())
    } else {
        Err(damaged())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use futures::future::join_all;

    use super::*;

    fn open(place: &Path) -> impl FnOnce() -> io::Result<File> + Send + 'static {
        let place = place.to_owned();
        move || File::open(place)
    }

    fn digest(bytes: &[u8]) -> ContentDigest {
        let mut summing = SumBuilder::default();
        summing.add(bytes);
        summing.finish().digest()
    }

    // Fails if the queue is locked while the disk is read, and without the thread that a long wait
    // brings.
    #[tokio::test]
    async fn a_read_that_hangs_holds_up_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("blob");
        std::fs::write(&place, "whole").unwrap();
        let sum = digest(b"whole");
        let reads = SmallReads::default();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let stuck = tokio::spawn({
            let (reads, place, sum) = (reads.clone(), place.clone(), sum.clone());
            let hang = move || {
                released.recv().map_err(io::Error::other)?;
                File::open(place)
            };
            async move { reads.read(hang, 5, sum).await }
        });
        while reads.queue().threads == 0 {
            tokio::task::yield_now().await;
        }
        let others = join_all((0..3).map(|_| reads.read(open(&place), 5, sum.clone())));
        let others = timeout(Duration::from_secs(20), others).await.unwrap();
        assert!(
            others
                .iter()
                .all(|read| read.as_ref().is_ok_and(|bytes| bytes == "whole"))
        );
        release.send(()).unwrap();
        assert_eq!(stuck.await.unwrap().unwrap(), "whole");
    }

    #[tokio::test]
    async fn every_read_is_answered_and_no_thread_stays() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("blob");
        std::fs::write(&place, "whole").unwrap();
        let (good, bad) = (digest(b"whole"), digest(b"other"));
        let reads = SmallReads::default();
        let asked = (0..500).map(|turn| {
            let (place, sum) = (
                place.clone(),
                if turn % 5 == 0 {
                    bad.clone()
                } else {
                    good.clone()
                },
            );
            let (reads, size) = (reads.clone(), if turn % 7 == 0 { 6 } else { 5 });
            async move { (turn, reads.read(open(&place), size, sum).await) }
        });
        for (turn, read) in join_all(asked).await {
            if turn % 5 == 0 || turn % 7 == 0 {
                assert_eq!(
                    read.unwrap_err().kind(),
                    io::ErrorKind::InvalidData,
                    "{turn}"
                );
            } else {
                assert_eq!(read.unwrap(), "whole", "{turn}");
            }
        }
        let gone = reads.read(open(&dir.path().join("none")), 5, good).await;
        assert_eq!(gone.unwrap_err().kind(), io::ErrorKind::NotFound);
        let idle = async {
            while reads.queue().threads > 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), idle).await.unwrap();
    }
}
