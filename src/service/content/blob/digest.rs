//! What the row of a file keeps of all its bytes, to know them again.

use sha2::{Digest as _, Sha256};

/// The BLAKE3 of the sums of the blocks; or the SHA-256 of the bytes, in rows that a filedeck of before has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentDigest(String);

/// Begins those that are of the sums of the blocks; what has no beginning is the SHA-256.
const OF_BLOCKS: &str = "blake3:";

impl ContentDigest {
    /// Takes a digest as the database keeps it.
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
