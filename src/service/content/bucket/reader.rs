//! The bytes of an object, read block by block as they arrive.

use std::io;
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResult, ObjectStore as _};

use super::fault;
use crate::service::content::blob::{BlockWindow, room};

pub(crate) struct BucketReader {
    pieces: BoxStream<'static, io::Result<Bytes>>,
    rest: Bytes,
    window: BlockWindow,
    is_over: bool,
}

impl BucketReader {
    /// Reads the part in the window; `range` covers its blocks. The request is sent with the first
    /// read.
    pub(super) fn begin(
        s3: Arc<AmazonS3>,
        key: Path,
        range: Option<GetRange>,
        window: BlockWindow,
    ) -> Self {
        let options = GetOptions {
            range,
            ..GetOptions::default()
        };
        let begun = async move { s3.get_opts(&key, options).await.map(GetResult::into_stream) };
        let pieces = stream::once(begun)
            .try_flatten()
            .map_err(fault::unread)
            .boxed();
        Self {
            pieces,
            rest: Bytes::new(),
            window,
            is_over: false,
        }
    }

    pub(crate) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        if self.is_over {
            return Ok(None);
        }
        // Nothing follows a failure.
        self.is_over = true;
        let block = self.block().await?;
        let bytes = self.window.take(block)?;
        self.is_over = self.window.is_at_end();
        Ok(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// Reads the next block, which is shorter at the end of the object.
    async fn block(&mut self) -> io::Result<Vec<u8>> {
        let length = usize::try_from(self.window.length()).unwrap_or(usize::MAX);
        let mut block = room();
        while block.len() < length {
            if self.rest.is_empty() {
                match self.pieces.next().await {
                    Some(piece) => self.rest = piece?,
                    None => break,
                }
            }
            let now = self.rest.len().min(length - block.len());
            block.extend_from_slice(self.rest.get(..now).unwrap_or_default());
            self.rest.advance(now);
        }
        Ok(block)
    }
}
