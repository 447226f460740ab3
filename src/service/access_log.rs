//! The access log: a line of JSON for each request, in a file of its own, since it has names and
//! the other log has none.

use std::fs::File;
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use jiff::Timestamp;
use serde::Serialize;

use super::content::private;

/// The number of lines that may wait for the disk; further requests wait, since no line may be
/// lost.
const WAITING_LINES: usize = 1024;

#[derive(Debug)]
pub(crate) struct AccessLog {
    lines: Option<SyncSender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccessRecord {
    pub(crate) time: Timestamp,
    pub(crate) peer: IpAddr,
    /// The name of the token, or of the one that a signed address was made with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    pub(crate) method: String,
    /// Without the query, which may have a signature.
    pub(crate) path: String,
    pub(crate) status: u16,
    /// The size of the body as far as it was sent.
    pub(crate) bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) correlation_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<AccessedObject>,
}

/// The file or folder that a request was about.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccessedObject {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) deleted: bool,
}

impl AccessLog {
    /// Appends to the file, which only its owner can read if it is created.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub(crate) fn open(path: PathBuf) -> io::Result<Self> {
        let file = open(&path)?;
        let (sender, lines) = sync_channel(WAITING_LINES);
        let writer = thread::Builder::new()
            .name("access-log".to_owned())
            .spawn(move || write(&path, file, lines))?;
        Ok(Self {
            lines: Some(sender),
            writer: Some(writer),
        })
    }

    pub(crate) fn note(&self, record: &AccessRecord) {
        if let (Some(lines), Ok(mut line)) = (&self.lines, serde_json::to_vec(record)) {
            line.push(b'\n');
            // The writer ends only with this log.
            let _ = lines.send(line);
        }
    }
}

impl Drop for AccessLog {
    /// Waits until all lines are written.
    fn drop(&mut self) {
        drop(self.lines.take());
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    private::file_options().create(true).append(true).open(path)
}

fn write(path: &Path, mut file: File, lines: Receiver<Vec<u8>>) {
    let mut has_failed = false;
    for line in lines {
        // Whoever rotates logs moves the file away.
        let reopened = if is_at(path, &file) {
            Ok(())
        } else {
            open(path).map(|opened| file = opened)
        };
        let written = reopened.and_then(|()| file.write_all(&line));
        if let Some(error) = written.as_ref().err().filter(|_| !has_failed) {
            tracing::error!(path = %path.display(), %error, "the access log cannot be written; lines are missing in it");
        }
        has_failed = written.is_err();
    }
}

#[cfg(unix)]
fn is_at(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    std::fs::metadata(path).map(identity).ok() == file.metadata().map(identity).ok()
}

#[cfg(not(unix))]
fn is_at(_: &Path, _: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str) -> AccessRecord {
        AccessRecord {
            time: Timestamp::UNIX_EPOCH,
            peer: "192.0.2.1".parse().unwrap(),
            token: Some("ci".to_owned()),
            method: "GET".to_owned(),
            path: path.to_owned(),
            status: 200,
            bytes: 7,
            correlation_id: None,
            object: None,
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_moved_away_is_created_again_and_no_line_is_lost() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("access.log");
        let log = AccessLog::open(path.clone()).unwrap();
        log.note(&record("/a\nb"));
        drop(log);
        std::fs::rename(&path, dir.path().join("access.log.1")).unwrap();
        let log = AccessLog::open(path.clone()).unwrap();
        std::fs::rename(&path, dir.path().join("access.log.2")).unwrap();
        log.note(&record("/c"));
        drop(log);
        let lines = std::fs::read_to_string(dir.path().join("access.log.1")).unwrap();
        assert_eq!(
            lines,
            "{\"time\":\"1970-01-01T00:00:00Z\",\"peer\":\"192.0.2.1\",\"token\":\"ci\",\"method\":\"GET\",\
             \"path\":\"/a\\nb\",\"status\":200,\"bytes\":7}\n"
        );
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"/c\""));
    }
}
