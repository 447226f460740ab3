//! The part of a blob that is asked for, as the blocks go by that hold it. Where their sums are known, no byte comes out of
//! a block that is not as it was stored.

use std::io;
use std::ops::Range;

use bytes::Bytes;

use super::damage::damaged;
use super::sums::{BLOCK_BYTES, BlockSums};

/// Cuts what is asked for out of one block after the other.
pub(crate) struct BlockWindow {
    /// Where the next block begins.
    at: u64,
    range: Range<u64>,
    size: u64,
    sums: Option<BlockSums>,
    /// How many blocks were taken.
    taken: usize,
}

impl BlockWindow {
    /// Of `range` of a blob of `size` bytes; `sums` are those of the blocks that hold it. Without them nothing is checked,
    /// and a blob that is shorter ends where it ends.
    pub(crate) fn of(range: Range<u64>, size: u64, sums: Option<BlockSums>) -> Self {
        Self { at: range.start / BLOCK_BYTES * BLOCK_BYTES, range, size, sums, taken: 0 }
    }

    /// Where the next block begins.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The length of the next block.
    pub(crate) fn length(&self) -> u64 {
        BLOCK_BYTES.min(self.size.saturating_sub(self.at))
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.range.end
    }

    /// Takes the next block; gives what is asked for of it.
    pub(crate) fn take(&mut self, block: Vec<u8>) -> io::Result<Bytes> {
        if self.sums.as_ref().is_some_and(|sums| !sums.accept(self.taken, &block)) {
            return Err(damaged());
        }
        let within = |byte: u64| usize::try_from(byte.saturating_sub(self.at)).unwrap_or(usize::MAX).min(block.len());
        let (start, end) = (within(self.range.start), within(self.range.end));
        if (block.len() as u64) < self.length() {
            // A blob whose size is not known ends here.
            self.range.end = self.at;
        }
        self.at += BLOCK_BYTES;
        self.taken += 1;
        Ok(Bytes::from(block).slice(start..end))
    }
}

/// Room for a block, taken by who asks and not by who reads: allocators keep some memory for every thread that takes any,
/// and the threads that may wait for the disk are many.
pub(crate) fn room() -> Vec<u8> {
    Vec::with_capacity(usize::try_from(BLOCK_BYTES).unwrap_or_default())
}
