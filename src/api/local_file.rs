//! Local files to upload: checks that they can be sent, and detects changes while they are
//! (`guarantees.md#a-source-that-changes-is-not-stored`).

use std::fs::Metadata;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fast_md5::Md5;
use tokio_util::sync::CancellationToken;

use super::error::{Error, Kind};
use crate::regular_file::{self, Links};

/// A local file as it was before its first byte was sent.
#[derive(Debug)]
pub(super) struct LocalVersion {
    local: PathBuf,
    links: Links,
    fingerprint: Fingerprint,
    md5: [u8; 16],
}

impl LocalVersion {
    /// Reads the whole file to compute its MD5.
    pub(super) async fn read(local: &Path, links: Links) -> Result<Self, Error> {
        let fingerprint = Fingerprint::take(local, links).await?;
        let md5 = md5_of(local, links).await?;
        Ok(Self {
            local: local.to_owned(),
            links,
            fingerprint,
            md5,
        })
    }

    /// Reopens the file for reading; it may have been replaced since.
    pub(super) async fn open(&self) -> Result<tokio::fs::File, Error> {
        let (path, links) = (self.local.clone(), self.links);
        let opened = blocking(move || regular_file::open(&path, links)).await;
        opened
            .map(tokio::fs::File::from_std)
            .map_err(|error| unreadable(&self.local, &error))
    }

    pub(super) fn local(&self) -> &Path {
        &self.local
    }

    pub(super) fn length(&self) -> u64 {
        self.fingerprint.length
    }

    /// Lower-case hex.
    pub(super) fn md5(&self) -> String {
        hex::encode(self.md5)
    }

    /// Fails unless the MD5 of the bytes sent matches this version and the file is still unchanged.
    pub(super) async fn check(&self, sum: [u8; 16]) -> Result<(), Error> {
        if sum == self.md5 && self.fingerprint.is_of(&self.local, self.links).await {
            return Ok(());
        }
        let message = format!(
            "{} changed while it was sent, and its last bytes were held back; send it again once nothing writes to it",
            self.local.display()
        );
        Err(Error::new(Kind::Local, message))
    }
}

/// Detects a write to a file without reading its content.
#[derive(Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The length in bytes.
    pub length: u64,
    modified: Option<SystemTime>,
}

impl Fingerprint {
    /// Takes the fingerprint of a file that is to be sent.
    ///
    /// # Errors
    ///
    /// If the file cannot be sent.
    pub async fn take(local: &Path, links: Links) -> Result<Self, Error> {
        let metadata = sendable(local, links).await?;
        Ok(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    /// Returns `true` if the file is unchanged. A file that is now gone counts as unchanged.
    pub async fn is_of(&self, local: &Path, links: Links) -> bool {
        !Self::take(local, links).await.is_ok_and(|now| now != *self)
    }
}

/// Computes the MD5 of a local file in one blocking task, because most files are small and
/// switching threads for each step takes longer than the step. Cancel-safe.
///
/// # Errors
///
/// If it is not a regular file or cannot be read.
pub async fn md5_of(local: &Path, links: Links) -> Result<[u8; 16], Error> {
    let (stop, path) = (CancellationToken::new(), local.to_owned());
    let stopped = stop.clone();
    let _stops_it = stop.drop_guard();
    let sum = blocking(move || {
        let mut file = regular_file::open(&path, links)?;
        let mut hash = Md5::new();
        let mut buffer = vec![0; 64 << 10];
        while !stopped.is_cancelled() {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(hash.finalize()),
                Ok(read) => hash.update(buffer.get(..read).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("reading was stopped"))
    });
    sum.await.map_err(|error| unreadable(local, &error))
}

/// Returns the metadata of a local file; refuses anything but a regular file. Does not open it,
/// because opening a pipe would block until a writer appears.
///
/// # Errors
///
/// If it is not a regular file or cannot be read.
pub async fn sendable(local: &Path, links: Links) -> Result<Metadata, Error> {
    let path = local.to_owned();
    let metadata = blocking(move || links.metadata(&path))
        .await
        .map_err(|error| unreadable(local, &error))?;
    let what = match &metadata {
        metadata if metadata.is_file() => return Ok(metadata.clone()),
        metadata if metadata.is_dir() => "a folder; name the files in it",
        metadata if metadata.is_symlink() => "a link; name the regular file instead",
        _ => "a pipe, a device or a socket; only regular files can be sent",
    };
    Err(Error::new(
        Kind::Refused,
        format!("{} is {what}", local.display()),
    ))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn unreadable(local: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot read {}", local.display()), error)
}
