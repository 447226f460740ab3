//! The content of a file as its row describes it.

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
    /// Sums of content that is about to get a row, if known; left empty when a row is read.
    pub(crate) blocks: BlockSums,
}
