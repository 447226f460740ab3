//! The MD5 of content, by which the contract identifies it.

use std::fmt;
use std::path::Path;

use crate::api::model::File;
use crate::api::{Error, UploadContent, md5_of};
use crate::regular_file::Links;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Md5Sum([u8; 16]);

impl Md5Sum {
    /// Computes the MD5 of a local file, which is read whole. Cancel-safe.
    pub(super) async fn of_local(path: &Path, links: Links) -> Result<Self, Error> {
        md5_of(path, links).await.map(Self)
    }

    /// Returns the MD5 of the content of an upload. Cancel-safe.
    pub(super) async fn of(content: &UploadContent) -> Result<Self, Error> {
        content.md5().await.map(Self)
    }

    /// Returns the MD5 that the service gives for a file, if any.
    pub(super) fn told_of(file: &File) -> Option<Self> {
        Self::from_hex(file.file_md5.as_deref()?)
    }

    pub(super) fn from_hex(text: &str) -> Option<Self> {
        let mut sum = [0; 16];
        hex::decode_to_slice(text, &mut sum).ok()?;
        Some(Self(sum))
    }
}

impl From<[u8; 16]> for Md5Sum {
    fn from(sum: [u8; 16]) -> Self {
        Self(sum)
    }
}

/// Writes lowercase hex.
impl fmt::Display for Md5Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}
