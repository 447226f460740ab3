//! Bytes checked against the stored checksum while they are sent: damaged ones end in a cut connection, never in a
//! complete answer.

use bytes::Bytes;
use futures::stream::{BoxStream, Stream, StreamExt as _};
use sha2::{Digest as _, Sha256};

use crate::service::blobs::BlobError;
use crate::service::store::FileRecord;

struct Check {
    bytes: BoxStream<'static, Result<Bytes, BlobError>>,
    hash: Sha256,
    /// The last chunk is held back until the checksum is known.
    held: Option<Bytes>,
    expected: String,
    file: i64,
    done: bool,
}

/// Passes the bytes on, and fails instead of the last of them if they are not the file's.
pub(super) fn verified(
    bytes: BoxStream<'static, Result<Bytes, BlobError>>,
    file: &FileRecord,
) -> impl Stream<Item = std::io::Result<Bytes>> + Send + 'static {
    let expected = file.content.sha256.clone();
    let check = Check { bytes, hash: Sha256::new(), held: None, expected, file: file.key.0, done: false };
    futures::stream::unfold(check, async |mut check| {
        let item = check.next().await?;
        check.done |= item.is_err();
        Some((item, check))
    })
}

impl Check {
    async fn next(&mut self) -> Option<std::io::Result<Bytes>> {
        while !self.done {
            match self.bytes.next().await {
                Some(Ok(chunk)) => {
                    self.hash.update(&chunk);
                    if let Some(ready) = self.held.replace(chunk) {
                        return Some(Ok(ready));
                    }
                }
                Some(Err(error)) => {
                    tracing::error!(file = self.file, %error, "a blob could not be read to its end");
                    return Some(Err(std::io::Error::other(error)));
                }
                None => {
                    self.done = true;
                    if hex::encode(self.hash.finalize_reset()) != self.expected {
                        tracing::error!(file = self.file, "the stored bytes are damaged");
                        return Some(Err(std::io::Error::other("the stored bytes are damaged")));
                    }
                }
            }
        }
        self.held.take().map(Ok)
    }
}
