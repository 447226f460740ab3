//! The newest tokens of an OAuth account: a private file in the state directory that the processes
//! of this machine share. They are valid only with the credentials that produced them. Other
//! folders serve if the state directory is not writable.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::file_lock::try_alone;
use super::oauth_file::short_hash;
use super::paths::Paths;
use super::private_file;
use crate::secret_file::{self, SecretFileError};

#[derive(Debug, Clone)]
pub struct OauthCache {
    /// In the order in which they are tried.
    places: [PathBuf; 3],
}

/// The stored tokens. `Debug` shows no secret.
#[derive(Debug, Clone, Deserialize)]
pub struct CachedTokens {
    pub access_token: SecretString,
    pub ends: Timestamp,
    pub refresh_token: SecretString,
    #[serde(default)]
    pub scopes: Vec<String>,
    /// The start of a renewal that has not been answered.
    #[serde(default)]
    pub renewal_began: Option<Timestamp>,
}

#[derive(Serialize)]
struct Written<'a> {
    access_token: &'a str,
    ends: Timestamp,
    refresh_token: &'a str,
    scopes: &'a [String],
    renewal_began: Option<Timestamp>,
}

const FOLDER: &str = "oauth";
const ENDING: &str = "json";

impl OauthCache {
    /// The cache of the account `name`, for the credentials with this fingerprint.
    pub fn new(paths: &Paths, name: &str, fingerprint: &str) -> Self {
        let file = format!("{}{fingerprint}.{ENDING}", prefix(name));
        Self {
            places: folders(paths).map(|folder| folder.join(&file)),
        }
    }

    /// Reads the newest tokens; `None` if no file exists or can be parsed.
    pub fn read(&self) -> Result<Option<CachedTokens>, SecretFileError> {
        let mut newest: Option<CachedTokens> = None;
        for place in &self.places {
            if let Some(found) = read(place)?
                && newest
                    .as_ref()
                    .is_none_or(|newest| newest.age() < found.age())
            {
                newest = Some(found);
            }
        }
        Ok(newest)
    }

    /// Takes the lock for a renewal, held until the result is dropped; `None` while another process
    /// holds it.
    pub fn try_lock(&self) -> io::Result<Option<File>> {
        try_alone(&self.places[0])
    }

    /// Replaces the tokens, deleting the old ones only once the new are on disk. Fails if no place
    /// is writable.
    pub fn write(&self, tokens: &CachedTokens) -> io::Result<()> {
        let CachedTokens {
            access_token,
            ends,
            refresh_token,
            scopes,
            renewal_began,
        } = tokens;
        let written = Written {
            access_token: access_token.expose_secret(),
            ends: *ends,
            refresh_token: refresh_token.expose_secret(),
            scopes,
            renewal_began: *renewal_began,
        };
        let bytes = serde_json::to_vec(&written)?;
        let mut failures = Vec::new();
        for place in &self.places {
            match private_file::write(place, &bytes) {
                Ok(()) => {
                    for older in self.places.iter().filter(|other| *other != place) {
                        // A remaining file is recognizably older.
                        let _ = std::fs::remove_file(older);
                    }
                    return Ok(());
                }
                Err(error) => {
                    failures.push((error.kind(), format!("{}: {error}", place.display())));
                }
            }
        }
        let kind = failures
            .first()
            .map_or(io::ErrorKind::Other, |(kind, _)| *kind);
        let failures: Vec<_> = failures.into_iter().map(|(_, failure)| failure).collect();
        Err(io::Error::new(kind, failures.join("; ")))
    }

    /// The expiry of an account's access token; `None` if unknown.
    pub fn end_of(paths: &Paths, name: &str) -> Option<Timestamp> {
        let files = files_of(paths, name).unwrap_or_default();
        let ends = files
            .iter()
            .filter_map(|path| Some(read(path).ok()??.ends))
            .max();
        ends.filter(|end| *end > Timestamp::UNIX_EPOCH)
    }

    pub fn forget(paths: &Paths, name: &str, kept: Option<&Self>) -> io::Result<()> {
        for path in files_of(paths, name)? {
            if kept.is_none_or(|kept| !kept.places.contains(&path)) {
                std::fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// The common prefix of an account's file names; a hash, because its name may contain any
/// character.
fn prefix(name: &str) -> String {
    format!("{}-", short_hash(name))
}

fn folders(paths: &Paths) -> [PathBuf; 3] {
    [&paths.state, &paths.data, &paths.config].map(|folder| folder.join(FOLDER))
}

fn read(place: &Path) -> Result<Option<CachedTokens>, SecretFileError> {
    match secret_file::read_text(place) {
        Err(SecretFileError::Io { error, .. }) if is_absent(&error) => Ok(None),
        read => Ok(serde_json::from_str(read?.expose_secret()).ok()),
    }
}

/// Returns `true` if the file or its folder does not exist.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn files_of(paths: &Paths, name: &str) -> io::Result<Vec<PathBuf>> {
    let prefix = prefix(name);
    let mut found = Vec::new();
    for dir in folders(paths) {
        let entries = match std::fs::read_dir(dir) {
            Err(error) if is_absent(&error) => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let is_of_it = path
                .file_name()
                .is_some_and(|file| file.to_string_lossy().starts_with(&prefix));
            if is_of_it && path.extension().is_some_and(|ending| ending == ENDING) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

impl CachedTokens {
    /// Increases with each write: first the tokens, then the start of their renewal, then the new
    /// tokens.
    fn age(&self) -> (Timestamp, Option<Timestamp>) {
        (self.ends, self.renewal_began)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(access: &str) -> CachedTokens {
        let ends = Timestamp::from_second(1_800_000_000).unwrap();
        let scopes = Vec::new();
        CachedTokens {
            access_token: access.into(),
            ends,
            refresh_token: "r".into(),
            scopes,
            renewal_began: None,
        }
    }

    fn paths(dir: &tempfile::TempDir) -> Paths {
        let at = |name: &str| dir.path().join(name);
        Paths {
            config: at("config"),
            data: at("data"),
            state: at("state"),
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_only_for_its_credentials() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (
            OauthCache::new(&paths(&dir), "acme", "1"),
            OauthCache::new(&paths(&dir), "acme", "2"),
        );
        one.write(&tokens("a")).unwrap();
        assert_eq!(
            std::fs::metadata(&one.places[0])
                .unwrap()
                .permissions()
                .mode()
                & 0o777,
            0o600
        );
        assert_eq!(
            one.read().unwrap().unwrap().access_token.expose_secret(),
            "a"
        );
        assert!(other.read().unwrap().is_none());
    }

    #[test]
    fn what_is_left_of_former_credentials_goes_and_other_accounts_stay() {
        let dir = tempfile::tempdir().unwrap();
        let all = [("acme", "1"), ("acme", "2"), ("acme2", "1")]
            .map(|(name, of)| OauthCache::new(&paths(&dir), name, of));
        for cache in &all {
            cache.write(&tokens("a")).unwrap();
        }
        OauthCache::forget(&paths(&dir), "acme", Some(&all[1])).unwrap();
        assert_eq!(
            all.each_ref().map(|cache| cache.read().unwrap().is_some()),
            [false, true, true]
        );
        OauthCache::forget(&paths(&dir), "acme", None).unwrap();
        assert_eq!(
            all.each_ref().map(|cache| cache.read().unwrap().is_some()),
            [false, false, true]
        );
        assert!(OauthCache::end_of(&paths(&dir), "acme").is_none());
        assert_eq!(
            OauthCache::end_of(&paths(&dir), "acme2"),
            Some(tokens("a").ends)
        );
    }

    #[test]
    fn one_process_at_a_time_may_renew() {
        let dir = tempfile::tempdir().unwrap();
        let cache = OauthCache::new(&paths(&dir), "acme", "1");
        let lock = cache.try_lock().unwrap().unwrap();
        assert!(cache.try_lock().unwrap().is_none());
        drop(lock);
        assert!(cache.try_lock().unwrap().is_some());
    }
}
