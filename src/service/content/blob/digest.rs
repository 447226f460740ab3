//! The digest of all bytes of a file that its row keeps, to recognize them.

use sha2::{Digest as _, Sha256};

/// The BLAKE3 of the block sums, or the SHA-256 of the bytes in rows of an earlier filedeck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentDigest(String);

/// The prefix of digests of block sums; a digest without it is a SHA-256.
const OF_BLOCKS: &str = "blake3:";

impl ContentDigest {
    pub(crate) fn from_stored(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn of_block_sums(sums: &[u8]) -> Self {
        Self(format!("{OF_BLOCKS}{}", blake3::hash(sums).to_hex()))
    }

    pub(super) fn of_sha256(sum: Sha256) -> Self {
        Self(hex::encode(sum.finalize()))
    }

    pub(super) fn is_of_blocks(&self) -> bool {
        self.0.starts_with(OF_BLOCKS)
    }
}
