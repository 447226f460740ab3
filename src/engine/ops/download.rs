//! Downloads one file: into a part file beside its place, checked against size and MD5, synced,
//! then renamed without replacing anything but the file that was seen
//! (`guarantees.md#a-download-is-whole-or-not-there`). A download that is dropped before that
//! leaves nothing behind.

use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::{fs, mem};

use bytes::Bytes;
use fast_md5::Md5;
use tempfile::TempPath;
use tokio::runtime::Handle;

use super::local_place::{LocalPlace, blocking};
use super::md5_sum::Md5Sum;
use super::partial_file;
use crate::api::model::File;
use crate::api::{Client, Error, Failure, Kind, Repeat, Resume};
use crate::chunk_worker::{ChunkWork, Worker};
use crate::engine::job::Room;
use crate::engine::message::Progress;
use crate::engine::meter;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::seen_state::changed_since;
use crate::regular_file::Links;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downloaded {
    pub path: PathBuf,
    pub bytes: u64,
}

/// All bytes of a file, on the disk but not in place yet. Leaves nothing behind when dropped.
#[derive(Debug)]
pub struct ReceivedFile {
    part: TempPath,
    into: PathBuf,
    name: String,
    room: Room,
    sum: Sum,
    /// The mode that new files get in this folder; without one, the file stays private to its
    /// owner.
    mode: Option<fs::Permissions>,
    /// Locked until the file is in place.
    _target: Arc<fs::File>,
}

/// Fetches a file for its place; creates the folders above it.
pub async fn download(
    client: &Client,
    file: &File,
    place: LocalPlace<'_>,
    report: &ProgressSink,
) -> Result<ReceivedFile, Error> {
    let client = &client.for_transfer();
    let (into, name) = (place.make_folder().await?, place.name_of(file)?);
    let (folder, own_name) = (into.clone(), name.clone());
    let (target, part, mode) = blocking(move || partial_file::create(&folder, &own_name))
        .await?
        .map_err(|error| unwritable(&into, &error))?;
    let target = Arc::new(target);
    let sum = fetch_checked(client, file, &target, report).await?;
    let synced = target.clone();
    blocking(move || synced.sync_all())
        .await?
        .map_err(|error| unwritable(&into, &error))?;
    Ok(ReceivedFile {
        part,
        into,
        name,
        room: place.room,
        sum,
        mode,
        _target: target,
    })
}

impl ReceivedFile {
    /// Keeps the file private to its owner, whatever the mode of new files is.
    pub fn keep_private(&mut self) {
        self.mode = None;
    }

    /// Gives the file its final name. The same content there counts as downloaded: another run may
    /// have put it there.
    pub async fn put_in_place(self) -> Result<Downloaded, Error> {
        let Self {
            part,
            into,
            name,
            room,
            sum: Sum { bytes, md5 },
            mode,
            _target,
        } = self;
        let (folder, own) = (into.clone(), into.join(&name));
        let is_same = move |there: &Path| {
            let sum = Handle::current().block_on(Md5Sum::of_local(there, Links::Refused));
            sum.is_ok_and(|sum| sum.to_string() == md5)
        };
        let placed =
            blocking(move || partial_file::put_in_place(part, &folder, &name, room, mode, is_same))
                .await?;
        let path = placed.map_err(|error| unwritable(&into, &error))?;
        Ok(Downloaded {
            path: path.ok_or_else(|| changed_since(&own.to_string_lossy()))?,
            bytes,
        })
    }
}

/// Finds the file if another run has put it in its place, so that it need not be fetched again:
/// under a name that `download` gives, and with the same content. Returns `None` if the service
/// gives no MD5.
pub async fn found(file: &File, place: LocalPlace<'_>) -> Result<Option<Downloaded>, Error> {
    let (Some(md5), Some(bytes)) = (Md5Sum::told_of(file), file.size) else {
        return Ok(None);
    };
    for path in partial_file::places(&place.folder(), &place.name_of(file)?, place.room) {
        let metadata = match tokio::fs::symlink_metadata(&path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.map_err(|error| {
                Error::local(&format!("Cannot read {}", path.display()), &error)
            })?,
        };
        // A download has put nothing there that cannot be read.
        if metadata.is_file()
            && metadata.len() == bytes
            && Md5Sum::of_local(&path, Links::Refused)
                .await
                .is_ok_and(|sum| sum == md5)
        {
            return Ok(Some(Downloaded { path, bytes }));
        }
    }
    Ok(None)
}

/// Fetches until the bytes match the service's description, which may be newer than `file`.
async fn fetch_checked(
    client: &Client,
    file: &File,
    target: &Arc<fs::File>,
    report: &ProgressSink,
) -> Result<Sum, Error> {
    let mut received = Received {
        workers: Workers::new(target.clone()),
        target,
        bytes: 0,
        resume: None,
    };
    let got = match received.fetch(client, file, report).await? {
        Got::Whole(got) if got.matches(file) => return Ok(got),
        got => got,
    };
    let newer = client.files().get(&file.id).await?;
    match got {
        Got::Whole(got) if got.matches(&newer) => return Ok(got),
        Got::TooMuch if newer.size > file.size => {
            if let Got::Whole(got) = received.fetch(client, &newer, report).await?
                && got.matches(&newer)
            {
                return Ok(got);
            }
        }
        Got::Whole(_) | Got::TooMuch => {}
    }
    let message = "The downloaded file differs from what the service describes (size or MD5); it was discarded";
    Err(Error::new(Kind::Decode, message))
}

enum Got {
    Whole(Sum),
    /// More than the file's size; it was cut off there.
    TooMuch,
}

#[derive(Debug)]
struct Sum {
    bytes: u64,
    md5: String,
}

impl Sum {
    fn matches(&self, file: &File) -> bool {
        file.size.is_none_or(|size| size == self.bytes)
            && file
                .file_md5
                .as_ref()
                .is_none_or(|md5| md5.eq_ignore_ascii_case(&self.md5))
    }
}

struct Workers {
    file: Worker<FileWriter>,
    md5: Worker<Md5>,
}

impl Workers {
    fn new(target: Arc<fs::File>) -> Self {
        Self {
            file: Worker::new(FileWriter {
                target,
                unsynced: 0,
                syncing: None,
            }),
            md5: Worker::new(Md5::new()),
        }
    }

    async fn add(&mut self, chunk: Bytes) -> Result<(), Error> {
        self.md5
            .add(chunk.clone())
            .await
            .map_err(|error| unwritten(&error))?;
        self.file
            .add(chunk)
            .await
            .map_err(|error| unwritten(&error))
    }

    /// Returns the MD5 in lowercase hex once everything is written.
    async fn finish(self) -> Result<String, Error> {
        let file = self
            .file
            .finish()
            .await
            .map_err(|error| unwritten(&error))?;
        blocking(move || ended(file.syncing))
            .await?
            .map_err(|error| unwritten(&error))?;
        let md5 = self.md5.finish().await.map_err(|error| unwritten(&error))?;
        Ok(hex::encode(md5.finalize()))
    }
}

/// Writes the chunks and syncs them in the background, so that little is left to wait for at the
/// end. The system reports a disk error once only, to the first sync after it, so none of their
/// results may be dropped.
struct FileWriter {
    target: Arc<fs::File>,
    unsynced: usize,
    syncing: Option<JoinHandle<io::Result<()>>>,
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

struct Received<'a> {
    target: &'a Arc<fs::File>,
    workers: Workers,
    bytes: u64,
    resume: Option<Resume>,
}

impl Received<'_> {
    /// Fetches all bytes anew, and resumes after an interruption where the service allows it.
    async fn fetch(
        &mut self,
        client: &Client,
        file: &File,
        report: &ProgressSink,
    ) -> Result<Got, Error> {
        self.start_anew().await?;
        let mut retries = client.retries(Repeat::Read);
        loop {
            match self.attempt(client, file, report).await {
                Ok(got) => return Ok(got),
                Err(failure) => retries.after(failure).await?,
            }
        }
    }

    async fn attempt(
        &mut self,
        client: &Client,
        file: &File,
        report: &ProgressSink,
    ) -> Result<Got, Failure> {
        if self.resume.is_some() && file.size == Some(self.bytes) {
            return Ok(Got::Whole(self.sum().await?));
        }
        let mut download = client.files().open(file, self.resume.as_ref()).await?;
        if download.start() != self.bytes {
            self.start_anew().await?;
        }
        if download.start() != self.bytes {
            return Err(Error::new(
                Kind::Decode,
                "The service sent a different part of the file",
            )
            .into());
        }
        let coming = download.length().map(|length| self.bytes + length);
        let Some(size) = file.size.or(coming) else {
            let message = "The service does not say how large the file is, so a cut download could not be detected";
            return Err(Error::new(Kind::Decode, message).into());
        };
        let on_bytes = meter::bytes(report, Some(size));
        while let Some(chunk) = download.chunk().await? {
            self.bytes += chunk.len() as u64;
            if self.bytes > size {
                return Ok(Got::TooMuch);
            }
            self.workers.add(chunk).await?;
            self.resume = download.resume(self.bytes);
            on_bytes(self.bytes);
        }
        report.report(Progress::Bytes {
            done: self.bytes,
            total: Some(self.bytes),
        });
        Ok(Got::Whole(self.sum().await?))
    }

    /// Finishes the workers, once all bytes have arrived.
    async fn sum(&mut self) -> Result<Sum, Error> {
        let workers = mem::replace(&mut self.workers, Workers::new(self.target.clone()));
        Ok(Sum {
            bytes: self.bytes,
            md5: workers.finish().await?,
        })
    }

    async fn start_anew(&mut self) -> Result<(), Error> {
        // Let pending writes finish, so that none follows the truncation.
        mem::replace(&mut self.workers, Workers::new(self.target.clone()))
            .finish()
            .await?;
        (self.bytes, self.resume) = (0, None);
        let target = self.target.clone();
        let emptied =
            blocking(move || target.set_len(0).and_then(|()| (&*target).rewind())).await?;
        emptied.map_err(|error| unwritten(&error))
    }
}

fn unwritable(folder: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot write into {}", folder.display()), error)
}

fn unwritten(error: &io::Error) -> Error {
    Error::local("Cannot write the downloaded file", error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rstest::rstest;
    use serde_json::json;

    use super::*;

    /// A file with the bytes `hello`.
    fn described(md5: Option<&str>) -> File {
        let file = json!({ "id": "1", "name": "a", "extension": "txt", "size": 5, "fileMd5": md5 });
        serde_json::from_value(file).unwrap()
    }

    const MD5: Option<&str> = Some("5D41402abc4b2a76b9719d911017c592");

    #[rstest]
    #[case::under_its_name(MD5, &[("a.txt", "hello")], Some("a.txt"))]
    #[case::under_a_number(MD5, &[("a.txt", "other"), ("a (1).txt", "hello")], Some("a (1).txt"))]
    #[case::of_other_content(MD5, &[("a.txt", "HELLO")], None)]
    #[case::longer(MD5, &[("a.txt", "hello hello")], None)]
    #[case::beyond_a_gap(MD5, &[("a (1).txt", "hello")], None)]
    #[case::nothing_to_know_it_by(None, &[("a.txt", "hello")], None)]
    #[tokio::test]
    async fn a_finished_download_is_known_by_its_content(
        #[case] md5: Option<&str>,
        #[case] there: &[(&str, &str)],
        #[case] expected: Option<&str>,
    ) {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in there {
            fs::write(dir.path().join(name), content).unwrap();
        }
        let place = LocalPlace {
            into: dir.path(),
            name: None,
            room: Room::Beside,
        };
        let found = found(&described(md5), place).await.unwrap();
        assert_eq!(
            found,
            expected.map(|name| Downloaded {
                path: dir.path().join(name),
                bytes: 5
            })
        );
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_link_is_no_finished_download() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("b.txt"), "hello").unwrap();
        std::os::unix::fs::symlink("b.txt", dir.path().join("a.txt")).unwrap();
        let place = LocalPlace {
            into: dir.path(),
            name: None,
            room: Room::Beside,
        };
        assert_eq!(found(&described(MD5), place).await.unwrap(), None);
    }
}
