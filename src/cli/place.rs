//! Folders that a command puts items into, created if missing.

use crate::api::{Client, Error, Kind};
use crate::engine::message::FolderRef;
use crate::engine::ops::{edit, locate};

pub async fn find_or_create(client: &Client, path: &str) -> Result<FolderRef, Error> {
    if path == "/" {
        return Ok(FolderRef::root());
    }
    let folder = match locate::folder_at(client, path).await {
        Err(error) if error.kind == Kind::NotFound => {
            match edit::create_folder(client, &FolderRef::root(), path, false).await {
                // Someone else has created it in the meantime.
                Err(error) if error.kind == Kind::Conflict => {
                    client.folders().get_by_path(path).await?
                }
                made => made?,
            }
        }
        found => found?,
    };
    Ok(FolderRef {
        path: folder.path.unwrap_or_else(|| path.to_owned()),
        id: Some(folder.id),
    })
}
