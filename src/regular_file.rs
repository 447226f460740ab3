//! Opens files that others may have replaced: follows a link only if the caller allows it, and
//! never blocks on a pipe. Our own files are accessible to their owner only, whatever folder they
//! are in.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// The treatment of a symbolic link found in place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    Followed,
    Refused,
}

impl Links {
    /// Returns the metadata of the file, or of the link in its place, without opening it.
    ///
    /// # Errors
    ///
    /// The errors of `std::fs::metadata`.
    pub fn metadata(self, path: &Path) -> io::Result<Metadata> {
        match self {
            Self::Followed => std::fs::metadata(path),
            Self::Refused => std::fs::symlink_metadata(path),
        }
    }
}

/// Opens a file for reading.
///
/// # Errors
///
/// The errors of `File::open`; and if the path names, or leads to, a folder, a pipe, a socket, a
/// device or a link that must not be followed: the message names which.
pub fn open(path: &Path, links: Links) -> io::Result<File> {
    checked(path, links, open_without_waiting(path, links))
}

/// Opens one of our own files for reading and appending, and creates it if missing. From then on
/// only its owner can access it.
///
/// # Errors
///
/// The errors of `open` with `Links::Refused`; and if the file cannot be created or belongs to
/// another user.
pub fn open_own(path: &Path) -> io::Result<File> {
    let file = checked(path, Links::Refused, open_to_write(path))?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&file.metadata()?) & 0o077 != 0 {
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    }
    Ok(file)
}

fn checked(path: &Path, links: Links, opened: io::Result<File>) -> io::Result<File> {
    let found = match &opened {
        Ok(file) => file.metadata()?.file_type(),
        // Links and sockets cannot be opened, and the system's own error message is obscure.
        Err(_) => match links.metadata(path) {
            Ok(found) if !found.is_file() => found.file_type(),
            _ => return opened,
        },
    };
    if found.is_file() {
        return opened;
    }
    let message = format!("{} is {}, not a regular file", name(path), kind(found));
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Reads a whole file of at most `most` bytes.
///
/// # Errors
///
/// The errors of `open`; and if the file is larger than `most` or cannot be read.
pub fn read(path: &Path, links: Links, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, links)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("{} has more than {most} bytes", name(path));
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads one of our own files, up to 64 MiB.
///
/// # Errors
///
/// The errors of `read` with `Links::Refused`.
pub fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    read(path, Links::Refused, 64 << 20)
}

/// The name alone, because errors are shown where there is little room for folders.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().display().to_string()
}

#[cfg(unix)]
fn open_without_waiting(path: &Path, links: Links) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let follow = if links == Links::Refused {
        OFlags::NOFOLLOW
    } else {
        OFlags::empty()
    };
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | follow;
    Ok(open(path, flags, Mode::empty())?.into())
}

#[cfg(unix)]
fn open_to_write(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let made = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE;
    let flags = made | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(open(path, flags, Mode::RUSR | Mode::WUSR)?.into())
}

#[cfg(not(unix))]
fn open_to_write(path: &Path) -> io::Result<File> {
    if Links::Refused
        .metadata(path)
        .is_ok_and(|found| !found.is_file())
    {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    File::options()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path, links: Links) -> io::Result<File> {
    if links.metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
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
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    // `File::open` used to hang at the pipe and to follow the link.
    #[test]
    fn what_is_no_regular_file_is_refused_and_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "bytes").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink(at("nothing"), at("broken")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for (name, kind) in [
            ("link", "a link"),
            ("broken", "a link"),
            ("folder", "a folder"),
            ("pipe", "a pipe"),
            ("socket", "a socket"),
        ] {
            let error = open(&at(name), Links::Refused).unwrap_err().to_string();
            assert!(error.contains(kind) && error.contains(name), "{error}");
        }
        symlink(at("pipe"), at("to a pipe")).unwrap();
        symlink(at("socket"), at("to a socket")).unwrap();
        for (name, kind) in [
            ("to a pipe", "a pipe"),
            ("to a socket", "a socket"),
            ("pipe", "a pipe"),
        ] {
            let error = open(&at(name), Links::Followed).unwrap_err().to_string();
            assert!(error.contains(kind) && error.contains(name), "{error}");
        }
        for name in ["link", "broken", "folder", "pipe", "socket"] {
            assert!(open_own(&at(name)).is_err(), "{name}");
        }
        assert!(!at("nothing").exists());
        assert!(open(&at("link"), Links::Followed).is_ok());
        assert_eq!(read(&at("file"), Links::Refused, 5).unwrap(), b"bytes");
        assert_eq!(
            read(&at("file"), Links::Refused, 4).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        assert_eq!(
            open(&at("nothing"), Links::Refused).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
    }
}
