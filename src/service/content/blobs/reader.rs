//! The bytes of a blob on their way from the disk: block by block, on threads that may wait for it, the next one while
//! the last one is used. Where their sums are known, no byte comes out of a block that is not as it was stored.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use bytes::Bytes;
use tokio::task::{JoinHandle, spawn_blocking};

use super::sums::{BLOCK_BYTES, BlockSums};

/// The bytes are not those that were stored.
#[derive(Debug, thiserror::Error)]
#[error("the stored bytes are damaged")]
struct Damaged;

/// As an error of the disk; nothing else is one of this kind.
pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Damaged)
}

/// A blob that is being read.
pub(crate) struct BlobReader {
    /// None after the last block, and after a failure.
    next: Option<JoinHandle<io::Result<(BlockSource, Bytes)>>>,
}

impl BlobReader {
    /// Reads `range` of a blob of `size` bytes; `sums` are those of the blocks that hold it. Without them nothing is checked,
    /// and a blob that is shorter ends where it ends.
    pub(super) fn begin(
        open: impl FnOnce() -> io::Result<File> + Send + 'static,
        range: Range<u64>,
        size: u64,
        sums: Option<BlockSums>,
    ) -> Self {
        let block = room();
        let first = spawn_blocking(move || {
            let mut file = open()?;
            let at = range.start / BLOCK_BYTES * BLOCK_BYTES;
            file.seek(SeekFrom::Start(at))?;
            BlockSource { file, at, range, size, sums, read: 0 }.step(block)
        });
        Self { next: Some(first) }
    }

    /// The next bytes; none at the end.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let Some(next) = &mut self.next else { return Ok(None) };
        let read = next.await;
        self.next = None;
        let (source, bytes) = read.map_err(io::Error::other)??;
        if !source.is_at_end() {
            let block = room();
            self.next = Some(spawn_blocking(move || source.step(block)));
        }
        Ok(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }
}

/// Room for a block, taken by who asks and not by who reads: allocators keep some memory for every thread that takes any,
/// and the threads that may wait for the disk are many.
fn room() -> Vec<u8> {
    Vec::with_capacity(usize::try_from(BLOCK_BYTES).unwrap_or_default())
}

struct BlockSource {
    file: File,
    /// Where the next block begins.
    at: u64,
    range: Range<u64>,
    size: u64,
    sums: Option<BlockSums>,
    /// How many blocks were read.
    read: usize,
}

impl BlockSource {
    /// Reads the next block; gives what is asked for of it.
    fn step(mut self, mut block: Vec<u8>) -> io::Result<(Self, Bytes)> {
        let length = BLOCK_BYTES.min(self.size.saturating_sub(self.at));
        (&mut self.file).take(length).read_to_end(&mut block)?;
        if self.sums.as_ref().is_some_and(|sums| !sums.accept(self.read, &block)) {
            return Err(damaged());
        }
        let within = |byte: u64| usize::try_from(byte.saturating_sub(self.at)).unwrap_or(usize::MAX).min(block.len());
        let (start, end) = (within(self.range.start), within(self.range.end));
        if (block.len() as u64) < length {
            // A blob whose size is not known ends here.
            self.range.end = self.at;
        }
        self.at += BLOCK_BYTES;
        self.read += 1;
        Ok((self, Bytes::from(block).slice(start..end)))
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.range.end
    }
}
