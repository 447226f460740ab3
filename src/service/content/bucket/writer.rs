//! An object that is being written: a small one in one request, a larger one in parts while its
//! bytes arrive. They are gathered on disk and in memory only while they are sent, so slow senders
//! hold none of the memory for all uploads.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt as _, PutPayload};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::JoinSet;

use super::fault;
use crate::service::content::blob::{SumBuilder, Sums};
use crate::service::policy;

/// The room in memory for parts that are being sent, of all uploads together.
static ROOM: Semaphore = Semaphore::const_new(policy::BUCKET_PARTS_IN_MEMORY);

/// The memory of earlier parts, which is used again: freed and allocated by many threads, it would
/// take several times as much.
static FREE_BUFFERS: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

/// A blob that is being written. If it is dropped before `finish`, its parts are aborted.
pub(crate) struct BucketWriter {
    s3: Arc<AmazonS3>,
    key: Path,
    sums: SumBuilder,
    gathered: GatheredPart,
    /// The upload in parts, once there is more than one.
    upload: Option<Box<dyn MultipartUpload>>,
    sending: JoinSet<object_store::Result<()>>,
}

/// The bytes that are sent next, in a file without a name.
struct GatheredPart {
    file: Arc<File>,
    size: usize,
}

/// The memory of a part, with its share of the room.
struct PartBuffer {
    bytes: Vec<u8>,
    _room: Option<SemaphorePermit<'static>>,
}

impl PartBuffer {
    /// Waits for room.
    async fn take() -> Self {
        // The semaphore is never closed.
        let room = ROOM.acquire().await.ok();
        let bytes = FREE_BUFFERS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default();
        Self { bytes, _room: room }
    }
}

impl AsRef<[u8]> for PartBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for PartBuffer {
    fn drop(&mut self) {
        self.bytes.clear();
        FREE_BUFFERS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(std::mem::take(&mut self.bytes));
    }
}

impl GatheredPart {
    async fn add(&mut self, bytes: Bytes) -> io::Result<()> {
        self.size += bytes.len();
        let file = Arc::clone(&self.file);
        blocking(move || (&*file).write_all(&bytes)).await
    }

    /// Waits for room, and empties the file into memory.
    async fn load(&mut self) -> io::Result<PutPayload> {
        let mut buffer = PartBuffer::take().await;
        let (file, size) = (Arc::clone(&self.file), std::mem::take(&mut self.size));
        let read = move || {
            let mut file = &*file;
            file.rewind()?;
            buffer.bytes.reserve_exact(size);
            file.read_to_end(&mut buffer.bytes)?;
            file.set_len(0)?;
            file.rewind()?;
            Ok(buffer)
        };
        blocking(read)
            .await
            .map(|buffer| PutPayload::from(Bytes::from_owner(buffer)))
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(io::Error::other)?
}

impl BucketWriter {
    /// `file` is empty.
    pub(super) fn begin(s3: Arc<AmazonS3>, key: Path, sums: SumBuilder, file: File) -> Self {
        let gathered = GatheredPart {
            file: Arc::new(file),
            size: 0,
        };
        Self {
            s3,
            key,
            sums,
            gathered,
            upload: None,
            sending: JoinSet::new(),
        }
    }

    /// Returns before the bytes are sent; a failure is reported by a later call.
    pub(crate) async fn write(&mut self, bytes: Bytes) -> io::Result<()> {
        self.sums.add(&bytes);
        self.gathered.add(bytes).await?;
        if self.gathered.size >= policy::BUCKET_PART_BYTES {
            self.send_part().await?;
        }
        Ok(())
    }

    async fn send_part(&mut self) -> io::Result<()> {
        while self.sending.len() >= policy::BUCKET_PARTS_AT_ONCE {
            self.settle_part().await?;
        }
        let payload = self.gathered.load().await?;
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => none.insert(
                self.s3
                    .put_multipart(&self.key)
                    .await
                    .map_err(fault::unreached)?,
            ),
        };
        self.sending.spawn(upload.put_part(payload));
        Ok(())
    }

    /// Waits for a part that is being sent.
    async fn settle_part(&mut self) -> io::Result<()> {
        match self.sending.join_next().await {
            Some(sent) => sent.map_err(io::Error::other)?.map_err(fault::unreached),
            None => Ok(()),
        }
    }

    /// Sends the last bytes. The object is durable when this returns.
    pub(crate) async fn finish(mut self, bytes: Bytes) -> io::Result<Sums> {
        self.sums.add(&bytes);
        self.gathered.add(bytes).await?;
        if self.upload.is_some() {
            if self.gathered.size > 0 {
                self.send_part().await?;
            }
            while !self.sending.is_empty() {
                self.settle_part().await?;
            }
            if let Some(upload) = &mut self.upload {
                // The request may have been carried out even if the response is lost.
                upload.complete().await.map_err(fault::unanswered)?;
            }
            self.upload = None;
        } else {
            let payload = self.gathered.load().await?;
            self.s3
                .put(&self.key, payload)
                .await
                .map_err(fault::unstored)?;
        }
        Ok(std::mem::take(&mut self.sums).finish())
    }
}

impl Drop for BucketWriter {
    fn drop(&mut self) {
        let (Some(mut upload), Ok(runtime)) = (self.upload.take(), Handle::try_current()) else {
            return;
        };
        let mut sending = std::mem::take(&mut self.sending);
        runtime.spawn(async move {
            sending.shutdown().await;
            if let Err(error) = upload.abort().await {
                tracing::warn!(%error, "the parts of an upload could not be given up; the rule of the bucket for such parts removes them");
            }
        });
    }
}
