//! The service's own bearer token: its source and its digest. Never printed or logged.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use crate::service::content::private;

#[derive(Debug, Clone)]
pub enum TokenSource {
    /// The file `token` in the data directory, created at the first start (mode 0600).
    DataDir,
    Given(SecretString),
}

impl TokenSource {
    /// Reads the token; creates the one in the directory if it is missing.
    pub(crate) fn load(&self, data_dir: &Path) -> io::Result<SecretString> {
        let path = token_file(data_dir);
        if matches!(self, Self::DataDir) && !path.try_exists()? {
            create(&path)?;
        }
        self.read(data_dir)
    }

    /// Reads the token of a service that was started with this source.
    pub(crate) fn read(&self, data_dir: &Path) -> io::Result<SecretString> {
        let token = match self {
            Self::Given(token) => token.expose_secret().trim().to_owned(),
            Self::DataDir => read_private(&token_file(data_dir))?.trim().to_owned(),
        };
        if !is_token(&token) {
            let fault = "the token is empty or has characters that a bearer token cannot have";
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        Ok(token.into())
    }
}

fn token_file(data_dir: &Path) -> PathBuf {
    data_dir.join("token")
}

/// Reads a file, but refuses one that others could have read: silently closing it would hide a leaked token.
fn read_private(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    if let Some(mode) = private::open_mode(&file.metadata()?) {
        let path = path.display();
        let fault = format!("{path} can be read or changed by others (mode {mode:04o}); run: chmod 600 '{path}'");
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, fault));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// Creates the file with the complete token or not at all, readable only by its owner.
fn create(path: &Path) -> io::Result<()> {
    let mut random = [0_u8; 32];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let token = format!("fdk-{}", hex::encode(random));
    // Temporary files of this library have mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(token.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}

/// Returns `true` if this can be a bearer token: `b64token` of RFC 6750 §2.1.
pub(crate) fn is_token(text: &str) -> bool {
    let unpadded = text.trim_end_matches('=');
    !unpadded.is_empty() && unpadded.chars().all(|c| c.is_ascii_alphanumeric() || "-._~+/".contains(c))
}

pub(crate) type TokenDigest = [u8; 32];

pub(crate) fn digest(text: &str) -> TokenDigest {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::made_by_the_service("fdk-0123456789abcdef", true)]
    #[case::every_kind_of_character("aZ09-._~+/==", true)]
    #[case::nothing("", false)]
    #[case::padding_alone("==", false)]
    #[case::padding_within("a=b", false)]
    #[case::blank("a b", false)]
    #[case::bracket("tokens=[", false)]
    #[case::quote("'abc'", false)]
    #[case::not_ascii("tök", false)]
    fn a_token_has_the_characters_of_rfc_6750(#[case] text: &str, #[case] taken: bool) {
        assert_eq!(is_token(text), taken);
    }
}
