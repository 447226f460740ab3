//! Local files to upload: checks that they can be sent, and detects changes while they are
//! (`guarantees.md#a-source-that-changes-is-not-stored`).

use std::fs::Metadata;
use std::io::{self, Read as _};
use std::path::Path;

use fast_md5::Md5;
use tokio_util::sync::CancellationToken;

use super::error::{Error, Kind};
use crate::regular_file::{self, Links};

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

/// Opens a file for reading.
pub(super) async fn open(local: &Path, links: Links) -> Result<tokio::fs::File, Error> {
    let path = local.to_owned();
    let opened = blocking(move || regular_file::open(&path, links)).await;
    opened
        .map(tokio::fs::File::from_std)
        .map_err(|error| unreadable(local, &error))
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

/// Runs work on the disk on a thread that may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}

fn unreadable(local: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot read {}", local.display()), error)
}
