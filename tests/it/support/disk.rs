//! What lies on the disk, byte for byte, whoever put it there.

use std::path::{Path, PathBuf};

/// Whether the bytes occur in the name or the content of any file below the folder.
pub(crate) fn holds(folder: &Path, needle: &[u8]) -> bool {
    let occurs = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        // Gone between the listing and the look is as good as not found.
        occurs(path.as_os_str().as_encoded_bytes())
            || if path.is_dir() { holds(&path, needle) } else { occurs(&std::fs::read(&path).unwrap_or_default()) }
    })
}

/// Every file below the folder.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let below = |entry: std::fs::DirEntry| {
        if entry.file_type().unwrap().is_dir() { files_below(&entry.path()) } else { vec![entry.path()] }
    };
    entries.flat_map(below).collect()
}
