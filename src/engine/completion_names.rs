//! The names in a few folders, offered for a minute so that a shell can complete paths: one private
//! file beside the journal. Any change in an account removes it, and so does the removal of an
//! account.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::regular_file;

const KEPT_FOR: SignedDuration = SignedDuration::from_secs(60);

/// The most names kept of a folder; those of a larger one are not kept.
pub const MOST_NAMES: usize = 5_000;

/// The most names in all kept folders together; those read last stay.
const MOST_IN_ALL: usize = 20_000;

#[derive(Debug, Clone)]
pub struct CompletionNames(PathBuf);

#[derive(Debug, Default, Serialize, Deserialize)]
struct NamesFile {
    folders: Vec<KeptFolder>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptFolder {
    account: String,
    path: String,
    read_at: Timestamp,
    names: Vec<String>,
}

impl KeptFolder {
    fn is_new(&self, now: Timestamp) -> bool {
        (SignedDuration::ZERO..KEPT_FOR).contains(&now.duration_since(self.read_at))
    }
}

impl CompletionNames {
    pub fn new(dir: &Path) -> Self {
        Self(dir.join("folder-names.json"))
    }

    /// Returns the names in a folder, if they were read in the last minute.
    pub fn read(&self, account: &str, path: &str, now: Timestamp) -> Option<Vec<String>> {
        let mut folders = self.folders().into_iter();
        let is_it =
            |kept: &KeptFolder| kept.account == account && kept.path == path && kept.is_new(now);
        folders.find(is_it).map(|kept| kept.names)
    }

    /// Keeps the names in folders, given as each path with all names in it, and drops what is too
    /// old.
    pub fn keep(
        &self,
        account: &str,
        read: Vec<(String, Vec<String>)>,
        now: Timestamp,
    ) -> io::Result<()> {
        let mut folders = self.folders();
        let is_read_again = |kept: &KeptFolder| {
            kept.account == account && read.iter().any(|(path, _)| *path == kept.path)
        };
        folders.retain(|kept| kept.is_new(now) && !is_read_again(kept));
        let read = read
            .into_iter()
            .filter(|(_, names)| names.len() <= MOST_NAMES);
        folders.extend(read.map(|(path, names)| KeptFolder {
            account: account.to_owned(),
            path,
            read_at: now,
            names,
        }));
        let mut room = MOST_IN_ALL;
        let fits = |kept: &&KeptFolder| {
            let left = room.checked_sub(kept.names.len() + 1);
            room = left.unwrap_or(0);
            left.is_some()
        };
        let fitting = folders.iter().rev().take_while(fits).count();
        folders.drain(..folders.len() - fitting);
        let mut file = NamedTempFile::new_in(self.0.parent().unwrap_or(Path::new(".")))?;
        file.write_all(&serde_json::to_vec(&NamesFile { folders })?)?;
        file.persist(&self.0)?;
        Ok(())
    }

    /// Removes the names of all folders; returns the size of their file in bytes.
    pub fn forget(&self) -> io::Result<u64> {
        let removed =
            fs::metadata(&self.0).and_then(|file| fs::remove_file(&self.0).map(|()| file.len()));
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            removed => removed,
        }
    }

    /// Returns the kept folders; none if the file cannot be read.
    fn folders(&self) -> Vec<KeptFolder> {
        let content: Option<NamesFile> = regular_file::read_own(&self.0)
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        content.unwrap_or_default().folders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn folder(path: &str, name: &str) -> Vec<(String, Vec<String>)> {
        vec![(path.to_owned(), vec![name.to_owned()])]
    }

    #[test]
    fn names_are_kept_for_a_minute_by_account_and_folder() {
        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        let names = |name: &str| vec![name.to_owned()];
        kept.keep("acme", folder("/a", "one"), at(100)).unwrap();
        kept.keep("acme", folder("/b", "two"), at(130)).unwrap();
        kept.keep("other", folder("/a", "three"), at(130)).unwrap();
        assert_eq!(kept.read("acme", "/a", at(159)), Some(names("one")));
        assert_eq!(kept.read("other", "/a", at(159)), Some(names("three")));
        assert_eq!(kept.read("acme", "/a", at(160)), None);
        assert_eq!(
            kept.read("acme", "/a", at(99)),
            None,
            "the clock was set back"
        );
        kept.keep("acme", folder("/b", "four"), at(170)).unwrap();
        assert_eq!(kept.read("acme", "/b", at(170)), Some(names("four")));
        let text = fs::read_to_string(dir.path().join("folder-names.json")).unwrap();
        assert!(
            !text.contains("one") && !text.contains("two"),
            "what is old does not stay: {text}"
        );
    }

    #[test]
    fn large_folders_are_left_out_and_the_file_has_an_end() {
        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        let names = |count: usize| vec!["name".to_owned(); count];
        let many = (0..30).map(|number| (format!("/{number}"), names(1_000)));
        kept.keep(
            "acme",
            many.chain([("/large".to_owned(), names(MOST_NAMES + 1))])
                .collect(),
            at(100),
        )
        .unwrap();
        let has = |path: &str| kept.read("acme", path, at(100)).is_some();
        assert_eq!([has("/large"), has("/0"), has("/29")], [false, false, true]);
        assert_eq!(
            (0..30).filter(|number| has(&format!("/{number}"))).count(),
            19
        );
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_can_be_removed() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        kept.forget().unwrap();
        kept.keep("acme", folder("/a", "one"), at(100)).unwrap();
        let file = dir.path().join("folder-names.json");
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
        kept.forget().unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn a_damaged_file_holds_no_names_and_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        fs::write(dir.path().join("folder-names.json"), "{").unwrap();
        assert_eq!(kept.read("acme", "/a", at(100)), None);
        kept.keep("acme", folder("/a", "one"), at(100)).unwrap();
        assert_eq!(
            kept.read("acme", "/a", at(100)),
            Some(vec!["one".to_owned()])
        );
    }
}
