//! The parts of blobs that do not depend on where they are stored: ids, checksums by block and
//! overall, and the blobs that this process is writing.

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
