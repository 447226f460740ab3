//! The facts gathered from bytes on their way to the disk: their MD5 and their head.

use std::io;

use bytes::Bytes;
use fast_md5::Md5;
use tokio::task::spawn_blocking;

use crate::chunk_worker::ChunkWork;
use crate::service::content::blobs::Sums;

const HEAD_BYTES: usize = 64 * 1024;
/// The limit up to which bytes are hashed inline: a hop to another thread would cost as much.
const FEW_BYTES: usize = 64 * 1024;

pub(crate) struct ContentMeasure {
    head: Vec<u8>,
    md5: Md5,
}

impl Default for ContentMeasure {
    fn default() -> Self {
        Self {
            head: Vec::new(),
            md5: Md5::new(),
        }
    }
}

impl ContentMeasure {
    pub(crate) fn add(&mut self, chunk: &[u8]) {
        self.md5.update(chunk);
        let missing = HEAD_BYTES.saturating_sub(self.head.len());
        self.head
            .extend_from_slice(chunk.get(..missing).unwrap_or(chunk));
    }

    pub(super) async fn with(mut self, bytes: Bytes) -> io::Result<Self> {
        let is_little = bytes.len() <= FEW_BYTES;
        let add = move || {
            self.add(&bytes);
            self
        };
        if is_little {
            Ok(add())
        } else {
            spawn_blocking(add).await.map_err(io::Error::other)
        }
    }

    /// `sums` must be those of the same bytes.
    pub(crate) fn finish(self, sums: Sums) -> Measured {
        Measured {
            head: Head {
                is_whole: sums.size == self.head.len() as u64,
                bytes: self.head,
            },
            md5: hex::encode(self.md5.finalize()),
            sums,
        }
    }
}

impl ChunkWork for ContentMeasure {
    fn work(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.add(chunk);
        Ok(())
    }
}

pub(crate) struct Measured {
    pub(super) head: Head,
    /// Lower-case hex.
    pub(crate) md5: String,
    pub(crate) sums: Sums,
}

pub(super) struct Head {
    pub(super) bytes: Vec<u8>,
    /// Set if they are the whole file.
    pub(super) is_whole: bool,
}

#[cfg(test)]
mod tests {
    use md5::Digest as _;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_md5_is_that_of_the_whole_wherever_it_is_cut(
            bytes in prop::collection::vec(any::<u8>(), 0..400),
            cut in 1..200_usize,
        ) {
            let mut measure = ContentMeasure::default();
            bytes.chunks(cut).for_each(|chunk| measure.add(chunk));
            let other: [u8; 16] = md5::Md5::digest(&bytes).into();
            prop_assert_eq!(measure.md5.finalize(), other);
        }
    }
}
