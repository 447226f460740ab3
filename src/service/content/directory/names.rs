//! The names that a blob has in turn. The name shows the stage of the blob, which distinguishes
//! lost rows from what a crash leaves (docs/guarantees.md, "What the name of a blob says"). Knows
//! nothing of the contents of blobs.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::regular_file::{self, Links};
use crate::service::content::blob::BlobId;
use crate::service::content::disk::{remove_files, sync};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlobStage {
    /// Being written; no row can name it.
    Part,
    /// Complete and synced. Its row may be committed, but the upload has had no response.
    Pending,
    /// Its row is committed.
    Final,
}

#[derive(Debug, Clone)]
pub(crate) struct BlobFile {
    pub(crate) path: PathBuf,
    pub(crate) id: BlobId,
    pub(crate) stage: BlobStage,
}

/// The names of a complete blob to try; a pending blob may become final in between, so that name
/// comes twice.
const WHOLE: [BlobStage; 3] = [BlobStage::Final, BlobStage::Pending, BlobStage::Final];

/// Cheap enough to clone.
#[derive(Debug, Clone)]
pub(crate) struct BlobNames {
    root: PathBuf,
}

impl BlobNames {
    pub(crate) fn below(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folders of blobs, by the first digit of their ids. They exist from the start,
    /// since a new folder for a blob would have to be synced, too, and so would its parent.
    pub(crate) fn folders(&self) -> impl Iterator<Item = PathBuf> {
        "0123456789abcdef"
            .chars()
            .map(|digit| self.root.join(digit.to_string()))
    }

    fn folder(&self, id: &BlobId) -> PathBuf {
        self.root.join(id.as_str().get(..1).unwrap_or("_"))
    }

    pub(crate) fn path(&self, id: &BlobId, stage: BlobStage) -> PathBuf {
        let suffix = match stage {
            BlobStage::Part => ".part",
            BlobStage::Pending => ".pending",
            BlobStage::Final => "",
        };
        self.folder(id).join(format!("{}{suffix}", id.as_str()))
    }

    /// Parses a file name; `None` if it is not the name of a blob.
    pub(crate) fn read(name: &str) -> Option<(BlobId, BlobStage)> {
        let (id, stage) = match name.split_once('.') {
            None => (name, BlobStage::Final),
            Some((id, "pending")) => (id, BlobStage::Pending),
            Some((id, "part")) => (id, BlobStage::Part),
            Some(_) => return None,
        };
        Some((BlobId::parse(id)?, stage))
    }

    /// Opens a complete blob, which may be about to get its final name.
    ///
    /// # Errors
    ///
    /// Fails if the blob does not exist or is not a regular file.
    pub(crate) fn open(&self, id: &BlobId) -> io::Result<File> {
        self.first(id, |path| regular_file::open(path, Links::Refused))
    }

    /// Gives committed blobs their final names. If that fails, `open` still finds them and the next
    /// start renames them.
    pub(crate) fn make_final(&self, blobs: &[BlobId]) {
        for id in blobs {
            if let Err(error) = fs::rename(
                self.path(id, BlobStage::Pending),
                self.path(id, BlobStage::Final),
            ) {
                tracing::warn!(blob = id.as_str(), %error, "a stored blob keeps the name of a pending one until the next start");
            }
        }
    }

    /// Removes every name of a blob, which may be about to get its final one. A blob that does not
    /// exist counts as removed.
    ///
    /// # Errors
    ///
    /// Fails if a name exists and cannot be removed.
    pub(crate) fn remove(&self, id: &BlobId) -> io::Result<()> {
        // A crash may have left a partial file.
        let stages = [BlobStage::Part].into_iter().chain(WHOLE);
        remove_files(&stages.map(|stage| self.path(id, stage)).collect::<Vec<_>>())
    }

    /// Moves a blob durably to its path for this stage, unless that path is taken.
    pub(crate) fn put_in_place(&self, found: &BlobFile, stage: BlobStage) -> io::Result<()> {
        let place = self.path(&found.id, stage);
        if found.path == place || fs::symlink_metadata(&place).is_ok() {
            return Ok(());
        }
        fs::rename(&found.path, &place)?;
        place.parent().map_or(Ok(()), sync)
    }

    fn first<T>(&self, id: &BlobId, attempt: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
        let mut result = Err(io::ErrorKind::NotFound.into());
        for stage in WHOLE {
            result = attempt(&self.path(id, stage));
            if !matches!(&result, Err(error) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        result
    }

    /// Makes renames and removals in the folders of these blobs durable.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be synced.
    pub(crate) fn sync_folders(&self, blobs: &[BlobId]) -> io::Result<()> {
        let mut folders: Vec<_> = blobs.iter().map(|id| self.folder(id)).collect();
        folders.sort_unstable();
        folders.dedup();
        folders.iter().try_for_each(|folder| sync(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> (tempfile::TempDir, BlobNames, BlobId) {
        let dir = tempfile::tempdir().unwrap();
        let names = BlobNames::below(dir.path().to_owned());
        names
            .folders()
            .for_each(|folder| fs::create_dir(folder).unwrap());
        (dir, names, BlobId::random())
    }

    #[test]
    fn a_name_says_which_blob_it_is_and_how_far_that_has_come() {
        let (_dir, names, id) = names();
        for stage in [BlobStage::Part, BlobStage::Pending, BlobStage::Final] {
            let path = names.path(&id, stage);
            assert_eq!(
                BlobNames::read(path.file_name().unwrap().to_str().unwrap()),
                Some((id.clone(), stage))
            );
        }
        for other in ["notes.txt", "", "abc", &format!("{}.txt", id.as_str())] {
            assert_eq!(BlobNames::read(other), None, "{other}");
        }
    }

    #[test]
    fn a_blob_is_read_and_removed_under_either_name() {
        for stage in [BlobStage::Pending, BlobStage::Final] {
            let (_dir, names, id) = names();
            fs::write(names.path(&id, stage), "bytes").unwrap();
            names.open(&id).unwrap();
            names.remove(&id).unwrap();
            assert_eq!(names.open(&id).unwrap_err().kind(), io::ErrorKind::NotFound);
            names.remove(&id).unwrap();
        }
    }

    // Fails if the final name is not tried a second time.
    #[test]
    fn a_blob_that_gets_its_final_name_between_two_tries_is_found() {
        let (_dir, names, id) = names();
        fs::write(names.path(&id, BlobStage::Pending), "bytes").unwrap();
        let found = names.first(&id, |path| {
            if path == names.path(&id, BlobStage::Pending) {
                names.make_final(std::slice::from_ref(&id));
            }
            File::open(path)
        });
        assert!(found.is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_a_blob_is_not_followed() {
        let (dir, names, id) = names();
        let foreign = dir.path().join("foreign");
        fs::write(&foreign, "not ours").unwrap();
        std::os::unix::fs::symlink(&foreign, names.path(&id, BlobStage::Final)).unwrap();
        assert!(names.open(&id).is_err());
    }
}
