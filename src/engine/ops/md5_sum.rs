//! The MD5 of content, which identifies content in the contract.

use std::fmt;
use std::path::Path;

use fast_md5::Md5;
use tokio::io::AsyncReadExt;

use crate::api::model::File;
use crate::api::{Error, opened};
use crate::regular_file::Links;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Md5Sum([u8; 16]);

impl Md5Sum {
    /// Of a file of this machine, which is read whole.
    pub(super) async fn of_local(path: &Path, links: Links) -> Result<Self, Error> {
        let unreadable = |error| Error::local(&format!("Cannot read {}", path.display()), &error);
        let mut file = opened(path, links).await.map_err(unreadable)?;
        let mut hash = Md5::new();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let read = file.read(&mut buffer).await.map_err(unreadable)?;
            match buffer.get(..read) {
                Some(bytes) if read > 0 => hash.update(bytes),
                _ => return Ok(Self(hash.finalize())),
            }
        }
    }

    /// As the service gives it for a file; none if it does not.
    pub(super) fn told_of(file: &File) -> Option<Self> {
        let mut sum = [0; 16];
        hex::decode_to_slice(file.file_md5.as_deref()?, &mut sum).ok()?;
        Some(Self(sum))
    }
}

/// Lower-case hex.
impl fmt::Display for Md5Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}
