//! What blobs are, wherever they lie: ids, sums by block and over all, and which of them this process is writing.

mod damage;
mod digest;
mod id;
mod sums;
mod uploads;
mod window;

pub(crate) use damage::{damaged, is_damage};
pub(crate) use digest::ContentDigest;
pub(crate) use id::BlobId;
pub(crate) use sums::{BLOCK_BYTES, BlockSums, SumBuilder, Sums, blocks_of, places};
pub(crate) use uploads::{BlobUpload, Uploads};
pub(crate) use window::{BlockWindow, room};
