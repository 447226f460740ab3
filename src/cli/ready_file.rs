//! The file that says how to reach a service that has just begun to answer, for who started it. The token is in it, so it
//! is for its owner alone, and goes when the service stops.

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

/// More than any ready file has.
const MAX_BYTES: u64 = 64 * 1024;

/// A place for the file: a temporary one beside it, which is private from the start.
#[derive(Debug)]
pub struct ReadyPlace {
    path: PathBuf,
    file: NamedTempFile,
}

/// The file. It is removed when this is dropped, unless another process has written its own.
#[derive(Debug)]
pub struct ReadyFile {
    path: PathBuf,
    written: Vec<u8>,
}

/// What a test needs.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReadyReport<'a> {
    base_url: Cow<'a, str>,
    token: Cow<'a, str>,
    pid: u32,
    /// Where the calls for tests are, if there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_api: Option<Cow<'a, str>>,
}

impl ReadyPlace {
    /// Takes away what a service that was killed has left: whoever waits for the file must not find that one. Any other
    /// file stays, and is refused.
    pub fn prepare(path: PathBuf) -> anyhow::Result<Self> {
        let unusable = || format!("cannot use {} as the ready file", path.display());
        match is_ready_file(&path).with_context(unusable)? {
            None => {}
            Some(true) => fs::remove_file(&path).with_context(unusable)?,
            Some(false) => {
                return Err(InvalidUsage(format!("{} is not a ready file; name another one", path.display())).into());
            }
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).with_context(unusable)?;
        Ok(Self { path, file })
    }

    /// Writes the file, whole or not at all.
    pub fn write(mut self, base_url: &Url, token: &SecretString, test_api: Option<&str>) -> anyhow::Result<ReadyFile> {
        let base_url = base_url.as_str().trim_end_matches('/');
        let report = ReadyReport {
            base_url: base_url.into(),
            token: token.expose_secret().into(),
            pid: std::process::id(),
            test_api: test_api.map(|prefix| format!("{base_url}{prefix}").into()),
        };
        let mut text = serde_json::to_vec(&report)?;
        text.push(b'\n');
        let put = self.file.write_all(&text).and_then(|()| Ok(self.file.persist(&self.path)?));
        put.with_context(|| format!("cannot write the ready file {}", self.path.display()))?;
        Ok(ReadyFile { path: self.path, written: text })
    }
}

/// Whether what is there is a ready file of before; none where nothing is. An empty file is what `mktemp` makes for it.
fn is_ready_file(path: &Path) -> io::Result<Option<bool>> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    if !found.is_file() || found.len() > MAX_BYTES {
        return Ok(Some(false));
    }
    Ok(Some(found.len() == 0 || serde_json::from_slice::<ReadyReport>(&fs::read(path)?).is_ok()))
}

impl Drop for ReadyFile {
    fn drop(&mut self) {
        if fs::read(&self.path).is_ok_and(|text| text == self.written) {
            // Whoever starts the next service takes it away.
            let _ = fs::remove_file(&self.path);
        }
    }
}
