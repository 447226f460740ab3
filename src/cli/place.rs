//! Folders that a command puts items into or looks in.

use crate::api::model::Folder;
use crate::api::{Client, Error, Kind};
use crate::engine::message::FolderRef;
use crate::engine::ops::{edit, locate};

/// Returns an existing folder.
pub async fn find(client: &Client, path: &str) -> Result<FolderRef, Error> {
    if path == "/" {
        return Ok(FolderRef::root());
    }
    locate::folder_at(client, path)
        .await
        .map(|folder| of(folder, path))
}

/// Returns a folder, created if missing.
pub async fn find_or_create(client: &Client, path: &str) -> Result<FolderRef, Error> {
    let folder = match find(client, path).await {
        Err(error) if error.kind == Kind::NotFound => {
            match edit::create_folder(client, &FolderRef::root(), path, false).await {
                // Someone else has created it in the meantime.
                Err(error) if error.kind == Kind::Conflict => {
                    client.folders().get_by_path(path).await?
                }
                made => made?,
            }
        }
        found => return found,
    };
    Ok(of(folder, path))
}

/// Returns a folder as a place; `path` is for one that the service gave without.
pub fn of(folder: Folder, path: &str) -> FolderRef {
    FolderRef {
        path: folder.path.unwrap_or_else(|| path.to_owned()),
        id: Some(folder.id),
    }
}
