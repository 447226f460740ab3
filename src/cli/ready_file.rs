//! The file that tells whoever started a service how to reach it, once it responds. It holds the
//! token, so only its owner can read it, and it is removed when the service stops.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use url::Url;

use super::stderr::InvalidUsage;

/// An upper bound on the size of a ready file.
const MAX_BYTES: u64 = 64 * 1024;

/// The place for the file: a temporary file beside it, private from the start.
#[derive(Debug)]
pub struct ReadyPlace {
    path: PathBuf,
    file: NamedTempFile,
}

/// The written file, removed on drop unless another process has written its own.
#[derive(Debug)]
pub struct ReadyFile {
    path: PathBuf,
    written: Vec<u8>,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReadyReport<'a> {
    base_url: Cow<'a, str>,
    token: Cow<'a, str>,
    pid: u32,
    /// The base URL of the calls for tests, if they are enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_api: Option<Cow<'a, str>>,
}

impl ReadyPlace {
    /// Removes the ready file of a service that was killed, because those waiting for the new one
    /// must not find it. Any other file is kept, and refused.
    pub fn prepare(path: PathBuf) -> anyhow::Result<Self> {
        let unusable = || format!("cannot use {} as the ready file", path.display());
        match is_ready_file(&path).with_context(unusable)? {
            None => {}
            Some(true) => fs::remove_file(&path).with_context(unusable)?,
            Some(false) => {
                return Err(InvalidUsage(format!(
                    "{} is not a ready file; name another one",
                    path.display()
                ))
                .into());
            }
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).with_context(unusable)?;
        Ok(Self { path, file })
    }

    /// Writes the file atomically.
    pub fn write(
        mut self,
        base_url: &Url,
        token: &SecretString,
        test_api: Option<&str>,
    ) -> anyhow::Result<ReadyFile> {
        let base_url = base_url.as_str().trim_end_matches('/');
        let report = ReadyReport {
            base_url: base_url.into(),
            token: token.expose_secret().into(),
            pid: std::process::id(),
            test_api: test_api.map(|prefix| format!("{base_url}{prefix}").into()),
        };
        let mut text = serde_json::to_vec(&report)?;
        text.push(b'\n');
        let put = self
            .file
            .write_all(&text)
            .and_then(|()| Ok(self.file.persist(&self.path)?));
        put.with_context(|| format!("cannot write the ready file {}", self.path.display()))?;
        Ok(ReadyFile {
            path: self.path,
            written: text,
        })
    }
}

/// Returns `true` if the existing file is an earlier ready file, or empty, as from `mktemp`; `None`
/// if there is none.
fn is_ready_file(path: &Path) -> io::Result<Option<bool>> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    if !found.is_file() || found.len() > MAX_BYTES {
        return Ok(Some(false));
    }
    Ok(Some(
        found.len() == 0 || serde_json::from_slice::<ReadyReport>(&fs::read(path)?).is_ok(),
    ))
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        if fs::read(&self.path).is_ok_and(|text| text == self.written) {
            // Whoever starts the next service removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}
