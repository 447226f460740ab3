//! A file by which whoever used a store last says that it ended in order: database and bytes belong together, and nothing
//! lies there that only a look at everything would find. It holds by what the system tells of database and folders.

use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::UNIX_EPOCH;

use super::{data_dir, private};

/// What only a start puts in order. Everyone who may leave some holds a clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct LooseEnds(Arc<AtomicBool>);

impl LooseEnds {
    /// Says that something was left.
    pub(crate) fn leave(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether nobody has left any, and nobody else is there who could.
    pub(crate) fn are_tied(&self) -> bool {
        Arc::strong_count(&self.0) == 1 && !self.0.load(Ordering::Acquire)
    }
}

/// Seals a store whose database is closed, durably.
pub(crate) fn put(dir: &Path) -> io::Result<()> {
    let mut file = private::file_options().create(true).write(true).truncate(true).open(data_dir::seal(dir))?;
    file.write_all(facts(dir)?.as_bytes())?;
    file.sync_all()?;
    File::open(dir)?.sync_all()
}

/// Whether the store is sealed, and as it was then.
pub(crate) fn holds(dir: &Path) -> bool {
    fs::read_to_string(data_dir::seal(dir)).is_ok_and(|sealed| facts(dir).is_ok_and(|facts| facts == sealed))
}

/// Takes the seal away, before anything is changed. Where a loss of power brings it back, it holds only if nothing of
/// what was changed is there either.
pub(crate) fn take_away(dir: &Path) -> io::Result<()> {
    match fs::remove_file(data_dir::seal(dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Size and last change of the database, size of its log, and when something last came into each folder or went.
fn facts(dir: &Path) -> io::Result<String> {
    let database = fs::metadata(data_dir::database(dir))?;
    let log = fs::metadata(data_dir::log(dir)).map_or(0, |log| log.len());
    let mut facts = format!("database {} {}\nlog {log}\n", database.len(), changed(&database)?);
    let mut folders: Vec<_> = fs::read_dir(data_dir::blobs(dir))?.collect::<Result<_, _>>()?;
    folders.sort_by_key(fs::DirEntry::file_name);
    for folder in folders {
        let changed = changed(&folder.metadata()?)?;
        writeln!(facts, "{} {changed}", folder.file_name().display()).map_err(io::Error::other)?;
    }
    Ok(facts)
}

/// Nanoseconds since 1970.
fn changed(metadata: &Metadata) -> io::Result<u128> {
    Ok(metadata.modified()?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?.as_nanos())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rstest::rstest;

    use super::*;

    fn sealed() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(data_dir::blobs(dir.path()).join("0")).unwrap();
        fs::write(data_dir::database(dir.path()), "rows").unwrap();
        assert!(!holds(dir.path()));
        put(dir.path()).unwrap();
        assert!(holds(dir.path()));
        dir
    }

    /// As a change does, but surely to another time.
    fn touch(path: PathBuf) {
        File::open(path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    }

    #[rstest]
    #[case::of_a_folder(|dir: &Path| touch(data_dir::blobs(dir).join("0")))]
    #[case::of_the_database(|dir: &Path| touch(data_dir::database(dir)))]
    #[case::of_its_size(|dir: &Path| fs::write(data_dir::database(dir), "more rows").unwrap())]
    #[case::of_the_log(|dir: &Path| fs::write(data_dir::log(dir), "rows").unwrap())]
    #[case::another_folder(|dir: &Path| fs::create_dir(data_dir::blobs(dir).join("1")).unwrap())]
    #[case::none(|dir: &Path| take_away(dir).unwrap())]
    fn a_seal_holds_until_something_changes(#[case] change: fn(&Path)) {
        let dir = sealed();
        change(dir.path());
        assert!(!holds(dir.path()));
    }

    // Seen to fail when what others hold is not counted.
    #[test]
    fn ends_are_loose_while_somebody_can_leave_one_and_once_somebody_has() {
        let ends = LooseEnds::default();
        let other = ends.clone();
        assert!(!ends.are_tied());
        drop(other);
        assert!(ends.are_tied());
        ends.leave();
        assert!(!ends.are_tied());
    }
}
