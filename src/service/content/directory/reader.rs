//! The bytes of a blob on their way from the disk: block by block, on threads that may wait for it, the next one while
//! the last one is used.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use bytes::Bytes;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::service::content::blob::{BlockWindow, room};

/// A blob that is being read.
pub(crate) struct DirectoryReader {
    /// None after the last block, and after a failure.
    next: Option<JoinHandle<io::Result<(BlockSource, Bytes)>>>,
}

impl DirectoryReader {
    /// Reads what the window asks for.
    pub(super) fn begin(open: impl FnOnce() -> io::Result<File> + Send + 'static, window: BlockWindow) -> Self {
        let block = room();
        let first = spawn_blocking(move || {
            let mut file = open()?;
            file.seek(SeekFrom::Start(window.at()))?;
            BlockSource { file, window }.step(block)
        });
        Self { next: Some(first) }
    }

    /// The next bytes; none at the end.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let Some(next) = &mut self.next else { return Ok(None) };
        let read = next.await;
        self.next = None;
        let (source, bytes) = read.map_err(io::Error::other)??;
        if !source.window.is_at_end() {
            let block = room();
            self.next = Some(spawn_blocking(move || source.step(block)));
        }
        Ok(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }
}

struct BlockSource {
    file: File,
    window: BlockWindow,
}

impl BlockSource {
    /// Reads the next block; gives what is asked for of it.
    fn step(mut self, mut block: Vec<u8>) -> io::Result<(Self, Bytes)> {
        (&mut self.file).take(self.window.length()).read_to_end(&mut block)?;
        let bytes = self.window.take(block)?;
        Ok((self, bytes))
    }
}
