//! The names in a few folders, kept for a minute so that a shell can complete paths: one private file beside the journal. It is
//! removed by a permanent deletion and with an account.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

const KEPT_FOR: SignedDuration = SignedDuration::from_secs(60);

/// The file of a directory.
#[derive(Debug, Clone)]
pub struct CompletionNames(PathBuf);

#[derive(Debug, Default, Serialize, Deserialize)]
struct NamesFile {
    folders: Vec<KeptFolder>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptFolder {
    /// As the journal names it.
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
    /// In the directory of the journal.
    pub fn new(dir: &Path) -> Self {
        Self(dir.join("folder-names.json"))
    }

    /// The names in a folder, if they were read in the last minute.
    pub fn read(&self, account: &str, path: &str, now: Timestamp) -> Option<Vec<String>> {
        let mut folders = self.folders().into_iter();
        let is_it = |kept: &KeptFolder| kept.account == account && kept.path == path && kept.is_new(now);
        folders.find(is_it).map(|kept| kept.names)
    }

    /// Keeps the names in a folder, and drops what is too old.
    pub fn keep(&self, account: &str, path: &str, names: &[String], now: Timestamp) -> io::Result<()> {
        let mut folders = self.folders();
        folders.retain(|kept| kept.is_new(now) && !(kept.account == account && kept.path == path));
        let (account, path, names) = (account.to_owned(), path.to_owned(), names.to_vec());
        folders.push(KeptFolder { account, path, read_at: now, names });
        let mut file = NamedTempFile::new_in(self.0.parent().unwrap_or(Path::new(".")))?;
        file.write_all(&serde_json::to_vec(&NamesFile { folders })?)?;
        file.persist(&self.0)?;
        Ok(())
    }

    /// Removes the names of all folders.
    pub fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// None where the file cannot be read.
    fn folders(&self) -> Vec<KeptFolder> {
        let content: Option<NamesFile> = fs::read(&self.0).ok().and_then(|text| serde_json::from_slice(&text).ok());
        content.unwrap_or_default().folders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn names_are_kept_for_a_minute_by_account_and_folder() {
        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        let names = |name: &str| vec![name.to_owned()];
        kept.keep("acme", "/a", &names("one"), at(100)).unwrap();
        kept.keep("acme", "/b", &names("two"), at(130)).unwrap();
        kept.keep("other", "/a", &names("three"), at(130)).unwrap();
        assert_eq!(kept.read("acme", "/a", at(159)), Some(names("one")));
        assert_eq!(kept.read("other", "/a", at(159)), Some(names("three")));
        assert_eq!(kept.read("acme", "/a", at(160)), None);
        assert_eq!(kept.read("acme", "/a", at(99)), None, "the clock was set back");
        kept.keep("acme", "/b", &names("four"), at(170)).unwrap();
        assert_eq!(kept.read("acme", "/b", at(170)), Some(names("four")));
        let text = fs::read_to_string(dir.path().join("folder-names.json")).unwrap();
        assert!(!text.contains("one") && !text.contains("two"), "what is old does not stay: {text}");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_can_be_removed() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        kept.forget().unwrap();
        kept.keep("acme", "/a", &["one".to_owned()], at(100)).unwrap();
        let file = dir.path().join("folder-names.json");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        kept.forget().unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn a_damaged_file_holds_no_names_and_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let kept = CompletionNames::new(dir.path());
        fs::write(dir.path().join("folder-names.json"), "{").unwrap();
        assert_eq!(kept.read("acme", "/a", at(100)), None);
        kept.keep("acme", "/a", &["one".to_owned()], at(100)).unwrap();
        assert_eq!(kept.read("acme", "/a", at(100)), Some(vec!["one".to_owned()]));
    }
}
