//! The contents of the disk, byte for byte.

use std::path::{Path, PathBuf};

/// Returns `true` if the bytes occur in the name or the content of any file below the folder.
pub fn holds(folder: &Path, needle: &[u8]) -> bool {
    let occurs = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        // A file that is removed after the listing counts as not found.
        occurs(path.as_os_str().as_encoded_bytes())
            || if path.is_dir() {
                holds(&path, needle)
            } else {
                occurs(&std::fs::read(&path).unwrap_or_default())
            }
    })
}

/// Every file below the folder, except for any that is removed meanwhile.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let below = |entry: std::fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files_below(&entry.path()),
        Ok(_) => vec![entry.path()],
        Err(_) => Vec::new(),
    };
    entries.flatten().flat_map(below).collect()
}
