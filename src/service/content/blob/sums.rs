//! Checksums of a blob: one per block, so that a part can be checked without the rest, and the
//! digest of them all.

use std::ops::Range;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::digest::ContentDigest;

/// The size of the blocks in which bytes are read, checked and sent: large enough that the hop to a
/// blocking thread costs little in comparison, small enough to keep two of them in memory for every
/// connection.
pub(crate) const BLOCK_BYTES: u64 = 128 * 1024;

/// The sum of a block is the start of its BLAKE3: 128 bits miss no damage and take half the space.
const SUM_BYTES: usize = 16;

/// The sums of consecutive blocks. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BlockSums(Bytes);

impl BlockSums {
    pub(crate) fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn blocks(&self) -> usize {
        self.0.len() / SUM_BYTES
    }

    pub(crate) fn of(&self, blocks: &Range<u64>) -> Self {
        let Range { start, end } = places(blocks);
        let end = end.min(self.0.len());
        Self(self.0.slice(start.min(end)..end))
    }

    /// Returns `true` if the sum of this block is the one at this position.
    pub(super) fn accept(&self, place: usize, block: &[u8]) -> bool {
        let sum = self.0.chunks_exact(SUM_BYTES).nth(place);
        sum.is_some_and(|sum| sum_of(&blake3::hash(block)) == sum)
    }
}

fn sum_of(hash: &blake3::Hash) -> &[u8] {
    hash.as_bytes().split_at(SUM_BYTES).0
}

pub(crate) fn blocks_of(bytes: &Range<u64>) -> Range<u64> {
    bytes.start / BLOCK_BYTES..bytes.end.div_ceil(BLOCK_BYTES)
}

/// Returns the position of the sums of these blocks among all sums of a blob.
pub(crate) fn places(blocks: &Range<u64>) -> Range<usize> {
    let place = |block: u64| {
        usize::try_from(block)
            .unwrap_or(usize::MAX)
            .saturating_mul(SUM_BYTES)
    };
    place(blocks.start)..place(blocks.end)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) size: u64,
    pub(crate) blocks: BlockSums,
    /// The digest that earlier versions used, if needed for a comparison.
    sha256: Option<ContentDigest>,
}

impl Sums {
    /// Returns the digest that a row keeps.
    pub(crate) fn digest(&self) -> ContentDigest {
        ContentDigest::of_block_sums(self.blocks.as_bytes())
    }

    /// Returns `true` if this is the digest of the bytes. The builder must have been made for a
    /// digest of this kind.
    pub(crate) fn are_of(&self, digest: &ContentDigest) -> bool {
        if digest.is_of_blocks() {
            self.digest() == *digest
        } else {
            self.sha256.as_ref() == Some(digest)
        }
    }
}

/// Sums of bytes that are still arriving.
#[derive(Default)]
pub(crate) struct SumBuilder {
    pub(crate) size: u64,
    /// Set only if needed, since it takes several times as long as the block sums.
    sha256: Option<Sha256>,
    /// Boxed because it is large and part of many futures.
    block: Box<blake3::Hasher>,
    begun: u64,
    ended: Vec<u8>,
}

impl SumBuilder {
    pub(crate) fn like(digest: &ContentDigest) -> Self {
        Self {
            sha256: (!digest.is_of_blocks()).then(Sha256::new),
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.size += bytes.len() as u64;
        if let Some(sha256) = &mut self.sha256 {
            sha256.update(bytes);
        }
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
        Sums {
            size: self.size,
            blocks: BlockSums(self.ended.into()),
            sha256: self.sha256.map(ContentDigest::of_sha256),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = 128 * 1024;

    fn sums(bytes: &[u8], step: usize) -> Sums {
        let mut summing = SumBuilder::default();
        bytes.chunks(step).for_each(|chunk| summing.add(chunk));
        summing.finish()
    }

    #[test]
    fn sums_do_not_depend_on_how_the_bytes_came_and_each_accepts_its_block_only() {
        let bytes: Vec<u8> = (0..BLOCK * 2 + 7)
            .map(|at| u8::try_from(at / 1000 % 251).unwrap())
            .collect();
        let whole = sums(&bytes, bytes.len());
        for step in [1000, BLOCK - 1, BLOCK, BLOCK + 1] {
            assert_eq!(sums(&bytes, step), whole, "{step}");
        }
        assert_eq!((whole.size, whole.blocks.blocks()), (bytes.len() as u64, 3));
        for (place, block) in bytes.chunks(BLOCK).enumerate() {
            assert!(
                (0..4).all(|other| whole.blocks.accept(other, block) == (other == place)),
                "{place}"
            );
        }
        let last = whole
            .blocks
            .of(&blocks_of(&(BLOCK as u64 * 2..BLOCK as u64 * 2 + 1)));
        assert!(last.blocks() == 1 && last.accept(0, &bytes[BLOCK * 2..]));
        assert_eq!(sums(&bytes[..BLOCK], BLOCK).blocks.blocks(), 1);
    }

    // Fails if a digest of one kind is compared with sums of the other.
    #[test]
    fn a_digest_of_either_kind_is_that_of_its_bytes_alone() {
        // The digest of "abc" that earlier versions stored.
        let of_before = ContentDigest::from_stored(
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned(),
        );
        let of_now = sums(b"abc", 1).digest();
        assert_ne!(of_now, of_before);
        for digest in [of_before, of_now] {
            for (bytes, is_it) in [(b"abc", true), (b"abd", false)] {
                let mut summing = SumBuilder::like(&digest);
                summing.add(bytes);
                assert_eq!(summing.finish().are_of(&digest), is_it, "{digest:?}");
            }
        }
    }
}
