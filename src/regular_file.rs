//! Opens files that others may have put in the place of ours: never through a link, never waiting for the other end of a
//! pipe. Reads nothing itself.

use std::fs::{File, FileType};
use std::io;
use std::path::Path;

/// Opens a file for reading.
///
/// # Errors
///
/// As `File::open`; and where the path names a link, a folder, a pipe, a socket or a device, which the error says.
pub fn open(path: &Path) -> io::Result<File> {
    let opened = open_without_following(path);
    let found = match &opened {
        Ok(file) => file.metadata()?.file_type(),
        // Links and sockets cannot be opened, and the system's error says it in words that few know.
        Err(_) => match std::fs::symlink_metadata(path) {
            Ok(found) if !found.is_file() => found.file_type(),
            _ => return opened,
        },
    };
    if found.is_file() {
        return opened;
    }
    let message = format!("{} is {}, not a regular file", path.display(), kind(found));
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

#[cfg(unix)]
fn open_without_following(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    Ok(open(path, OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open_without_following(path: &Path) -> io::Result<File> {
    if std::fs::symlink_metadata(path)?.is_file() { File::open(path) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(unix)]
fn kind(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match () {
        () if found.is_symlink() => "a link",
        () if found.is_dir() => "a folder",
        () if found.is_fifo() => "a pipe",
        () if found.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn kind(found: FileType) -> &'static str {
    if found.is_dir() { "a folder" } else { "a link" }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    // Seen to hang at the pipe with `File::open`, and to open what is behind the link.
    #[test]
    fn what_is_no_regular_file_is_refused_and_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "bytes").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink(at("nothing"), at("broken")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for (name, kind) in [
            ("link", "a link"),
            ("broken", "a link"),
            ("folder", "a folder"),
            ("pipe", "a pipe"),
            ("socket", "a socket"),
        ] {
            let error = open(&at(name)).unwrap_err().to_string();
            assert!(error.contains(kind) && error.contains(name), "{error}");
        }
        let mut text = String::new();
        open(&at("file")).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "bytes");
        assert_eq!(open(&at("nothing")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
