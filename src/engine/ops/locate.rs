//! Finds what is at a path or has an id, and what is in a folder that is known by its path.

use std::collections::HashSet;

use super::folder_lookup::FolderLookup;
use super::list::{self, ListMemory};
use super::perform::{OpContext, Perform};
use super::placement::TargetFolder;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{Folder, Stat};
use crate::api::paths::split;
use crate::api::{Client, Error, Kind};
use crate::engine::message::{Collection, Entry, FolderRef};
use crate::engine::question::{ListNames, Locate, Located};
use crate::engine::sending::IntoFolder;

pub async fn at(client: &Client, path: &str) -> Result<Located, Error> {
    if split(path).next().is_none() {
        return Ok(Located::Root);
    }
    let found = stat(client, path).await?;
    let entry = found
        .folder
        .map(Entry::Folder)
        .or(found.file.map(Entry::File));
    entry
        .map(Located::Entry)
        .ok_or_else(|| Error::new(Kind::NotFound, format!("There is nothing at {path}")))
}

/// Returns the entry at a path: letter by letter, or else with the accents of its names in another
/// form.
pub async fn stat(client: &Client, path: &str) -> Result<Stat, Error> {
    match client.files().stat(path).await {
        Err(missing) if missing.kind == Kind::NotFound => {
            Box::pin(in_another_form(client, path, missing)).await
        }
        found => found,
    }
}

/// Returns the folder at a path; a file there is ignored.
pub async fn folder_at(client: &Client, path: &str) -> Result<Folder, Error> {
    match client.folders().get_by_path(path).await {
        Err(missing) if missing.kind == Kind::NotFound => {
            let found = Box::pin(in_another_form(client, path, missing.clone())).await?;
            found.folder.ok_or(missing)
        }
        found => found,
    }
}

async fn in_another_form(client: &Client, path: &str, missing: Error) -> Result<Stat, Error> {
    let Some((above, name)) = path
        .trim_end_matches('/')
        .rsplit_once('/')
        .filter(|_| !path.is_ascii())
    else {
        return Err(missing);
    };
    let place = if above.is_empty() {
        FolderRef::root()
    } else {
        match folder_at(client, above).await {
            Ok(folder) => FolderRef {
                path: folder.path.unwrap_or_else(|| above.to_owned()),
                id: Some(folder.id),
            },
            Err(error) if error.kind == Kind::NotFound => return Err(missing),
            Err(error) => return Err(error),
        }
    };
    let lookup = FolderLookup::look(
        client,
        &ListMemory::default(),
        &place,
        &HashSet::from([name]),
    )
    .await?;
    lookup
        .names()
        .form_of(name)
        .map_err(|why| Error::new(Kind::Conflict, format!("{path}: {why}")))?;
    match (lookup.file(name).cloned(), lookup.folder(name).cloned()) {
        (None, None) => Err(missing),
        (file, folder) => Ok(Stat { file, folder }),
    }
}

/// Returns the same search with the paths that the account has for its folders. A folder that does
/// not exist is an error, so that a mistyped one is not taken for an empty one.
pub async fn with_paths_there(client: &Client, mut of: Collection) -> Result<Collection, Error> {
    if let Collection::Found(query) = &mut of {
        for path in query.folders_named() {
            let folder = folder_at(client, path)
                .await
                .map_err(|error| match error.kind {
                    Kind::NotFound => {
                        Error::new(Kind::NotFound, format!("There is no folder {path}"))
                    }
                    _ => error,
                })?;
            *path = folder.path.unwrap_or_else(|| path.clone());
        }
    }
    Ok(of)
}

/// Returns the file of an id, or else the folder: whoever has the id may not know which it is.
pub async fn by_id(client: &Client, id: &str) -> Result<Located, Error> {
    let (file, folder) = (FileId::new(id), FolderId::new(id));
    let (file, folder) = futures::join!(client.files().get(&file), client.folders().get(&folder));
    let is_none = |error: &Error| matches!(error.kind, Kind::NotFound | Kind::Invalid);
    match (file, folder) {
        (Ok(file), _) => Ok(Located::Entry(Entry::File(file))),
        (_, Ok(folder)) => Ok(Located::Entry(Entry::Folder(folder))),
        (Err(error), Err(_)) | (_, Err(error)) if !is_none(&error) => Err(error),
        _ => Err(Error::new(
            Kind::NotFound,
            "No file and no folder has this id, or the token may not see it",
        )),
    }
}

pub async fn folder(client: &Client, id: FolderId) -> Result<FolderRef, Error> {
    let folder = client.folders().get(&id).await?;
    let path = folder.path.unwrap_or_else(|| format!("id:{id}"));
    Ok(FolderRef { id: Some(id), path })
}

/// Returns the folder to put something into, and the path below it of folders that do not exist yet.
pub async fn into_folder(client: &Client, into: IntoFolder) -> Result<(FolderRef, String), Error> {
    match into {
        IntoFolder::Place(place) => Ok((place, String::new())),
        IntoFolder::Id(id) => Ok((folder(client, id).await?, String::new())),
        IntoFolder::Path(path) => nearest(client, &path).await,
    }
}

/// Returns the innermost existing folder on the way to a path, and the rest of the path. Fails if a
/// file is in the way.
pub async fn nearest(client: &Client, path: &str) -> Result<(FolderRef, String), Error> {
    let names: Vec<&str> = split(path).collect();
    for known in (0..=names.len()).rev() {
        let (above, below) = names.split_at(known);
        let above = format!("/{}", above.join("/"));
        let place = match at(client, &above).await {
            Ok(Located::Root) => FolderRef::root(),
            Ok(Located::Entry(Entry::Folder(folder))) => FolderRef {
                path: folder.path.unwrap_or(above),
                id: Some(folder.id),
            },
            Ok(_) => {
                return Err(Error::new(
                    Kind::Refused,
                    format!("{above} is a file, not a folder"),
                ));
            }
            Err(error) if error.kind == Kind::NotFound => continue,
            Err(error) => return Err(error),
        };
        return Ok((place, below.join("/")));
    }
    Ok((FolderRef::root(), names.join("/")))
}

/// Returns the names in the folder at a path: all folders, with a slash at their end, and the files
/// of the first page.
pub async fn names(client: &Client, memory: &ListMemory, path: &str) -> Result<Vec<String>, Error> {
    let place = match at(client, path).await? {
        Located::Root => FolderRef::root(),
        Located::Entry(Entry::Folder(folder)) => FolderRef {
            id: Some(folder.id),
            path: path.to_owned(),
        },
        Located::Entry(_) => {
            return Err(Error::new(
                Kind::NotFound,
                format!("{path} is not a folder"),
            ));
        }
    };
    let (folders, first) = futures::try_join!(
        list::folders(client, memory, &place),
        list::glance(client, memory, &place)
    )?;
    let mut names: Vec<String> = folders
        .iter()
        .map(|folder| folder.full_name() + "/")
        .collect();
    names.extend(first.entries.iter().filter_map(|entry| match entry {
        Entry::File(file) => Some(file.full_name()),
        Entry::Folder(_) => None,
    }));
    Ok(names)
}

impl Perform for Locate {
    async fn perform(self, context: &OpContext) -> Result<Located, Error> {
        match self {
            Self::Path(path) => at(&context.client, &path).await,
            Self::Id(id) => Box::pin(by_id(&context.client, &id)).await,
            Self::Folder(id) => Ok(Located::Entry(Entry::Folder(
                context.client.folders().get(&id).await?,
            ))),
        }
    }
}

impl Perform for ListNames {
    async fn perform(self, context: &OpContext) -> Result<Vec<String>, Error> {
        Box::pin(names(&context.client, &context.lists, &self.path)).await
    }
}
