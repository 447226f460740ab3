//! Blobs that no row names yet, where their own names cannot say so: they are noted before their first byte is sent. The
//! commit of the row that names them takes them off the list; what is left on it belongs to uploads that came to nothing.

use jiff::{SignedDuration, Timestamp};

use super::database::Store;
use super::error::StoreError;
#[cfg(feature = "postgres")]
use super::sql::Tables;
use crate::service::content::blobs::BlobId;

impl Store {
    /// Notes a blob before its first byte is sent. Does nothing where its name says as much.
    pub(crate) async fn note_pending(&self, blob: &BlobId, now: Timestamp) -> Result<(), StoreError> {
        if !self.notes_pending() {
            return Ok(());
        }
        let blob = blob.clone();
        self.write(move |tables| tables.insert_pending_blob(&blob, now)).await
    }

    /// Forgets a blob that came to nothing, once its bytes are gone.
    pub(crate) async fn forget_pending(&self, blob: &BlobId) -> Result<(), StoreError> {
        if !self.notes_pending() {
            return Ok(());
        }
        let blob = blob.clone();
        self.write(move |tables| tables.delete_pending_blob(&blob).map(drop)).await
    }

    /// Makes blobs unused that have been pending for this long or longer. Gives since when the oldest that is left is.
    pub(crate) async fn give_up_pending(
        &self,
        pending_for: SignedDuration,
        now: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Result<Option<Timestamp>, StoreError> {
        if !self.notes_pending() {
            return Ok(None);
        }
        self.write(move |tables| {
            // Read here: what was noted since an earlier reading would look like from the future.
            let now = now();
            let since = now.saturating_sub(pending_for).unwrap_or(Timestamp::MIN);
            // A clock that came back makes nothing wait for longer.
            tables.count_pending_from(now)?;
            tables.release_pending_blobs(since, now)?;
            tables.oldest_pending_blob()
        })
        .await
    }

    /// The bucket that the bytes are in, or the directory of a store whose database is elsewhere.
    #[cfg(feature = "postgres")]
    pub(crate) async fn bucket(&self) -> Result<Option<String>, StoreError> {
        self.read(|tables: &dyn Tables| tables.bucket()).await
    }

    /// Writes down which bucket the bytes are in.
    pub(crate) async fn set_bucket(&self, address: String) -> Result<(), StoreError> {
        self.write(move |tables| tables.insert_bucket(&address)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::records::ServiceFlag;

    #[tokio::test]
    async fn what_was_given_up_meanwhile_gets_no_row() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("test.db"), None).await.unwrap();
        let (start, later) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1));
        let (slow, quick) = (BlobId::random(), BlobId::random());
        store.note_pending(&slow, start).await.unwrap();
        store.note_pending(&quick, later).await.unwrap();
        let given_up = store.give_up_pending(later.duration_since(start), move || later);
        assert_eq!(given_up.await.unwrap(), Some(later));
        let name = async |blob: &BlobId| {
            let blobs = vec![blob.clone()];
            store
                .write_blobs(move |()| blobs.clone(), move |tables| tables.set_mark(ServiceFlag::SampleLibrary, later))
                .await
        };
        assert!(matches!(name(&slow).await, Err(StoreError::UploadGivenUp)));
        assert_eq!(store.mark(ServiceFlag::SampleLibrary).await.unwrap(), None);
        assert_eq!(store.unused_blobs(later, 10).await.unwrap(), [slow]);
        name(&quick).await.unwrap();
        assert_eq!(store.mark(ServiceFlag::SampleLibrary).await.unwrap(), Some(later));
        assert!(matches!(name(&quick).await, Err(StoreError::UploadGivenUp)), "it is pending still");
    }

    #[tokio::test]
    async fn a_clock_that_came_back_lets_nothing_wait_for_longer() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("test.db"), None).await.unwrap();
        let (start, later) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1));
        store.note_pending(&BlobId::random(), later).await.unwrap();
        let given_up = store.give_up_pending(SignedDuration::from_hours(1), move || start);
        assert_eq!(given_up.await.unwrap(), Some(start));
    }
}
