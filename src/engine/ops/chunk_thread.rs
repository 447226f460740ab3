//! Bytes on their way, taken by a thread of their own: what takes them is as slow as the network of this machine.

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::api::{Error, Kind};

/// Chunks that may wait; some MiB at most.
const AHEAD: usize = 16;

/// A thread that is fed. Dropped, it ends with what it was given.
#[derive(Debug)]
pub(super) struct ChunkThread<T> {
    chunks: mpsc::Sender<Bytes>,
    end: JoinHandle<T>,
}

/// All chunks, in order.
pub(super) struct Chunks(mpsc::Receiver<Bytes>);

impl Iterator for Chunks {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        self.0.blocking_recv()
    }
}

impl<T: Send + 'static> ChunkThread<T> {
    pub(super) fn start(take: impl FnOnce(Chunks) -> T + Send + 'static) -> Self {
        let (chunks, waiting) = mpsc::channel(AHEAD);
        Self { chunks, end: tokio::task::spawn_blocking(move || take(Chunks(waiting))) }
    }

    /// Waits where the thread is behind. False once it has ended: then `end` tells why.
    pub(super) async fn give(&self, chunk: Bytes) -> bool {
        self.chunks.send(chunk).await.is_ok()
    }

    /// What came of all chunks.
    pub(super) async fn end(self) -> Result<T, Error> {
        drop(self.chunks);
        self.end.await.map_err(|_| Error::new(Kind::Internal, "A thread of the download stopped unexpectedly"))
    }
}
