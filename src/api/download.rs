//! Downloads: whole, checked and resumed, into memory, a stream or a file
//! (`guarantees.md#a-download-is-whole-or-not-there`).

use std::fmt;
use std::fs::File as DiskFile;
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use bytes::{Bytes, BytesMut};
use futures::stream::{Stream, try_unfold};

use super::client::Client;
use super::error::{Error, Kind};
use super::files::FilesApi;
use super::local_file::blocking;
use super::model::File;
use super::transfer::{Received, Saved, Transfer, TransferSource};
use crate::chunk_worker::{ChunkWork, Worker};

/// The bytes of a download, in order. An error ends the stream: what came before it is not known to
/// be right.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Bytes, Error>> + Send>>;

/// A download that has not begun. It is retried, resumed where the service allows it, and checked
/// against the service's size and MD5.
#[must_use = "a download does nothing until its bytes are asked for"]
pub struct Download<'a> {
    client: &'a Client,
    source: TransferSource,
    on_progress: Arc<dyn Fn(u64) + Send + Sync>,
}

impl<'a> FilesApi<'a> {
    /// Prepares the download of a file. A public file comes from its own address; any other through
    /// the account, or from a signed address where the version has no downloads.
    pub fn download(self, file: &File) -> Download<'a> {
        self.receive(TransferSource::File(Box::new(file.clone())))
    }

    /// Prepares a download from a public or signed address, to which the token is never sent. Its
    /// MD5 is not known, and so not checked.
    pub fn fetch(self, address: &str) -> Download<'a> {
        self.receive(TransferSource::Address(address.to_owned()))
    }

    fn receive(self, source: TransferSource) -> Download<'a> {
        Download {
            client: self.client,
            source,
            on_progress: Arc::new(|_| {}),
        }
    }
}

impl Download<'_> {
    /// Calls `on_progress` with the number of bytes received so far, which restarts where the
    /// service does not resume. It must return at once.
    pub fn on_progress(mut self, on_progress: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.on_progress = Arc::new(on_progress);
        self
    }

    /// Returns the bytes, of which there may be `limit`.
    ///
    /// # Errors
    ///
    /// [`Kind::Refused`] if there are more; otherwise if the bytes cannot be received whole.
    pub async fn bytes(self, limit: usize) -> Result<Bytes, Error> {
        let mut bytes = BytesMut::new();
        let mut transfer = Transfer::new(self.client, self.source);
        while let Some(step) = transfer.next().await? {
            match step {
                Received::Restart => bytes.clear(),
                Received::Chunk(chunk) if chunk.len() > limit - bytes.len() => {
                    let message = format!("The file has more than {limit} bytes");
                    return Err(Error::new(Kind::Refused, message));
                }
                Received::Chunk(chunk) => bytes.extend_from_slice(&chunk),
            }
            (self.on_progress)(bytes.len() as u64);
        }
        Ok(bytes.freeze())
    }

    /// Returns the bytes as they arrive. They are known to be right once the stream has ended
    /// without an error. It ends with one if the service does not resume after an interruption:
    /// bytes that were passed on cannot be taken back.
    pub fn stream(self) -> ByteStream {
        let transfer = Transfer::new(self.client, self.source);
        let state = (transfer, self.on_progress, 0);
        Box::pin(try_unfold(
            state,
            async |(mut transfer, on_progress, mut done)| match transfer.next().await? {
                None => Ok(None),
                Some(Received::Chunk(chunk)) => {
                    done += chunk.len() as u64;
                    on_progress(done);
                    Ok(Some((chunk, (transfer, on_progress, done))))
                }
                Some(Received::Restart) => {
                    let message =
                        "The connection was cut, and the service does not continue where it was";
                    Err(Error::new(Kind::Decode, message))
                }
            },
        ))
    }

    /// Stores the bytes at a path of this machine. They are written beside it first, and take its
    /// place at the end; a file that is there is replaced.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be received whole or not be written; the path is unchanged then.
    pub async fn save_to(self, path: impl AsRef<Path>) -> Result<Saved, Error> {
        let path = path.as_ref().to_owned();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => Path::new(".").to_owned(),
        };
        let what = format!("Cannot write {}", path.display());
        let unwritable = |error| Error::local(&what, &error);
        let part = blocking(move || new_file().tempfile_in(folder)).await;
        let (target, part) = part.map_err(unwritable)?.into_parts();
        let target = Arc::new(target);
        let saved = self.write_to(&target).await?;
        let in_place = blocking(move || {
            target.sync_all()?;
            part.persist(path).map_err(|error| error.error)
        });
        in_place.await.map_err(unwritable)?;
        Ok(saved)
    }

    /// Writes the bytes into an open file, from its start. They are not synced at the end.
    pub(crate) async fn write_to(self, target: &Arc<DiskFile>) -> Result<Saved, Error> {
        let unwritten = |error| Error::local("Cannot write the downloaded file", &error);
        let mut transfer = Transfer::new(self.client, self.source);
        let (mut writer, mut done) = (writer(target), 0);
        while let Some(step) = transfer.next().await? {
            match step {
                Received::Chunk(chunk) => {
                    done += chunk.len() as u64;
                    writer.add(chunk).await.map_err(unwritten)?;
                }
                Received::Restart => {
                    // Pending writes end first, so that none follows the truncation.
                    writer.finish().await.map_err(unwritten)?;
                    (writer, done) = (self::writer(target), 0);
                    let target = target.clone();
                    let emptied = blocking(move || {
                        target.set_len(0)?;
                        (&*target).rewind()
                    });
                    emptied.await.map_err(unwritten)?;
                }
            }
            (self.on_progress)(done);
        }
        let writer = writer.finish().await.map_err(unwritten)?;
        blocking(move || ended(writer.syncing))
            .await
            .map_err(unwritten)?;
        transfer.saved()
    }

    /// Receives the bytes without keeping them, for their MD5.
    pub(crate) async fn md5(self) -> Result<[u8; 16], Error> {
        let mut transfer = Transfer::new(self.client, self.source);
        while transfer.next().await?.is_some() {}
        Ok(transfer.saved()?.md5)
    }
}

/// Returns a builder of temporary files that have the mode of new files, not a private one.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.suffix(".part");
    builder
}

/// Writes the chunks and syncs them in the background, so that little is left to wait for at the
/// end. The system reports a disk error once only, to the first sync after it, so none of their
/// results may be dropped.
struct FileWriter {
    target: Arc<DiskFile>,
    unsynced: usize,
    syncing: Option<JoinHandle<io::Result<()>>>,
}

fn writer(target: &Arc<DiskFile>) -> Worker<FileWriter> {
    Worker::new(FileWriter {
        target: target.clone(),
        unsynced: 0,
        syncing: None,
    })
}

impl ChunkWork for FileWriter {
    fn work(&mut self, chunk: &[u8]) -> io::Result<()> {
        const SYNCED_AT_ONCE: usize = 64 << 20;
        (&*self.target).write_all(chunk)?;
        self.unsynced += chunk.len();
        if self.unsynced >= SYNCED_AT_ONCE
            && self.syncing.as_ref().is_none_or(JoinHandle::is_finished)
        {
            ended(self.syncing.take())?;
            let target = self.target.clone();
            self.syncing = thread::Builder::new()
                .name("sync".to_owned())
                .spawn(move || target.sync_data())
                .ok();
            self.unsynced = 0;
        }
        Ok(())
    }
}

fn ended(syncing: Option<JoinHandle<io::Result<()>>>) -> io::Result<()> {
    let panicked = |_| Err(io::Error::other("the thread that syncs the file panicked"));
    syncing.map_or(Ok(()), |syncing| syncing.join().unwrap_or_else(panicked))
}

impl fmt::Debug for Download<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").finish_non_exhaustive()
    }
}
