//! `-` in place of a local file: standard input.

use std::path::Path;

use anyhow::Context as _;
use tempfile::NamedTempFile;

pub fn is_meant(local: &Path) -> bool {
    local == Path::new("-")
}

/// The prefix of the names of spooled files.
const SPOOLED: &str = "filedeck-stdin-";

/// Returns `true` if the path is that of a spooled file.
pub fn is_spooled(path: &str) -> bool {
    let path = Path::new(path);
    path.starts_with(std::env::temp_dir())
        && path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(SPOOLED))
}

/// Stores standard input in a file that only its owner can read, so that it can be sent again after
/// a lost connection.
pub async fn spool() -> anyhow::Result<NamedTempFile> {
    let file = tempfile::Builder::new()
        .prefix(SPOOLED)
        .tempfile()
        .context("cannot create a temporary file")?;
    let mut to = tokio::fs::File::from_std(file.reopen().context("cannot write a temporary file")?);
    tokio::io::copy(&mut tokio::io::stdin(), &mut to)
        .await
        .context("cannot read standard input")?;
    to.sync_all()
        .await
        .context("cannot write a temporary file")?;
    Ok(file)
}
