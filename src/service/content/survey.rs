//! What lies among the blobs while nobody writes, and putting it in order: blobs that rows name into their places, what
//! was never finished or is known to be unused off the disk, everything else aside for a while.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::blobs::{BlobId, Blobs};
use super::private;

/// Every file that is a blob, or was to become one. Files that are no blobs are not seen, and stay.
#[derive(Debug)]
pub(crate) struct Survey {
    blobs: Blobs,
    /// Whole ones among the blobs.
    whole: Vec<(PathBuf, BlobId)>,
    /// What unfinished writes left; no row can name it.
    unfinished: Vec<PathBuf>,
    /// Whole ones that an earlier start put aside.
    aside: Vec<(PathBuf, BlobId)>,
}

impl Blobs {
    pub(crate) async fn survey(&self) -> io::Result<Survey> {
        let blobs = self.clone();
        let look = move || {
            let (whole, unfinished) = found_in(&blobs.root)?;
            let (aside, _) = if blobs.aside.is_dir() { found_in(&blobs.aside)? } else { Found::default() };
            Ok(Survey { blobs, whole, unfinished, aside })
        };
        tokio::task::spawn_blocking(look).await.map_err(io::Error::other)?
    }

    /// Removes what was put aside at this time or earlier. Gives since when the oldest that is left has been there.
    pub(crate) async fn remove_aside(&self, until: Timestamp) -> io::Result<Option<Timestamp>> {
        let aside = self.aside.clone();
        let sweep = move || {
            let mut left = Vec::new();
            for (folder, since) in folders_aside(&aside)? {
                if since <= until {
                    fs::remove_dir_all(folder)?;
                } else {
                    left.push(since);
                }
            }
            Ok(left.into_iter().min())
        };
        tokio::task::spawn_blocking(sweep).await.map_err(io::Error::other)?
    }
}

impl Survey {
    /// How many whole blobs are not known; those that were put aside already do not count.
    pub(crate) fn unknown(&self, is_known: impl Fn(&BlobId) -> bool) -> usize {
        self.whole.iter().filter(|(_, id)| !is_known(id)).count()
    }

    /// How many unfinished writes left something.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// Every whole blob, put aside or not.
    pub(crate) fn whole(&self) -> HashSet<BlobId> {
        self.whole.iter().chain(&self.aside).map(|(_, id)| id.clone()).collect()
    }

    /// Puts the blobs that are named into their places, wherever they lie, removes the unused ones and what was never
    /// finished, and puts all others aside as of now. Returns how many these are.
    pub(crate) async fn settle(
        self,
        named: HashSet<BlobId>,
        unused: HashSet<BlobId>,
        now: Timestamp,
    ) -> io::Result<usize> {
        let settle = move || {
            self.unfinished.iter().try_for_each(|path| remove(path))?;
            let aside = self.blobs.aside.join(now.as_millisecond().to_string());
            let mut moved = 0;
            for (path, id) in &self.whole {
                if unused.contains(id) {
                    remove(path)?;
                } else if !named.contains(id) {
                    private::folder_builder().create(&aside)?;
                    fs::rename(path, aside.join(id.as_str()))?;
                    moved += 1;
                } else {
                    put_in_place(path, &self.blobs.place(id))?;
                }
            }
            for (path, id) in &self.aside {
                if unused.contains(id) {
                    remove(path)?;
                } else if named.contains(id) {
                    put_in_place(path, &self.blobs.place(id))?;
                }
            }
            if moved > 0 {
                [Some(&*aside), aside.parent(), self.blobs.root.parent()].into_iter().flatten().try_for_each(sync)?;
            }
            Ok(moved)
        };
        tokio::task::spawn_blocking(settle).await.map_err(io::Error::other)?
    }

    /// Puts every whole blob into its place, wherever it lies. Removes nothing.
    pub(crate) async fn gather(self) -> io::Result<()> {
        let gather = move || {
            self.whole.iter().chain(&self.aside).try_for_each(|(path, id)| put_in_place(path, &self.blobs.place(id)))
        };
        tokio::task::spawn_blocking(gather).await.map_err(io::Error::other)?
    }

    /// Removes every blob that is not named: for a copy, whose blobs are all in another store too.
    pub(crate) async fn keep_only(self, named: HashSet<BlobId>) -> io::Result<()> {
        let mut unused = self.whole();
        unused.retain(|id| !named.contains(id));
        self.settle(named, unused, Timestamp::UNIX_EPOCH).await.map(drop)
    }
}

/// What is gone already counts as removed: a start that was cut short may be taking it away.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Durably. One that lies there already stays.
fn put_in_place(path: &Path, place: &Path) -> io::Result<()> {
    if path == place || place.exists() {
        return Ok(());
    }
    fs::rename(path, place)?;
    place.parent().map_or(Ok(()), sync)
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The folders aside, each named after the millisecond in which its blobs were put there.
fn folders_aside(aside: &Path) -> io::Result<Vec<(PathBuf, Timestamp)>> {
    let entries = match fs::read_dir(aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let millis = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        if let Some(since) = millis.and_then(|millis| Timestamp::from_millisecond(millis).ok()) {
            folders.push((path, since));
        }
    }
    Ok(folders)
}

/// Whole blobs, and what is no blob yet.
type Found = (Vec<(PathBuf, BlobId)>, Vec<PathBuf>);

/// What an unfinished write leaves is named as a blob, with a mark behind.
fn found_in(folder: &Path) -> io::Result<Found> {
    let (mut whole, mut unfinished) = Found::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
                continue;
            }
            let name = entry.file_name();
            let (id, mark) = match name.to_str().map(|name| name.split_once('#').ok_or(name)) {
                Some(Ok((id, _))) => (id, true),
                Some(Err(id)) => (id, false),
                None => continue,
            };
            match BlobId::parse(id) {
                Some(_) if mark => unfinished.push(entry.path()),
                Some(id) => whole.push((entry.path(), id)),
                None => {}
            }
        }
    }
    Ok((whole, unfinished))
}
