//! What the bytes of a file are.

use crate::api::model::FileKind;
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredContent {
    pub(crate) blob: BlobId,
    pub(crate) size: u64,
    /// Lower-case hex.
    pub(crate) md5: String,
    pub(crate) digest: ContentDigest,
    pub(crate) kind: FileKind,
    pub(crate) media_type: String,
    pub(crate) encoding: Option<String>,
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    /// Of bytes that are to belong to a row, where they are known; readers of rows do without.
    pub(crate) blocks: BlockSums,
}
