//! Downloads one file: into a part file beside its place, checked against size and MD5, synced,
//! then renamed without replacing anything but the file that was seen
//! (`guarantees.md#a-download-is-whole-or-not-there`). A download that is dropped before that
//! leaves nothing behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempPath;
use tokio::runtime::Handle;

use super::local_place::{LocalPlace, blocking};
use super::md5_sum::Md5Sum;
use super::partial_file;
use crate::api::model::File;
use crate::api::{Client, Error, Saved};
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
    saved: Saved,
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
    let (into, name) = (place.make_folder().await?, place.name_of(file)?);
    let (folder, own_name) = (into.clone(), name.clone());
    let (target, part, mode) = blocking(move || partial_file::create(&folder, &own_name))
        .await?
        .map_err(|error| unwritable(&into, &error))?;
    let target = Arc::new(target);
    let saved = client
        .files()
        .download(file)
        .on_progress(meter::bytes(report, file.size))
        .write_to(&target)
        .await?;
    report.report(Progress::Bytes {
        done: saved.bytes,
        total: Some(saved.bytes),
    });
    let synced = target.clone();
    blocking(move || synced.sync_all())
        .await?
        .map_err(|error| unwritable(&into, &error))?;
    Ok(ReceivedFile {
        part,
        into,
        name,
        room: place.room,
        saved,
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
            saved: Saved { bytes, md5 },
            mode,
            _target,
        } = self;
        let (folder, own) = (into.clone(), into.join(&name));
        let is_same = move |there: &Path| {
            let sum = Handle::current().block_on(Md5Sum::of_local(there, Links::Refused));
            sum.is_ok_and(|sum| sum == Md5Sum::from(md5))
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

fn unwritable(folder: &Path, error: &io::Error) -> Error {
    Error::local(&format!("Cannot write into {}", folder.display()), error)
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
