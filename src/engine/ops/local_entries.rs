//! Names in a folder of this machine, for path completion.

use std::path::Path;

use super::perform::{OpContext, Perform};
use crate::api::{Error, Kind, sendable};
use crate::engine::question::{CheckLocalFile, ListLocalNames};
use crate::regular_file::Links;

/// Sorted names; folders end with `/`. Names that are not Unicode cannot be typed and are left out.
pub async fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let path = folder.to_owned();
    let read = move || -> std::io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&path)? {
            let entry = entry?;
            // Follows links: a link to a folder completes as a folder.
            let is_folder = entry.path().is_dir();
            if let Ok(name) = entry.file_name().into_string() {
                names.push(if is_folder { name + "/" } else { name });
            }
        }
        names.sort();
        Ok(names)
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(names) => names.map_err(|error| Error::local(&format!("Cannot list {}", folder.display()), &error)),
        Err(_) => Err(Error::new(Kind::Internal, "Listing a local folder failed")),
    }
}

impl Perform for ListLocalNames {
    async fn perform(self, _: &OpContext) -> Result<Vec<String>, Error> {
        names(&self.folder).await
    }
}

impl Perform for CheckLocalFile {
    async fn perform(self, _: &OpContext) -> Result<(), Error> {
        sendable(&self.path, Links::Followed).await.map(drop)
    }
}
