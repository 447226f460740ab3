//! Reads a blob from the disk block by block on blocking threads, each block while the previous one
//! is used.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use bytes::Bytes;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::service::content::blob::{BlockWindow, room};

pub(crate) struct DirectoryReader {
    /// `None` after the last block or a failure.
    next: Option<JoinHandle<io::Result<(BlockSource, Bytes)>>>,
}

impl DirectoryReader {
    pub(super) fn begin(
        open: impl FnOnce() -> io::Result<File> + Send + 'static,
        window: BlockWindow,
    ) -> Self {
        let block = room();
        let first = spawn_blocking(move || {
            let mut file = open()?;
            file.seek(SeekFrom::Start(window.at()))?;
            BlockSource { file, window }.step(block)
        });
        Self { next: Some(first) }
    }

    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let Some(next) = &mut self.next else {
            return Ok(None);
        };
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
    fn step(mut self, mut block: Vec<u8>) -> io::Result<(Self, Bytes)> {
        (&mut self.file)
            .take(self.window.length())
            .read_to_end(&mut block)?;
        let bytes = self.window.take(block)?;
        Ok((self, bytes))
    }
}
