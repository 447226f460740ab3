//! `-` in place of a local file: what comes from standard input.

use std::path::Path;

use anyhow::Context as _;
use tempfile::NamedTempFile;

pub fn is_meant(local: &Path) -> bool {
    local == Path::new("-")
}

/// The beginning of the names of the files that it is kept in.
const SPOOLED: &str = "filedeck-stdin-";

/// Whether a path is that of such a file.
pub fn is_spooled(path: &str) -> bool {
    let path = Path::new(path);
    path.starts_with(std::env::temp_dir())
        && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(SPOOLED))
}

/// All that comes as a file that only its owner can read, so that it can be sent again after a cut.
pub async fn spool() -> anyhow::Result<NamedTempFile> {
    let file = tempfile::Builder::new().prefix(SPOOLED).tempfile().context("cannot create a temporary file")?;
    let mut to = tokio::fs::File::from_std(file.reopen().context("cannot write a temporary file")?);
    tokio::io::copy(&mut tokio::io::stdin(), &mut to).await.context("cannot read standard input")?;
    to.sync_all().await.context("cannot write a temporary file")?;
    Ok(file)
}
