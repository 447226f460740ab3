//! One process at a time changes a file: a lock on an empty one beside it, which stays.

use std::fs::File;
use std::io;
use std::path::Path;

use super::paths::create_private_dir;

/// Waits until no other process changes the file. None does as long as the result is kept.
pub(super) fn alone(path: &Path) -> io::Result<File> {
    create_private_dir(path.parent().unwrap_or(Path::new(".")))?;
    let gate = File::create(path.with_added_extension("gate"))?;
    gate.lock()?;
    Ok(gate)
}
