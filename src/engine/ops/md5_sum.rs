//! The MD5 of content, which identifies content in the contract.

use std::fmt;
use std::io::{self, Read as _};
use std::path::Path;

use fast_md5::Md5;
use tokio_util::sync::CancellationToken;

use crate::api::model::File;
use crate::api::{Error, Kind};
use crate::regular_file::{self, Links};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Md5Sum([u8; 16]);

impl Md5Sum {
    /// Of a file of this machine, which is read whole, on a thread of its own: most files are small, and a way to a thread
    /// for each step takes longer than the step. Cancel-safe.
    pub(super) async fn of_local(path: &Path, links: Links) -> Result<Self, Error> {
        let (stop, path) = (CancellationToken::new(), path.to_owned());
        let stopped = stop.clone();
        let _stops_it = stop.drop_guard();
        let sum = tokio::task::spawn_blocking(move || {
            let unreadable = |error| Error::local(&format!("Cannot read {}", path.display()), &error);
            let mut file = regular_file::open(&path, links).map_err(unreadable)?;
            let mut hash = Md5::new();
            let mut buffer = vec![0; 64 << 10];
            while !stopped.is_cancelled() {
                match file.read(&mut buffer) {
                    Ok(0) => return Ok(Self(hash.finalize())),
                    Ok(read) => hash.update(buffer.get(..read).unwrap_or_default()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(unreadable(error)),
                }
            }
            Err(Error::new(Kind::Internal, "Reading the file was stopped"))
        });
        sum.await.map_err(|error| Error::new(Kind::Internal, error.to_string()))?
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
