//! The requested part of a blob, cut out of its blocks. If their sums are known, no damaged byte is
//! returned.

use std::io;
use std::ops::Range;

use bytes::Bytes;

use super::damage::damaged;
use super::sums::{BLOCK_BYTES, BlockSums};

pub(crate) struct BlockWindow {
    at: u64,
    range: Range<u64>,
    size: u64,
    sums: Option<BlockSums>,
    taken: usize,
}

impl BlockWindow {
    /// Creates a window on `range` of a blob of `size` bytes; `sums` are those of the blocks that
    /// hold it. Without sums nothing is checked, and a shorter blob simply ends early.
    pub(crate) fn of(range: Range<u64>, size: u64, sums: Option<BlockSums>) -> Self {
        Self {
            at: range.start / BLOCK_BYTES * BLOCK_BYTES,
            range,
            size,
            sums,
            taken: 0,
        }
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    pub(crate) fn length(&self) -> u64 {
        BLOCK_BYTES.min(self.size.saturating_sub(self.at))
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.range.end
    }

    pub(crate) fn take(&mut self, block: Vec<u8>) -> io::Result<Bytes> {
        if self
            .sums
            .as_ref()
            .is_some_and(|sums| !sums.accept(self.taken, &block))
        {
            return Err(damaged());
        }
        let within = |byte: u64| {
            usize::try_from(byte.saturating_sub(self.at))
                .unwrap_or(usize::MAX)
                .min(block.len())
        };
        let (start, end) = (within(self.range.start), within(self.range.end));
        if (block.len() as u64) < self.length() {
            // The end of a blob of unknown size.
            self.range.end = self.at;
        }
        self.at += BLOCK_BYTES;
        self.taken += 1;
        Ok(Bytes::from(block).slice(start..end))
    }
}

/// Allocates memory for a block. Call this on the requesting thread, not the one that reads:
/// allocators keep some memory for every thread that allocates, and there are many blocking
/// threads.
pub(crate) fn room() -> Vec<u8> {
    Vec::with_capacity(usize::try_from(BLOCK_BYTES).unwrap_or_default())
}
