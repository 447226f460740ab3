//! What lies on the disk, byte for byte, whoever put it there.

use std::path::{Path, PathBuf};

/// Whether the bytes occur in the name or the content of any file below the folder.
pub fn holds(folder: &Path, needle: &[u8]) -> bool {
    let occurs = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        // Gone between the listing and the look is as good as not found.
        occurs(path.as_os_str().as_encoded_bytes())
            || if path.is_dir() { holds(&path, needle) } else { occurs(&std::fs::read(&path).unwrap_or_default()) }
    })
}

/// Every file below the folder; what goes while it is looked at is left out.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let below = |entry: std::fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files_below(&entry.path()),
        Ok(_) => vec![entry.path()],
        Err(_) => Vec::new(),
    };
    entries.flatten().flat_map(below).collect()
}
