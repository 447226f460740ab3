//! Bytes under random ids, in the data directory or in a bucket, and the files beside the database:
//! the lock and the reserved disk space. Knows nothing of files, rows or requests.

mod blob;
pub(super) mod blobs;
pub(super) mod boot;
#[cfg(feature = "s3")]
pub(super) mod bucket;
pub(super) mod bucket_settings;
pub(super) mod copy_thread;
pub(super) mod data_dir;
mod directory;
pub(super) mod disk;
pub(super) mod listing;
#[cfg(feature = "s3")]
pub(super) mod owner_file;
pub(super) mod private;
pub(super) mod quarantine;
pub(super) mod reserve;
pub(super) mod resize;
