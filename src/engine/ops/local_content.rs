//! The content of a local path, for its preview: the size of a file, or the entries of a folder.

use std::io;
use std::path::Path;

use super::local_place::blocking;
use crate::api::text::visible_local;
use crate::api::{Error, Kind};
use crate::engine::preview::{FolderContents, FolderFile};

/// The most names that are read of a folder.
const MOST_NAMES: usize = 1_000;

pub(super) enum LocalContent {
    File { size: u64 },
    Folder(FolderContents),
}

impl LocalContent {
    /// Follows links, as opening does.
    pub(super) async fn of(path: &Path) -> Result<Self, Error> {
        let path = path.to_owned();
        blocking(move || {
            let unreadable =
                |error: io::Error| Error::local(&format!("Cannot read {}", path.display()), &error);
            let metadata = std::fs::metadata(&path).map_err(unreadable)?;
            match () {
                () if metadata.is_dir() => folder(&path).map(Self::Folder).map_err(unreadable),
                () if metadata.is_file() => Ok(Self::File {
                    size: metadata.len(),
                }),
                () => Err(Error::new(
                    Kind::Refused,
                    "A pipe, a device or a socket has no preview",
                )),
            }
        })
        .await?
    }
}

fn folder(path: &Path) -> io::Result<FolderContents> {
    let mut contents = FolderContents {
        is_all: true,
        ..FolderContents::default()
    };
    for (at, entry) in std::fs::read_dir(path)?.enumerate() {
        if at == MOST_NAMES {
            contents.is_all = false;
            break;
        }
        let entry = entry?;
        let name = visible_local(&entry.file_name());
        match std::fs::metadata(entry.path()).ok() {
            Some(metadata) if metadata.is_dir() => contents.folders.push(name),
            metadata => {
                let size = metadata.as_ref().map(std::fs::Metadata::len);
                let updated_at = metadata
                    .and_then(|facts| facts.modified().ok())
                    .and_then(|time| time.try_into().ok());
                contents.bytes = contents.bytes.saturating_add(size.unwrap_or(0));
                contents.files.push(FolderFile {
                    name,
                    size,
                    updated_at,
                });
            }
        }
    }
    contents.folders.sort();
    contents
        .files
        .sort_by(|one, other| one.name.cmp(&other.name));
    Ok(contents)
}
