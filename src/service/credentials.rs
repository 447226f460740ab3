//! The service's own bearer token: where it comes from and how it is digested. Never printed or logged.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

/// Where the token comes from.
#[derive(Debug, Clone)]
pub enum TokenSource {
    /// `token` in the data directory, made at first start (mode 0600).
    DataDir,
    /// A file that holds the token, and nothing else but blanks around it. It must be there.
    File(PathBuf),
    Given(SecretString),
}

impl TokenSource {
    /// Reads the token, or makes it.
    pub(crate) fn load(&self, data_dir: &Path) -> io::Result<SecretString> {
        let token = match self {
            Self::Given(token) => token.expose_secret().trim().to_owned(),
            Self::File(path) => std::fs::read_to_string(path)?.trim().to_owned(),
            Self::DataDir => load_or_create(&data_dir.join("token"))?,
        };
        if !is_token(&token) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the token is empty or holds blanks or controls"));
        }
        Ok(token.into())
    }
}

/// The file appears with the whole token in it or not at all, readable by its owner only.
fn load_or_create(path: &Path) -> io::Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return Ok(read?.trim().to_owned()),
    }
    let mut random = [0_u8; 32];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let token = format!("fdk-{}", hex(&random));
    // A temporary file of this library has mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(token.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(token)
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of lower-case hexadecimal digits; none if it is anything else.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let is_hex = text.len().is_multiple_of(2) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let pairs = || text.as_bytes().chunks(2).filter_map(|pair| std::str::from_utf8(pair).ok());
    is_hex.then(|| pairs().filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect())
}

/// Whether this can stand in a header as a token.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic())
}

/// SHA-256 of a token.
pub(crate) type Digest = [u8; 32];

pub(crate) fn digest(text: &str) -> Digest {
    Sha256::digest(text.as_bytes()).into()
}
