//! Thumbnails on the disk, within a limit: private files beside the journal, each named after its
//! account, its file, the time of change, and the room that it was made for. The least recently
//! read ones go first. Nothing is fetched here.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::preview::Picture;
use crate::api::ids::FileId;
use crate::regular_file::{self, Links};

/// The limit for all accounts of this machine together.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// The largest picture that is kept, and the largest such file that is read.
const MOST_OF_ONE: u64 = 4 * 1024 * 1024;
/// The room that a small file takes on most disks.
const BLOCK: u64 = 4096;
const SUFFIX: &str = ".png";

/// The thumbnails of one account. Clones share their state.
#[derive(Debug, Clone)]
pub struct ThumbnailCache {
    dir: PathBuf,
    /// The start of the names of the account's files.
    prefix: String,
    most: u64,
    state: Arc<Mutex<CacheState>>,
}

#[derive(Debug, Default)]
struct CacheState {
    /// Bytes that may be written before the directory is read again.
    room: u64,
    /// The starts of the names of files that were deleted permanently: a picture of one may still
    /// be on its way.
    gone: HashSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThumbnailKey {
    pub file: FileId,
    pub changed_at: Timestamp,
    /// In pixels.
    pub room: (u32, u32),
}

impl ThumbnailCache {
    /// Uses the journal's directory; `account` is the account's name in the journal.
    pub fn new(dir: &Path, account: &str) -> Self {
        let dir = dir.join("thumbnails");
        Self {
            dir,
            prefix: format!("{}-", hash(account)),
            most: MOST_BYTES,
            state: Arc::default(),
        }
    }

    /// Returns the thumbnail as a PNG, if it is there; removes one that cannot be read.
    pub fn read(&self, key: &ThumbnailKey) -> Option<Vec<u8>> {
        let path = self.path(key);
        match read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                let removed = self.remove(key);
                tracing::debug!(%error, ?removed, "a thumbnail cannot be read");
                None
            }
        }
    }

    pub fn remove(&self, key: &ThumbnailKey) -> io::Result<()> {
        remove(&self.path(key))
    }

    /// Keeps a thumbnail, unless its file was deleted permanently since.
    pub fn keep(&self, key: &ThumbnailKey, picture: &Picture) -> io::Result<()> {
        let bytes = encode(picture)?;
        if bytes.len() as u64 > MOST_OF_ONE {
            return Ok(());
        }
        let mut state = self.state();
        if state.gone.contains(&self.prefix_of(&key.file)) {
            return Ok(());
        }
        let size = on_disk(bytes.len() as u64);
        if state.room < size {
            self.create_dir()?;
            self.remove_oldest(size)?;
            state.room = self.spare().max(size);
        }
        let mut file = NamedTempFile::new_in(&self.dir)?;
        file.write_all(&bytes)?;
        file.persist(self.path(key))?;
        state.room -= size;
        Ok(())
    }

    /// Removes all thumbnails of a file that is to be deleted permanently; none is kept again in
    /// this run.
    pub fn forget(&self, file: &FileId) -> io::Result<()> {
        let prefix = self.prefix_of(file);
        let mut state = self.state();
        self.remove_all(&prefix)?;
        state.gone.insert(prefix);
        Ok(())
    }

    /// Removes all thumbnails of the account; returns their size in bytes.
    pub fn clear(&self) -> io::Result<u64> {
        let _alone = self.state();
        self.remove_all(&self.prefix)
    }

    /// Removes what has the prefix, and what is no thumbnail, such as what a killed process left
    /// half-written.
    fn remove_all(&self, prefix: &str) -> io::Result<u64> {
        let mut freed = 0;
        for (entry, metadata) in self.files()? {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(prefix) || !name.ends_with(SUFFIX) {
                remove(&entry.path())?;
                freed += metadata.len();
            }
        }
        Ok(freed)
    }

    /// Makes room for this many bytes, and for as many as are written before this is done again.
    fn remove_oldest(&self, size: u64) -> io::Result<()> {
        let mut room = self.most.saturating_sub(self.spare().max(size));
        let mut files = self.files()?;
        files.sort_by_cached_key(|(_, metadata)| {
            metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)
        });
        let fits = |(_, metadata): &&(DirEntry, Metadata)| {
            let left = room.checked_sub(on_disk(metadata.len()));
            room = left.unwrap_or(0);
            left.is_some()
        };
        let fitting = files.iter().rev().take_while(fits).count();
        for (entry, _) in files.iter().rev().skip(fitting) {
            remove(&entry.path())?;
        }
        Ok(())
    }

    /// Returns the bytes that may be written before the directory is read again.
    fn spare(&self) -> u64 {
        self.most / 8
    }

    /// Returns the files in the directory; none if it does not exist yet. Others may remove files
    /// meanwhile.
    fn files(&self) -> io::Result<Vec<(DirEntry, Metadata)>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let file = |entry: DirEntry| {
            let metadata = entry
                .metadata()
                .ok()
                .filter(|metadata| !metadata.is_dir())?;
            Some((entry, metadata))
        };
        entries
            .filter_map(|entry| entry.map(file).transpose())
            .collect()
    }

    fn create_dir(&self) -> io::Result<()> {
        let mut dir = fs::DirBuilder::new();
        dir.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut dir, 0o700);
        dir.create(&self.dir)
    }

    fn path(
        &self,
        ThumbnailKey {
            file,
            changed_at,
            room: (width, height),
        }: &ThumbnailKey,
    ) -> PathBuf {
        let (prefix, changed_at) = (self.prefix_of(file), changed_at.as_millisecond());
        self.dir
            .join(format!("{prefix}{changed_at}-{width}x{height}{SUFFIX}"))
    }

    fn prefix_of(&self, file: &FileId) -> String {
        format!("{}{}-", self.prefix, hash(file.as_str()))
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a part of a name: what the service calls a file may be anything.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    hex::encode(digest.first_chunk::<12>().copied().unwrap_or_default())
}

fn on_disk(bytes: u64) -> u64 {
    bytes.next_multiple_of(BLOCK)
}

/// Reads a file, and sets its time of change to the time of this read.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = regular_file::open(path, Links::Refused)?;
    touch(&file);
    let mut bytes = Vec::new();
    file.take(MOST_OF_ONE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_OF_ONE {
        Err(io::ErrorKind::FileTooLarge.into())
    } else {
        Ok(bytes)
    }
}

fn touch(file: &File) {
    if let Err(error) = file.set_modified(SystemTime::now()) {
        tracing::debug!(%error, "a thumbnail goes sooner than others");
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn encode(
    Picture {
        width,
        height,
        rgba,
    }: &Picture,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
    encoder
        .write_image(rgba, *width, *height, image::ExtendedColorType::Rgba8)
        .map_err(io::Error::other)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn key(file: &str, second: i64) -> ThumbnailKey {
        let changed_at = Timestamp::from_second(second).unwrap();
        ThumbnailKey {
            file: FileId::new(file),
            changed_at,
            room: (20, 10),
        }
    }

    fn picture(width: u32, height: u32) -> Picture {
        Picture {
            width,
            height,
            rgba: vec![9; width as usize * height as usize * 4].into(),
        }
    }

    fn cache(dir: &Path, files: u64) -> ThumbnailCache {
        ThumbnailCache {
            most: files * BLOCK,
            ..ThumbnailCache::new(dir, "acme https://api.example")
        }
    }

    fn count(dir: &Path) -> usize {
        fs::read_dir(dir.join("thumbnails")).unwrap().count()
    }

    #[test]
    fn a_thumbnail_is_found_by_account_file_time_of_change_and_room() {
        let dir = tempfile::tempdir().unwrap();
        let kept = ThumbnailCache::new(dir.path(), "acme https://api.example");
        kept.keep(&key("1", 1), &picture(2, 2)).unwrap();
        assert!(kept.read(&key("1", 1)).unwrap().starts_with(b"\x89PNG"));
        assert_eq!(kept.read(&key("1", 2)), None);
        assert_eq!(kept.read(&key("2", 1)), None);
        assert_eq!(
            kept.read(&ThumbnailKey {
                room: (20, 11),
                ..key("1", 1)
            }),
            None
        );
        assert_eq!(
            ThumbnailCache::new(dir.path(), "other https://api.example").read(&key("1", 1)),
            None
        );
    }

    #[test]
    fn an_id_is_no_path() {
        let dir = tempfile::tempdir().unwrap();
        let kept = ThumbnailCache::new(dir.path(), "acme");
        let hostile = key("../../../a/\0b", 1);
        kept.keep(&hostile, &picture(2, 2)).unwrap();
        assert!(kept.read(&hostile).is_some());
        assert_eq!(
            (count(dir.path()), fs::read_dir(dir.path()).unwrap().count()),
            (1, 1)
        );
    }

    #[test]
    fn the_bound_holds_and_what_was_read_least_recently_goes_first() {
        let dir = tempfile::tempdir().unwrap();
        let kept = cache(dir.path(), 16);
        for file in 0..16 {
            kept.keep(&key(&file.to_string(), 1), &picture(2, 2))
                .unwrap();
            let age = Duration::from_secs(1_000 - file);
            let file = File::open(kept.path(&key(&file.to_string(), 1))).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        kept.read(&key("0", 1)).unwrap();
        for file in 100..140 {
            kept.keep(&key(&file.to_string(), 1), &picture(2, 2))
                .unwrap();
            assert!(count(dir.path()) <= 16, "{}", count(dir.path()));
            if file == 100 {
                let has = |file: &str| kept.path(&key(file, 1)).exists();
                assert_eq!([has("0"), has("1"), has("15")], [true, false, true]);
            }
        }
        assert!(count(dir.path()) >= 14, "{}", count(dir.path()));
        let another = cache(dir.path(), 4);
        another.keep(&key("200", 1), &picture(2, 2)).unwrap();
        assert!(
            count(dir.path()) <= 4,
            "the next run holds the bound over what is there"
        );
    }

    #[test]
    fn what_is_no_thumbnail_is_removed_and_no_other_account_loses_anything() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, other) = (
            ThumbnailCache::new(dir.path(), "acme"),
            ThumbnailCache::new(dir.path(), "other"),
        );
        assert_eq!(kept.clear().unwrap(), 0);
        for cache in [&kept, &other] {
            cache.keep(&key("1", 1), &picture(2, 2)).unwrap();
        }
        fs::write(kept.path(&key("1", 1)), vec![0; 5_000_000]).unwrap();
        assert_eq!(kept.read(&key("1", 1)), None);
        assert!(!kept.path(&key("1", 1)).exists());
        fs::write(dir.path().join("thumbnails/.tmpAbc"), vec![0; 7]).unwrap();
        kept.keep(&key("1", 1), &picture(2, 2)).unwrap();
        let size = fs::metadata(kept.path(&key("1", 1))).unwrap().len();
        assert_eq!(kept.clear().unwrap(), size + 7);
        assert_eq!(count(dir.path()), 1);
        assert!(other.read(&key("1", 1)).is_some());
    }

    #[test]
    fn a_file_that_is_deleted_permanently_loses_all_and_gets_none_again() {
        let dir = tempfile::tempdir().unwrap();
        let kept = ThumbnailCache::new(dir.path(), "acme");
        for (file, second) in [("1", 1), ("1", 2), ("11", 1)] {
            kept.keep(&key(file, second), &picture(2, 2)).unwrap();
        }
        kept.forget(&FileId::new("1")).unwrap();
        kept.clone().keep(&key("1", 3), &picture(2, 2)).unwrap();
        assert_eq!(count(dir.path()), 1);
        assert!(kept.read(&key("11", 1)).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn files_are_private() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let kept = ThumbnailCache::new(dir.path(), "acme");
        kept.keep(&key("1", 1), &picture(2, 2)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (
                mode(&dir.path().join("thumbnails")),
                mode(&kept.path(&key("1", 1)))
            ),
            (0o700, 0o600)
        );
    }
}
