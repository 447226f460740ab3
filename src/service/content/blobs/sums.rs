//! Checksums of a blob: one of all its bytes, which the row of its file keeps, and one of each block, so that a part can
//! be checked without the rest.

use std::ops::Range;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

/// Bytes are read, checked and sent in blocks of this size: long enough that the way to a thread that may wait for the
/// disk costs little beside it, short enough to have two of them in memory for every connection.
pub(crate) const BLOCK_BYTES: u64 = 128 * 1024;

/// The sum of a block is the beginning of its BLAKE3: 128 bits miss no damage, and are half as much to keep.
const SUM_BYTES: usize = 16;

/// The sums of blocks, in their order. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BlockSums(Bytes);

impl BlockSums {
    /// Takes sums as the database keeps them.
    pub(crate) fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// How many blocks they are of.
    pub(crate) fn blocks(&self) -> usize {
        self.0.len() / SUM_BYTES
    }

    /// Those of some of the blocks.
    pub(crate) fn of(&self, blocks: &Range<u64>) -> Self {
        let Range { start, end } = places(blocks);
        let end = end.min(self.0.len());
        Self(self.0.slice(start.min(end)..end))
    }

    /// Whether the block at this place is the one whose sum was taken.
    pub(super) fn accept(&self, place: usize, block: &[u8]) -> bool {
        let sum = self.0.chunks_exact(SUM_BYTES).nth(place);
        sum.is_some_and(|sum| sum_of(&blake3::hash(block)) == sum)
    }
}

fn sum_of(hash: &blake3::Hash) -> &[u8] {
    hash.as_bytes().split_at(SUM_BYTES).0
}

/// The blocks that hold these bytes.
pub(crate) fn blocks_of(bytes: &Range<u64>) -> Range<u64> {
    bytes.start / BLOCK_BYTES..bytes.end.div_ceil(BLOCK_BYTES)
}

/// Where the sums of these blocks stand among all of a blob.
pub(crate) fn places(blocks: &Range<u64>) -> Range<usize> {
    let place = |block: u64| usize::try_from(block).unwrap_or(usize::MAX).saturating_mul(SUM_BYTES);
    place(blocks.start)..place(blocks.end)
}

/// All that is known of bytes by their sums.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) size: u64,
    /// Lower-case hex.
    pub(crate) sha256: String,
    pub(crate) blocks: BlockSums,
}

/// Sums of bytes that are still coming.
#[derive(Default)]
pub(crate) struct Summing {
    size: u64,
    sha256: Sha256,
    /// Large, and part of many futures.
    block: Box<blake3::Hasher>,
    /// Bytes of the block that has not ended.
    begun: u64,
    ended: Vec<u8>,
}

impl Summing {
    /// Of how many bytes so far.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.size += bytes.len() as u64;
        self.sha256.update(bytes);
        while !bytes.is_empty() {
            let missing = usize::try_from(BLOCK_BYTES - self.begun).unwrap_or(usize::MAX);
            let (now, later) = bytes.split_at(missing.min(bytes.len()));
            self.block.update(now);
            self.begun += now.len() as u64;
            if self.begun == BLOCK_BYTES {
                self.end_block();
            }
            bytes = later;
        }
    }

    fn end_block(&mut self) {
        self.ended.extend_from_slice(sum_of(&self.block.finalize()));
        self.block.reset();
        self.begun = 0;
    }

    pub(crate) fn finish(mut self) -> Sums {
        if self.begun > 0 {
            self.end_block();
        }
        Sums { size: self.size, sha256: hex::encode(self.sha256.finalize()), blocks: BlockSums(self.ended.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = 128 * 1024;

    fn sums(bytes: &[u8], step: usize) -> Sums {
        let mut summing = Summing::default();
        bytes.chunks(step).for_each(|chunk| summing.add(chunk));
        summing.finish()
    }

    #[test]
    fn sums_do_not_depend_on_how_the_bytes_came_and_each_accepts_its_block_only() {
        let bytes: Vec<u8> = (0..BLOCK * 2 + 7).map(|at| u8::try_from(at / 1000 % 251).unwrap()).collect();
        let one = sums(&bytes, bytes.len());
        for step in [1000, BLOCK - 1, BLOCK, BLOCK + 1] {
            assert_eq!(sums(&bytes, step), one, "{step}");
        }
        assert_eq!((one.size, one.blocks.blocks()), (bytes.len() as u64, 3));
        for (place, block) in bytes.chunks(BLOCK).enumerate() {
            assert!((0..4).all(|other| one.blocks.accept(other, block) == (other == place)), "{place}");
        }
        let last = one.blocks.of(&blocks_of(&(BLOCK as u64 * 2..BLOCK as u64 * 2 + 1)));
        assert!(last.blocks() == 1 && last.accept(0, &bytes[BLOCK * 2..]));
        assert_eq!(sums(&bytes[..BLOCK], BLOCK).blocks.blocks(), 1);
    }
}
