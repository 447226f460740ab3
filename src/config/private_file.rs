//! Files that only their owner can read, replaced as a whole.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::paths::create_private_dir;

/// Replaces a file atomically by one of mode 0600, and creates its folder if missing.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    create_private_dir(dir)?;
    let mut file = NamedTempFile::new_in(dir)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_dir(dir)
}

/// Makes the directory entry of a new file durable.
#[cfg(unix)]
fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn sync_dir(_: &Path) -> io::Result<()> {
    Ok(())
}
