//! Files that hold a secret: read only if nobody else could have read or planted them, and private
//! from creation.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use tempfile::NamedTempFile;

/// The reason that a secret file was not used, and the remedy. Never holds the secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{0} is a symbolic link; name the file itself")]
    Symlink(PathBuf),
    #[error("{0} is not a file")]
    NotAFile(PathBuf),
    #[error("{0} belongs to another user; make your own copy")]
    OtherOwner(PathBuf),
    #[error("{path} can be read or changed by others (mode {mode:04o}); run: chmod 600 '{path}'")]
    TooOpen { path: PathBuf, mode: u32 },
    #[error("{0} is empty; write the token into it")]
    Empty(PathBuf),
    #[error("{0} is too long to be a token file")]
    TooLong(PathBuf),
    #[error("{0} is not one line of text")]
    NotOneLine(PathBuf),
}

/// Larger than any list of tokens.
const MAX_BYTES: u64 = 1024 * 1024;

/// Reads the one line of a private file: owned by the user, mode without group and other bits, not
/// a symbolic link.
pub fn read(path: &Path) -> Result<SecretString, SecretFileError> {
    let text = read_text(path)?;
    let line = text.expose_secret();
    if line.chars().any(char::is_control) {
        return Err(SecretFileError::NotOneLine(path.to_owned()));
    }
    Ok(SecretString::from(line))
}

/// Reads a private file and trims its text.
pub fn read_text(path: &Path) -> Result<SecretString, SecretFileError> {
    let io_error = |error| SecretFileError::Io {
        path: path.to_owned(),
        error,
    };
    let named = fs::symlink_metadata(path).map_err(io_error)?;
    if named.is_symlink() {
        return Err(SecretFileError::Symlink(path.to_owned()));
    }
    if !named.is_file() {
        return Err(SecretFileError::NotAFile(path.to_owned()));
    }
    let file = File::open(path).map_err(io_error)?;
    check_private(path, &named, &file)?;
    let mut text = String::new();
    file.take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(io_error)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(SecretFileError::TooLong(path.to_owned()));
    }
    // Some editors write a mark before the text.
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(SecretFileError::Empty(path.to_owned()));
    }
    Ok(SecretString::from(text))
}

/// Writes a secret, and nothing else, atomically to a new file of mode 0600; fails with
/// `AlreadyExists` if the path is taken.
pub fn create(path: &Path, secret: &SecretString) -> Result<(), SecretFileError> {
    let io_error = |error| SecretFileError::Io {
        path: path.to_owned(),
        error,
    };
    let mut file =
        NamedTempFile::new_in(path.parent().unwrap_or(Path::new("."))).map_err(io_error)?;
    let bytes = secret.expose_secret().as_bytes();
    file.write_all(bytes)
        .and_then(|()| file.as_file().sync_all())
        .map_err(io_error)?;
    file.persist_noclobber(path)
        .map(drop)
        .map_err(|refused| io_error(refused.error))
}

/// Checks the opened file, and that it is the one whose metadata was read before.
#[cfg(unix)]
fn check_private(path: &Path, named: &fs::Metadata, file: &File) -> Result<(), SecretFileError> {
    use std::os::unix::fs::MetadataExt;

    let io_error = |error| SecretFileError::Io {
        path: path.to_owned(),
        error,
    };
    let opened = file.metadata().map_err(io_error)?;
    if (opened.dev(), opened.ino()) != (named.dev(), named.ino()) {
        return Err(SecretFileError::Symlink(path.to_owned()));
    }
    if opened.uid() != rustix::process::geteuid().as_raw() {
        return Err(SecretFileError::OtherOwner(path.to_owned()));
    }
    let mode = opened.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(SecretFileError::TooOpen {
            path: path.to_owned(),
            mode,
        });
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn check_private(_: &Path, _: &fs::Metadata, _: &File) -> Result<(), SecretFileError> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use rstest::rstest;

    use super::*;

    fn token_file(dir: &Path, mode: u32) -> PathBuf {
        let path = dir.join("token");
        fs::write(&path, "s3cret\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[rstest]
    #[case::owner_reads_and_writes(0o600)]
    #[case::owner_reads(0o400)]
    fn a_private_file_is_read_without_its_newline(#[case] mode: u32) {
        let dir = tempfile::tempdir().unwrap();
        let secret = read(&token_file(dir.path(), mode)).unwrap();
        assert_eq!(secret.expose_secret(), "s3cret");
    }

    #[rstest]
    #[case::group_reads(0o640)]
    #[case::group_writes(0o620)]
    #[case::group_runs(0o610)]
    #[case::others_read(0o604)]
    #[case::others_write(0o602)]
    #[case::others_run(0o601)]
    #[case::everybody(0o666)]
    #[case::usual_mode(0o644)]
    fn a_file_that_others_can_reach_is_refused_with_the_cure(#[case] mode: u32) {
        let dir = tempfile::tempdir().unwrap();
        let error = read(&token_file(dir.path(), mode)).unwrap_err();
        assert!(
            matches!(&error, SecretFileError::TooOpen { mode: seen, .. } if *seen == mode),
            "{error:?}"
        );
        assert!(error.to_string().contains("chmod 600"), "{error}");
        assert!(!error.to_string().contains("s3cret"));
    }

    #[test]
    fn a_symbolic_link_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        symlink(token_file(dir.path(), 0o600), &link).unwrap();
        assert!(matches!(read(&link), Err(SecretFileError::Symlink(_))));
    }

    #[rstest]
    #[case::nothing("", true)]
    #[case::blank(" \n", true)]
    #[case::two_lines("a\nb\n", false)]
    fn a_file_without_exactly_one_line_is_refused(#[case] content: &str, #[case] empty: bool) {
        let dir = tempfile::tempdir().unwrap();
        let path = token_file(dir.path(), 0o600);
        fs::write(&path, content).unwrap();
        match read(&path).unwrap_err() {
            SecretFileError::Empty(_) => assert!(empty),
            SecretFileError::NotOneLine(_) => assert!(!empty),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_created_file_is_private_and_never_replaces_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        create(&path, &SecretString::from("one")).unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(create(&path, &SecretString::from("two")).is_err());
        assert_eq!(read(&path).unwrap().expose_secret(), "one");
    }
}
