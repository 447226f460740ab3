//! The local directory: bytes under random ids, what lies beside them, the lock, the room that is kept. All that another
//! place for bytes would replace; it knows nothing of files, rows or requests.

pub(super) mod blobs;
pub(super) mod boot;
pub(super) mod data_dir;
pub(super) mod disk;
pub(super) mod listing;
pub(super) mod private;
pub(super) mod quarantine;
pub(super) mod reserve;
pub(super) mod resize;
pub(super) mod worker;
