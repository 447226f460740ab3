//! Blobs that no row names yet, where the names of the blobs cannot show that. A blob is listed
//! before its first byte is sent, and the commit of its row takes it off the list; blobs that stay
//! on it belong to uploads that failed.

use jiff::{SignedDuration, Timestamp};

use super::database::Store;
use super::error::StoreError;
#[cfg(any(feature = "postgres", feature = "s3"))]
use super::sql::Tables;
use crate::service::content::blobs::BlobId;

impl Store {
    /// Lists a blob before its first byte is sent. Does nothing if the name of the blob shows that
    /// it is pending.
    pub(crate) async fn note_pending(
        &self,
        blob: &BlobId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if !self.notes_pending() {
            return Ok(());
        }
        let blob = blob.clone();
        self.write(move |tables| tables.insert_pending_blob(&blob, now))
            .await
    }

    /// Takes a blob of a failed upload off the list once its bytes are gone.
    pub(crate) async fn forget_pending(&self, blob: &BlobId) -> Result<(), StoreError> {
        if !self.notes_pending() {
            return Ok(());
        }
        let blob = blob.clone();
        self.write(move |tables| tables.delete_pending_blob(&blob).map(drop))
            .await
    }

    /// Makes blobs unused that have been pending for at least this long. Returns the time of the
    /// oldest that is left.
    pub(crate) async fn give_up_pending(
        &self,
        pending_for: SignedDuration,
        now: impl Fn() -> Timestamp + Send + Sync + 'static,
    ) -> Result<Option<Timestamp>, StoreError> {
        if !self.notes_pending() {
            return Ok(None);
        }
        self.write(move |tables| {
            // Read within the transaction: blobs listed since an earlier reading would seem to come
            // from the future.
            let now = now();
            let since = now.saturating_sub(pending_for).unwrap_or(Timestamp::MIN);
            // A clock that was set back must not make blobs wait longer.
            tables.count_pending_from(now)?;
            tables.release_pending_blobs(since, now)?;
            tables.oldest_pending_blob()
        })
        .await
    }

    /// Returns the address of the bucket that holds the bytes, or of the directory if only the
    /// database is elsewhere.
    #[cfg(any(feature = "postgres", feature = "s3"))]
    pub(crate) async fn bucket(&self) -> Result<Option<String>, StoreError> {
        self.read(|tables: &dyn Tables| tables.bucket()).await
    }

    pub(crate) async fn set_bucket(&self, address: String) -> Result<(), StoreError> {
        self.write(move |tables| tables.insert_bucket(&address))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::records::ServiceFlag;

    #[tokio::test]
    async fn what_was_given_up_meanwhile_gets_no_row() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("test.db"), None)
            .await
            .unwrap();
        let (start, later) = (
            Timestamp::UNIX_EPOCH,
            Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1),
        );
        let (slow, quick) = (BlobId::random(), BlobId::random());
        store.note_pending(&slow, start).await.unwrap();
        store.note_pending(&quick, later).await.unwrap();
        let given_up = store.give_up_pending(later.duration_since(start), move || later);
        assert_eq!(given_up.await.unwrap(), Some(later));
        let name = async |blob: &BlobId| {
            let blobs = vec![blob.clone()];
            store
                .write_blobs(
                    move |()| blobs.clone(),
                    move |tables| tables.set_mark(ServiceFlag::SampleLibrary, later),
                )
                .await
        };
        assert!(matches!(name(&slow).await, Err(StoreError::UploadGivenUp)));
        assert_eq!(store.mark(ServiceFlag::SampleLibrary).await.unwrap(), None);
        assert_eq!(store.unused_blobs(later, 10).await.unwrap(), [slow]);
        name(&quick).await.unwrap();
        assert_eq!(
            store.mark(ServiceFlag::SampleLibrary).await.unwrap(),
            Some(later)
        );
        assert!(
            matches!(name(&quick).await, Err(StoreError::UploadGivenUp)),
            "it is pending still"
        );
    }

    #[tokio::test]
    async fn a_clock_that_came_back_lets_nothing_wait_for_longer() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("test.db"), None)
            .await
            .unwrap();
        let (start, later) = (
            Timestamp::UNIX_EPOCH,
            Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1),
        );
        store.note_pending(&BlobId::random(), later).await.unwrap();
        let given_up = store.give_up_pending(SignedDuration::from_hours(1), move || start);
        assert_eq!(given_up.await.unwrap(), Some(start));
    }
}
