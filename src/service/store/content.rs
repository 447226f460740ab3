//! What the bytes of a file are, and the columns that say it.

use serde::Deserialize;
use sqlx::Sqlite;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;

use super::values::integer;
use crate::api::model::FileKind;
use crate::service::content::blobs::{BlobId, BlockSums, ContentDigest};

#[derive(Debug, Clone, PartialEq, Deserialize)]
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
    #[serde(skip)]
    pub(crate) blocks: BlockSums,
}

impl StoredContent {
    /// Binds the next nine arguments: blob, size, md5, digest, kind, `media_type`, encoding, width, height.
    pub(super) fn bind_to<'q>(
        &'q self,
        query: Query<'q, Sqlite, SqliteArguments>,
    ) -> Query<'q, Sqlite, SqliteArguments> {
        query
            .bind(self.blob.as_str())
            .bind(integer(self.size))
            .bind(&self.md5)
            .bind(self.digest.as_str())
            .bind(self.kind.as_str())
            .bind(&self.media_type)
            .bind(self.encoding.as_deref())
            .bind(self.width.map(i64::from))
            .bind(self.height.map(i64::from))
    }
}
