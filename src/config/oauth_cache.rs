//! The newest tokens of an OAuth account: a private file in the state directory that the processes of this machine share.
//! They are for the credentials that they come from alone.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::file_lock::try_alone;
use super::oauth_file::short_hash;
use super::paths::create_private_dir;
use super::secret_file::{self, SecretFileError};

/// Where the tokens of one account's credentials are.
#[derive(Debug, Clone)]
pub struct OauthCache {
    path: PathBuf,
}

/// What is kept. `Debug` shows no secret.
#[derive(Debug, Clone, Deserialize)]
pub struct CachedTokens {
    pub access_token: SecretString,
    pub ends: Timestamp,
    pub refresh_token: SecretString,
    #[serde(default)]
    pub scopes: Vec<String>,
}

#[derive(Serialize)]
struct Written<'a> {
    access_token: &'a str,
    ends: Timestamp,
    refresh_token: &'a str,
    scopes: &'a [String],
}

/// In the state directory.
const FOLDER: &str = "oauth";
const ENDING: &str = "json";

impl OauthCache {
    /// Of the account `name`, for the credentials of this fingerprint.
    pub fn new(state: &Path, name: &str, fingerprint: &str) -> Self {
        let file = format!("{}{fingerprint}.{ENDING}", prefix(name));
        Self { path: state.join(FOLDER).join(file) }
    }

    /// The tokens; none where there is no file, or one that is not understood.
    pub fn read(&self) -> Result<Option<CachedTokens>, SecretFileError> {
        match secret_file::read_text(&self.path) {
            Err(SecretFileError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => Ok(serde_json::from_str(read?.expose_secret()).ok()),
        }
    }

    /// The leave to renew, as long as the result is kept; none while another process has it.
    pub fn try_lock(&self) -> io::Result<Option<File>> {
        try_alone(&self.path)
    }

    /// Replaces the tokens: the new ones are on the disk before the old ones go.
    pub fn write(&self, tokens: &CachedTokens) -> io::Result<()> {
        let CachedTokens { access_token, ends, refresh_token, scopes } = tokens;
        let written = Written {
            access_token: access_token.expose_secret(),
            ends: *ends,
            refresh_token: refresh_token.expose_secret(),
            scopes,
        };
        secret_file::write_private(&self.path, &serde_json::to_vec(&written)?)
    }

    /// When the access token of an account ends; none where none is known.
    pub fn end_of(state: &Path, name: &str) -> Option<Timestamp> {
        let files = files_of(state, name).unwrap_or_default();
        files.into_iter().filter_map(|path| Some(Self { path }.read().ok()??.ends)).max()
    }

    /// Removes the tokens of an account, but for those of the credentials that it has now.
    pub fn forget(state: &Path, name: &str, kept: Option<&Self>) -> io::Result<()> {
        for path in files_of(state, name)? {
            if kept.is_none_or(|kept| kept.path != path) {
                std::fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// What the names of an account's files begin with, whatever its own name is made of.
fn prefix(name: &str) -> String {
    format!("{}-", short_hash(name))
}

fn files_of(state: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
    let dir = state.join(FOLDER);
    create_private_dir(&dir)?;
    let prefix = prefix(name);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let is_of_it = path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&prefix));
        if is_of_it && path.extension().is_some_and(|ending| ending == ENDING) {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(access: &str) -> CachedTokens {
        let ends = Timestamp::from_second(1_800_000_000).unwrap();
        CachedTokens { access_token: access.into(), ends, refresh_token: "r".into(), scopes: Vec::new() }
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_only_for_its_credentials() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (OauthCache::new(dir.path(), "acme", "1"), OauthCache::new(dir.path(), "acme", "2"));
        one.write(&tokens("a")).unwrap();
        assert_eq!(std::fs::metadata(&one.path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(one.read().unwrap().unwrap().access_token.expose_secret(), "a");
        assert!(other.read().unwrap().is_none());
    }

    #[test]
    fn what_is_left_of_former_credentials_goes_and_other_accounts_stay() {
        let dir = tempfile::tempdir().unwrap();
        let all =
            [("acme", "1"), ("acme", "2"), ("acme2", "1")].map(|(name, of)| OauthCache::new(dir.path(), name, of));
        for cache in &all {
            cache.write(&tokens("a")).unwrap();
        }
        OauthCache::forget(dir.path(), "acme", Some(&all[1])).unwrap();
        assert_eq!(all.each_ref().map(|cache| cache.read().unwrap().is_some()), [false, true, true]);
        OauthCache::forget(dir.path(), "acme", None).unwrap();
        assert_eq!(all.each_ref().map(|cache| cache.read().unwrap().is_some()), [false, false, true]);
        assert!(OauthCache::end_of(dir.path(), "acme").is_none());
        assert_eq!(OauthCache::end_of(dir.path(), "acme2"), Some(tokens("a").ends));
    }

    #[test]
    fn one_process_at_a_time_may_renew() {
        let dir = tempfile::tempdir().unwrap();
        let cache = OauthCache::new(dir.path(), "acme", "1");
        let lock = cache.try_lock().unwrap().unwrap();
        assert!(cache.try_lock().unwrap().is_none());
        drop(lock);
        assert!(cache.try_lock().unwrap().is_some());
    }
}
