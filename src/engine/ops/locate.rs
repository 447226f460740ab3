//! What stands at a path, or has an id, and what is in a folder that is known by its path.

use super::list::{self, ListMemory};
use crate::api::ids::{FileId, FolderId};
use crate::api::paths::split;
use crate::api::{Client, Error, Kind};
use crate::engine::message::{Entry, FolderRef, Outcome};

/// What stands at an absolute path.
pub async fn at(client: &Client, path: &str) -> Result<Outcome, Error> {
    if split(path).next().is_none() {
        return Ok(Outcome::LocatedRoot);
    }
    let found = client.stat(path).await?;
    let entry = found.folder.map(Entry::Folder).or(found.file.map(Entry::File));
    entry.map(Outcome::Located).ok_or_else(|| Error::new(Kind::NotFound, format!("There is nothing at {path}")))
}

/// The file of an id, or else the folder: who has the id need not know of what it is.
pub async fn by_id(client: &Client, id: &str) -> Result<Outcome, Error> {
    let (file, folder) = (FileId::new(id), FolderId::new(id));
    let (file, folder) = futures::join!(client.file(&file), client.folder(&folder));
    let is_none = |error: &Error| matches!(error.kind, Kind::NotFound | Kind::Invalid);
    match (file, folder) {
        (Ok(file), _) => Ok(Outcome::Located(Entry::File(file))),
        (_, Ok(folder)) => Ok(Outcome::Located(Entry::Folder(folder))),
        (Err(error), Err(_)) | (_, Err(error)) if !is_none(&error) => Err(error),
        _ => Err(Error::new(Kind::NotFound, "No file and no folder has this id, or the token may not see it")),
    }
}

/// The innermost folder on the way to a path that is there, and the rest of the path; none if all of it is. Fails where a
/// file stands on the way.
pub async fn nearest(client: &Client, path: &str) -> Result<(FolderRef, String), Error> {
    let names: Vec<&str> = split(path).collect();
    for known in (0..=names.len()).rev() {
        let (above, below) = names.split_at(known);
        let above = format!("/{}", above.join("/"));
        let place = match at(client, &above).await {
            Ok(Outcome::LocatedRoot) => FolderRef::root(),
            Ok(Outcome::Located(Entry::Folder(folder))) => FolderRef { id: Some(folder.id), path: above },
            Ok(_) => return Err(Error::new(Kind::Refused, format!("{above} is a file, no folder"))),
            Err(error) if error.kind == Kind::NotFound => continue,
            Err(error) => return Err(error),
        };
        return Ok((place, below.join("/")));
    }
    Ok((FolderRef::root(), names.join("/")))
}

/// The names in the folder at a path: all folders, which end with a slash, and the files of the first page.
pub async fn names(client: &Client, memory: &ListMemory, path: &str) -> Result<Vec<String>, Error> {
    let place = match at(client, path).await? {
        Outcome::LocatedRoot => FolderRef::root(),
        Outcome::Located(Entry::Folder(folder)) => FolderRef { id: Some(folder.id), path: path.to_owned() },
        _ => return Err(Error::new(Kind::NotFound, format!("{path} is no folder"))),
    };
    let (folders, first) =
        futures::try_join!(list::folders(client, memory, &place), list::glance(client, memory, &place))?;
    let mut names: Vec<String> = folders.iter().map(|folder| folder.full_name() + "/").collect();
    names.extend(first.entries.iter().filter_map(|entry| match entry {
        Entry::File(file) => Some(file.full_name()),
        Entry::Folder(_) => None,
    }));
    Ok(names)
}
