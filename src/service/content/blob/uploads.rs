//! The blobs that this process is writing, or has written without knowing yet if a row names them.
//! A blob that is not among them and has no row was left by an earlier process.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::id::BlobId;

#[derive(Debug, Clone, Default)]
pub(crate) struct Uploads(Arc<Mutex<HashSet<BlobId>>>);

impl Uploads {
    /// Adds a blob; dropping the result removes it.
    pub(crate) fn begin(&self, id: BlobId) -> BlobUpload {
        self.set().insert(id.clone());
        BlobUpload {
            id,
            uploads: self.clone(),
        }
    }

    pub(crate) fn now(&self) -> HashSet<BlobId> {
        self.set().clone()
    }

    fn set(&self) -> MutexGuard<'_, HashSet<BlobId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct BlobUpload {
    pub(crate) id: BlobId,
    uploads: Uploads,
}

impl Drop for BlobUpload {
    fn drop(&mut self) {
        self.uploads.set().remove(&self.id);
    }
}
