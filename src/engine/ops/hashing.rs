//! The MD5 of bytes on their way, computed on a thread of its own: it takes as long as the network of this machine.

use bytes::Bytes;
use fast_md5::Md5;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::api::{Error, Kind};

/// Chunks that may wait; some MiB at most.
const AHEAD: usize = 16;

/// A hash that is fed. Dropped, it ends.
#[derive(Debug)]
pub(super) struct Hashing {
    chunks: mpsc::Sender<Bytes>,
    hash: JoinHandle<String>,
}

impl Hashing {
    pub(super) fn begin() -> Self {
        let (chunks, mut waiting) = mpsc::channel::<Bytes>(AHEAD);
        let hash = tokio::task::spawn_blocking(move || {
            let mut hash = Md5::new();
            while let Some(chunk) = waiting.blocking_recv() {
                hash.update(&chunk);
            }
            hex::encode(hash.finalize())
        });
        Self { chunks, hash }
    }

    /// Waits where the hash is behind.
    pub(super) async fn update(&self, chunk: Bytes) -> Result<(), Error> {
        self.chunks.send(chunk).await.map_err(|_| stopped())
    }

    /// Lower-case hex.
    pub(super) async fn end(self) -> Result<String, Error> {
        drop(self.chunks);
        self.hash.await.map_err(|_| stopped())
    }
}

fn stopped() -> Error {
    Error::new(Kind::Internal, "The hash of the file was stopped")
}
