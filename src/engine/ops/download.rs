//! One file to this machine: into a temporary file beside its place, checked against size and MD5, synced, then renamed
//! without replacing anything (`reliability.md` A8). A download that is dropped leaves nothing behind.

use std::io;
use std::path::{Path, PathBuf};

use md5::{Digest, Md5};
use tempfile::{PathPersistError, TempPath};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use super::local_name;
use crate::api::model::{Access, File};
use crate::api::{Client, Download, Error, Kind, Signing};
use crate::engine::message::Progress;
use crate::engine::meter;
use crate::engine::report::Report;

/// Tries in all, when the connection is cut in the middle.
const ATTEMPTS: u32 = 3;

/// Names that are tried when the file's own is taken.
const MOST_NUMBERED: u32 = 9_999;

/// Where the file is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloaded {
    pub path: PathBuf,
    pub bytes: u64,
}

/// Fetches a file into the folder `into`, under its own name made safe, or `name (1).ext` and so on if that is taken.
/// The file can be read and written by its owner only.
pub async fn download(client: &Client, file: &File, into: &Path, report: &Report) -> Result<Downloaded, Error> {
    let name = local_name::safe(&file.full_name());
    let part = create_part(into, &name).await?;
    let (std_file, path) = part.into_parts();
    let mut target = tokio::fs::File::from_std(std_file);
    let bytes = fetch_checked(client, file, &mut target, report).await?;
    target.sync_all().await.map_err(|error| unwritable(into, &error))?;
    drop(target);
    let path = put_in_place(path, into.to_owned(), name).await?;
    Ok(Downloaded { path, bytes })
}

/// Fetches until the bytes are those that the service describes; its description may be newer than ours.
async fn fetch_checked(
    client: &Client,
    file: &File,
    target: &mut tokio::fs::File,
    report: &Report,
) -> Result<u64, Error> {
    let got = fetch(client, file, target, report).await?;
    if got.matches(file) || got.matches(&client.file(&file.id).await?) {
        return Ok(got.bytes);
    }
    let message = "What arrived is not what the service describes (size or MD5 differ); it was thrown away";
    Err(Error::new(Kind::Decode, message))
}

async fn fetch(client: &Client, file: &File, target: &mut tokio::fs::File, report: &Report) -> Result<Got, Error> {
    let mut attempt = 1;
    loop {
        match receive(client, file, target, report).await {
            Err(error) if attempt < ATTEMPTS && matches!(error.kind, Kind::Network | Kind::Timeout) => attempt += 1,
            result => return result,
        }
    }
}

async fn receive(client: &Client, file: &File, target: &mut tokio::fs::File, report: &Report) -> Result<Got, Error> {
    let mut download = open(client, file).await?;
    let lost = |error| Error::local("Cannot write the file that arrives", &error);
    target.set_len(0).await.map_err(lost)?;
    target.rewind().await.map_err(lost)?;
    let total = download.length().or(file.size);
    let on_bytes = meter::bytes(report, total);
    let (mut hash, mut bytes) = (Md5::new(), 0);
    while let Some(chunk) = download.chunk().await? {
        target.write_all(&chunk).await.map_err(lost)?;
        hash.update(&chunk);
        bytes += chunk.len() as u64;
        on_bytes(bytes);
    }
    target.flush().await.map_err(lost)?;
    report.tell(Progress::Bytes { done: bytes, total: Some(bytes) });
    Ok(Got { bytes, md5: hex::encode(hash.finalize()) })
}

/// A public file comes from its own address; any other through the account, or by a signed address where the version
/// has no download (`wire.md` §4, §12).
async fn open(client: &Client, file: &File) -> Result<Download, Error> {
    let public = file.url.as_deref().filter(|_| file.access.as_ref().is_some_and(Access::is_public));
    if let Some(url) = public {
        match client.fetch(url).await {
            // It may have been made private since.
            Err(error) if matches!(error.kind, Kind::NotFound | Kind::Forbidden | Kind::Refused) => {}
            answer => return answer,
        }
    }
    if client.version().has_download() {
        return client.download(&file.id).await;
    }
    let signed = client.signed_url(&file.id, &Signing::default()).await?;
    client.fetch(&signed.url).await
}

/// What arrived.
struct Got {
    bytes: u64,
    md5: String,
}

impl Got {
    fn matches(&self, file: &File) -> bool {
        file.size.is_none_or(|size| size == self.bytes)
            && file.file_md5.as_ref().is_none_or(|md5| md5.eq_ignore_ascii_case(&self.md5))
    }
}

async fn create_part(into: &Path, name: &str) -> Result<tempfile::NamedTempFile, Error> {
    let (folder, prefix) = (into.to_owned(), local_name::temporary_prefix(name));
    let create = move || tempfile::Builder::new().prefix(&prefix).suffix(".part").rand_bytes(8).tempfile_in(folder);
    blocking(create).await?.map_err(|error| unwritable(into, &error))
}

/// Renames the finished file to the first name that is free, and syncs the folder.
async fn put_in_place(part: TempPath, into: PathBuf, name: String) -> Result<PathBuf, Error> {
    let shown = into.clone();
    let rename = move || -> io::Result<PathBuf> {
        let mut part = part;
        for number in 0..=MOST_NUMBERED {
            let name = if number == 0 { name.clone() } else { local_name::numbered(&name, number) };
            let target = into.join(name);
            match part.persist_noclobber(&target) {
                Ok(()) => {
                    // A folder that cannot be opened for syncing is not a reason to call the download lost.
                    let _ = std::fs::File::open(&into).and_then(|folder| folder.sync_all());
                    return Ok(target);
                }
                Err(PathPersistError { error, path }) if error.kind() == io::ErrorKind::AlreadyExists => part = path,
                Err(PathPersistError { error, .. }) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    };
    blocking(rename).await?.map_err(|error| unwritable(&shown, &error))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Error::new(Kind::Internal, "Writing to the disk failed unexpectedly"))
}

fn unwritable(folder: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot write into {}", folder.display()), error)
}
