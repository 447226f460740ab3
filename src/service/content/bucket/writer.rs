//! An object that is being written: a small one in one request, a larger one in parts while its bytes arrive.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{ObjectStoreExt as _, PutPayload, WriteMultipart};
use tokio::runtime::Handle;

use super::fault;
use crate::service::content::blob::{SumBuilder, Sums};
use crate::service::policy;

/// A blob that is being written. If it is dropped before `finish`, its parts are aborted.
pub(crate) struct BucketWriter {
    s3: Arc<AmazonS3>,
    key: Path,
    sums: SumBuilder,
    /// The bytes so far, as long as they are less than a part.
    gathered: Vec<Bytes>,
    parts: Option<WriteMultipart>,
}

impl BucketWriter {
    pub(super) fn begin(s3: Arc<AmazonS3>, key: Path, sums: SumBuilder) -> Self {
        Self { s3, key, sums, gathered: Vec::new(), parts: None }
    }

    /// Returns before the bytes are sent; a failure is reported by a later call.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        self.sums.add(&bytes);
        if let Some(parts) = &mut self.parts {
            parts.wait_for_capacity(policy::BUCKET_PARTS_AT_ONCE).await.map_err(fault::unreached)?;
            parts.put(bytes);
            return Ok(());
        }
        self.gathered.push(bytes);
        if self.sums.size >= policy::BUCKET_PART_BYTES as u64 {
            let upload = self.s3.put_multipart(&self.key).await.map_err(fault::unreached)?;
            let parts = self.parts.insert(WriteMultipart::new_with_chunk_size(upload, policy::BUCKET_PART_BYTES));
            self.gathered.drain(..).for_each(|bytes| parts.put(bytes));
        }
        Ok(())
    }

    /// Sends the last bytes. The object is durable when this returns.
    pub(crate) async fn finish(mut self, bytes: Bytes) -> io::Result<Sums> {
        self.sums.add(&bytes);
        if let Some(mut parts) = self.parts.take() {
            parts.put(bytes);
            // The request may have been carried out even if the response is lost.
            parts.finish().await.map_err(fault::unanswered)?;
        } else {
            self.gathered.push(bytes);
            let whole: PutPayload = self.gathered.drain(..).collect();
            self.s3.put(&self.key, whole).await.map_err(fault::unstored)?;
        }
        Ok(std::mem::take(&mut self.sums).finish())
    }
}

impl Drop for BucketWriter {
    fn drop(&mut self) {
        let (Some(parts), Ok(runtime)) = (self.parts.take(), Handle::try_current()) else { return };
        runtime.spawn(async move {
            if let Err(error) = parts.abort().await {
                tracing::warn!(%error, "the parts of an upload could not be given up; the rule of the bucket for such parts removes them");
            }
        });
    }
}
