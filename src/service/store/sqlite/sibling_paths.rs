//! Paths of files beside a database.

use std::path::{Path, PathBuf};

/// Returns the first numbered path with this word that neither a file nor its log has.
pub(crate) fn free_name(database: &Path, word: &str) -> PathBuf {
    let name = |number: u32| database.with_file_name(format!("filedeck-{word}-{number}.db"));
    let is_free = |path: &PathBuf| !path.exists() && !with_suffix(path, "-wal").exists();
    (1..u32::MAX)
        .map(name)
        .find(is_free)
        .unwrap_or_else(|| name(u32::MAX))
}

/// Returns the path of a file that SQLite keeps for a database: `-wal` for its log, `-shm` for the
/// index of the log.
pub(crate) fn with_suffix(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
