//! The identity of a store whose database is in its directory, for the bucket that has its bytes. A
//! copy of the directory has another one, because a copied file has another number in its file
//! system.

use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use super::disk::sync;

const FILE: &str = "bucket-owner";

/// Returns the identity of the store in a directory. The first call, also in a copy, creates it
/// durably.
pub(crate) fn identity(dir: &Path) -> io::Result<String> {
    match File::open(dir.join(FILE)) {
        Ok(file) => {
            let identity = io::read_to_string(&file)?;
            if identity.ends_with(&number(&file.metadata()?)) {
                return Ok(identity);
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    let identity = format!(
        "directory {}{}",
        uuid::Uuid::new_v4(),
        number(&file.as_file().metadata()?)
    );
    file.write_all(identity.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(dir.join(FILE)).map_err(|error| error.error)?;
    sync(dir)?;
    Ok(identity)
}

#[cfg(unix)]
fn number(file: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    format!(" file {}", file.ino())
}

/// Always the same, so that a copy is not noticed.
#[cfg(not(unix))]
fn number(_: &Metadata) -> String {
    " file".to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_moved_directory_is_the_same_store_and_a_copied_one_is_not() {
        let root = tempfile::tempdir().unwrap();
        let (first, moved, copied) = (
            root.path().join("a"),
            root.path().join("b"),
            root.path().join("c"),
        );
        std::fs::create_dir(&first).unwrap();
        std::fs::create_dir(&copied).unwrap();
        let known = identity(&first).unwrap();
        assert_eq!(identity(&first).unwrap(), known);
        std::fs::rename(&first, &moved).unwrap();
        assert_eq!(identity(&moved).unwrap(), known);
        std::fs::copy(moved.join(FILE), copied.join(FILE)).unwrap();
        let other = identity(&copied).unwrap();
        assert_ne!(other, known);
        assert_eq!(identity(&copied).unwrap(), other);
        assert_eq!(identity(&moved).unwrap(), known);
    }
}
