//! A file by which a start after a kill knows the database for the one that the killed process served, as that left it:
//! it knows all that was stored then, and can be served before all bytes were looked at. The file holds for one run of
//! the system, by what that tells of database and log.

use std::fs::{self, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{data_dir, private};

/// Kept by whoever serves a store whose database knows all that lies there.
#[derive(Debug)]
pub(crate) struct Witness {
    dir: PathBuf,
    seen: Mutex<Option<Stamp>>,
}

/// What changes with every change of a file: its size, and when that was.
type Stamp = (u64, i64, i64);

impl Witness {
    pub(crate) fn of(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), seen: Mutex::new(None) }
    }

    /// Takes down how the database is, unless it is as it was the last time. Between two looks it changes only as its log
    /// goes into it, so that this costs little.
    pub(crate) fn look(&self, database: &Metadata) {
        let stamp = stamp(database);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == Some(stamp) {
            return;
        }
        *seen = Some(stamp);
        if let Err(error) = self.write() {
            tracing::debug!(%error, "after a kill, the next start looks at all that is in the store first");
        }
    }

    fn write(&self) -> io::Result<()> {
        let facts = facts(&self.dir)?;
        let path = data_dir::witness(&self.dir);
        let mut file = private::file_options().create(true).write(true).truncate(true).open(path)?;
        file.write_all(facts.as_bytes())
    }
}

/// Whether database and log are those of the process that served the store last, which was killed.
pub(crate) fn holds(dir: &Path) -> bool {
    fs::read_to_string(data_dir::witness(dir)).is_ok_and(|seen| facts(dir).is_ok_and(|facts| facts == seen))
}

/// Takes the file away, before anything is changed.
pub(crate) fn take_away(dir: &Path) -> io::Result<()> {
    match fs::remove_file(data_dir::witness(dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The run of the system; which file the database is, its size and its last change, which nobody can set; which file the
/// log is: whoever else closes the database removes it.
#[cfg(unix)]
fn facts(dir: &Path) -> io::Result<String> {
    use std::os::unix::fs::MetadataExt as _;

    let run = fs::read_to_string("/proc/sys/kernel/random/boot_id")?;
    let (database, log) = (fs::metadata(data_dir::database(dir))?, fs::metadata(data_dir::log(dir))?);
    let (size, seconds, nanos) = stamp(&database);
    // A number is given anew, with another birth where the disk knows of births.
    let born = log.created().ok();
    Ok(format!(
        "run {run}database {} {} {size} {seconds}.{nanos:09}\nlog {} {} {born:?}\n",
        database.dev(),
        database.ino(),
        log.dev(),
        log.ino(),
    ))
}

#[cfg(not(unix))]
fn facts(_: &Path) -> io::Result<String> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn stamp(file: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt as _;
    (file.len(), file.ctime(), file.ctime_nsec())
}

#[cfg(not(unix))]
fn stamp(file: &Metadata) -> Stamp {
    (file.len(), 0, 0)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::fs::File;

    use rstest::rstest;

    use super::*;

    fn look(witness: &Witness, dir: &Path) {
        witness.look(&fs::metadata(data_dir::database(dir)).unwrap());
    }

    /// The system tells times in steps of some milliseconds; this ends with the step.
    fn until_it_tells_another_time(dir: &Path) {
        let probe = dir.join("probe");
        let now = || {
            fs::write(&probe, "").unwrap();
            stamp(&fs::metadata(&probe).unwrap())
        };
        let begun = now();
        while now() == begun {}
    }

    #[rstest]
    #[case::one_that_grew(|dir: &Path| fs::write(data_dir::database(dir), "rows and more").unwrap())]
    #[case::one_of_the_same_size(|dir: &Path| fs::write(data_dir::database(dir), "ROWS").unwrap())]
    #[case::one_of_the_same_time(|dir: &Path| {
        let before = fs::metadata(data_dir::database(dir)).unwrap().modified().unwrap();
        fs::write(data_dir::database(dir), "ROWS").unwrap();
        File::options().write(true).open(data_dir::database(dir)).unwrap().set_modified(before).unwrap();
    })]
    #[case::another_file(|dir: &Path| {
        fs::write(dir.join("other"), "rows").unwrap();
        fs::rename(dir.join("other"), data_dir::database(dir)).unwrap();
    })]
    #[case::none(|dir: &Path| fs::remove_file(data_dir::database(dir)).unwrap())]
    #[case::another_log(|dir: &Path| {
        fs::write(dir.join("other"), "log").unwrap();
        fs::rename(dir.join("other"), data_dir::log(dir)).unwrap();
    })]
    #[case::no_log(|dir: &Path| fs::remove_file(data_dir::log(dir)).unwrap())]
    #[case::another_run(|dir: &Path| {
        let seen = fs::read_to_string(data_dir::witness(dir)).unwrap();
        fs::write(data_dir::witness(dir), seen.replacen("run ", "run 0", 1)).unwrap();
    })]
    fn a_witness_knows_the_database_until_it_is_another_one(#[case] change: fn(&Path)) {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        fs::write(data_dir::database(dir), "rows").unwrap();
        fs::write(data_dir::log(dir), "").unwrap();
        let witness = Witness::of(dir);
        assert!(!holds(dir));
        look(&witness, dir);
        // What its own process writes to the log needs no word.
        fs::write(data_dir::log(dir), "log").unwrap();
        assert!(holds(dir));
        until_it_tells_another_time(dir);
        change(dir);
        assert!(!holds(dir));
    }

    #[test]
    fn a_witness_follows_the_changes_of_its_own_process() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        fs::write(data_dir::database(dir), "rows").unwrap();
        fs::write(data_dir::log(dir), "").unwrap();
        let witness = Witness::of(dir);
        look(&witness, dir);
        fs::write(data_dir::database(dir), "rows and more").unwrap();
        assert!(!holds(dir));
        look(&witness, dir);
        assert!(holds(dir));
        take_away(dir).unwrap();
        assert!(!holds(dir));
    }
}
