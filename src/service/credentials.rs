//! The bearer token: where it comes from, and how a given one is compared. Never printed or logged.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit as _, Mac as _};
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
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
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

/// Knows the token by its digest alone.
pub(crate) struct Credentials {
    token_digest: [u8; 32],
}

impl Credentials {
    pub(crate) fn new(token: &SecretString) -> Self {
        Self { token_digest: digest(token.expose_secret()) }
    }

    /// Whether this is the token. Takes the same time for every wrong one: digests are compared through a MAC.
    pub(crate) fn accepts(&self, token: &str) -> bool {
        let (Ok(known), Ok(given)) = (mac(&self.token_digest), mac(&digest(token))) else { return false };
        given.verify_slice(&known.finalize().into_bytes()).is_ok()
    }
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn mac(digest: &[u8; 32]) -> Result<Hmac<Sha256>, hmac::digest::InvalidLength> {
    let mut mac = Hmac::<Sha256>::new_from_slice(b"filedeck token comparison")?;
    mac.update(digest);
    Ok(mac)
}
