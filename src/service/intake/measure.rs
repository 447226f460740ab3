//! What is learnt of bytes as they pass by: how many they are, their checksums, how they begin.

use md5::Md5;
use sha2::{Digest as _, Sha256};

/// How many of the first bytes are kept to look into.
const HEAD_BYTES: usize = 64 * 1024;

#[derive(Default)]
pub(crate) struct Measure {
    head: Vec<u8>,
    md5: Md5,
    sha256: Sha256,
    size: u64,
}

impl Measure {
    pub(crate) fn add(&mut self, chunk: &[u8]) {
        self.size += chunk.len() as u64;
        self.md5.update(chunk);
        self.sha256.update(chunk);
        let missing = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend(chunk.iter().take(missing));
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn finish(self) -> Measured {
        Measured {
            head: Head { is_whole: self.size == self.head.len() as u64, bytes: self.head },
            md5: hex::encode(self.md5.finalize()),
            sha256: hex::encode(self.sha256.finalize()),
            size: self.size,
        }
    }
}

/// What was learnt of all the bytes of a file.
pub(crate) struct Measured {
    pub(super) head: Head,
    /// Lower-case hex.
    pub(crate) md5: String,
    /// Lower-case hex.
    pub(crate) sha256: String,
    pub(crate) size: u64,
}

/// The first bytes of a file, at most `HEAD_BYTES`.
pub(super) struct Head {
    pub(super) bytes: Vec<u8>,
    /// They are the whole file.
    pub(super) is_whole: bool,
}
