//! Changes that are complete with their response: new folders, and deletion.

use super::locate::folder_at;
use super::lost_upload;
use crate::api::model::{CreateFolder, Folder};
use crate::api::paths::{join, split};
use crate::api::{Client, DeletionAnswer, Error, Kind};
use crate::engine::item::Item;
use crate::engine::message::{FolderRef, Target};

/// Creates a folder under `parent`, and for `a/b/c` the missing ones above it; returns the
/// innermost one. Fails if that already exists, unless it is `in_doubt` whether an earlier run has
/// created it.
pub async fn create_folder(
    client: &Client,
    parent: &FolderRef,
    name: &str,
    in_doubt: bool,
) -> Result<Folder, Error> {
    let client = &client.with_call_budget();
    let names: Vec<_> = split(name).collect();
    let Some((last, above)) = names.split_last() else {
        return Err(Error::new(Kind::Refused, "A folder needs a name"));
    };
    let mut place = parent.clone();
    for name in above {
        let path = join(&place.path, name);
        let folder = match folder_at(client, &path).await {
            Err(error) if error.kind == Kind::NotFound => {
                create_or_find(client, &place, name).await?
            }
            found => found?,
        };
        place = FolderRef {
            path: folder.path.unwrap_or(path),
            id: Some(folder.id),
        };
    }
    if in_doubt {
        create_or_find(client, &place, last).await
    } else {
        create(client, &place, last).await
    }
}

/// A folder that uploads go into.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensured {
    pub place: FolderRef,
    /// Set if just created, so that it is empty.
    pub is_new: bool,
}

/// Returns the folder of that name under `parent`; creates it if there is none.
pub async fn ensure_folder(
    client: &Client,
    parent: &Ensured,
    name: &str,
) -> Result<Ensured, Error> {
    let client = &client.with_call_budget();
    let path = join(&parent.place.path, name);
    // A new folder holds nothing to look for.
    if !parent.is_new {
        match client.folders().get_by_path(&path).await {
            Ok(folder) => {
                return Ok(Ensured {
                    place: FolderRef {
                        id: Some(folder.id),
                        path,
                    },
                    is_new: false,
                });
            }
            Err(error) if error.kind == Kind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    match create(client, &parent.place, name).await {
        Ok(folder) => Ok(Ensured {
            place: FolderRef {
                id: Some(folder.id),
                path,
            },
            is_new: true,
        }),
        Err(error) if error.kind == Kind::Conflict => {
            let folder = found(client, &path, error).await?;
            Ok(Ensured {
                place: FolderRef {
                    id: Some(folder.id),
                    path,
                },
                is_new: false,
            })
        }
        Err(error) => Err(error),
    }
}

async fn create_or_find(client: &Client, parent: &FolderRef, name: &str) -> Result<Folder, Error> {
    match create(client, parent, name).await {
        Err(error) if error.kind == Kind::Conflict => {
            found(client, &join(&parent.path, name), error).await
        }
        made => made,
    }
}

/// Returns the folder that caused the conflict.
async fn found(client: &Client, path: &str, conflict: Error) -> Result<Folder, Error> {
    match client.folders().get_by_path(path).await {
        // The name may be that of a file.
        Err(missing) if missing.kind == Kind::NotFound => Err(conflict),
        found => found,
    }
}

/// Creates one folder. After a lost response, it looks for the folder for a while before it tries
/// again.
async fn create(client: &Client, parent: &FolderRef, name: &str) -> Result<Folder, Error> {
    let folder = CreateFolder {
        name: name.to_owned(),
        parent_folder_id: parent.id.clone(),
        ..CreateFolder::default()
    };
    let error = match client.folders().create(&folder).await {
        Err(error) if error.in_doubt => error,
        answer => return answer,
    };
    let path = join(&parent.path, name);
    for wait in lost_upload::waits(client.timing().settle) {
        tokio::time::sleep(wait).await;
        match client.folders().get_by_path(&path).await {
            Err(missing) if missing.kind == Kind::NotFound => {}
            Err(_) => return Err(error.or_it(MAY_BE_MADE)),
            found => return found,
        }
    }
    match client.folders().create(&folder).await {
        // The first attempt succeeded in the meantime.
        Err(error) if error.kind == Kind::Conflict => client.folders().get_by_path(&path).await,
        answer => answer.map_err(|error| error.or_it(MAY_BE_MADE)),
    }
}

const MAY_BE_MADE: &str = "may have been created: check before you create it again";

/// Deletes a file or a folder; only files can be deleted permanently. With `in_doubt`, an earlier
/// run may have deleted it, so that a response that nothing is there counts as success. Returns the
/// answer to a permanent deletion.
pub async fn delete(
    client: &Client,
    item: &Item,
    permanent: bool,
    in_doubt: bool,
) -> Result<Option<DeletionAnswer>, Error> {
    let deleted = match &item.target {
        Target::Folder(_) if permanent => Err(Error::new(
            Kind::Refused,
            "Only files can be deleted permanently; delete the files in the folder first",
        )),
        Target::Folder(id) => client.folders().delete(id).await.map(|()| None),
        Target::File(id) if permanent => client.files().erase(id).await.map(Some),
        Target::File(id) => client.files().delete(id).await.map(|()| None),
    };
    match deleted {
        Err(error) if in_doubt && error.kind == Kind::NotFound => {
            Ok(permanent.then(|| DeletionAnswer::missing(error)))
        }
        deleted => {
            deleted.map_err(|error| error.or_it("may be deleted: check before you delete it again"))
        }
    }
}
