//! Makes the job that gives a file or folder another place or name. Plain data; nothing is
//! requested or changed here.

use std::path::Path;

use super::item::{FolderRef, Item, Target};
use super::job::Job;
use crate::api::model::FileUpdate;
use crate::api::{Error, Kind};

/// Moves `item` into a folder, under another name if one is given. Refused if that would change
/// nothing, put a folder into itself, or change the extension of a file.
pub fn relocation(item: &Item, into: &FolderRef, name: Option<&str>) -> Result<Job, Error> {
    let refused = |why: &str| Error::new(Kind::Refused, why);
    let parent = item
        .path
        .rsplit_once('/')
        .map_or("/", |(above, _)| if above.is_empty() { "/" } else { above });
    let moves = parent != into.path;
    let name = name.filter(|name| *name != item.name);
    if !moves && name.is_none() {
        return Err(refused("it is there already"));
    }
    match &item.target {
        Target::Folder(folder) => {
            let inside = format!("{}/", item.path.trim_end_matches('/'));
            if format!("{}/", into.path).starts_with(&inside) {
                return Err(refused("a folder cannot go into itself"));
            }
            let (name, parent) = (name.map(str::to_owned), moves.then(|| into.clone()));
            Ok(Job::UpdateFolder {
                folder: folder.clone(),
                from: item.path.clone(),
                name,
                parent,
                seen: None,
            })
        }
        Target::File(_) => {
            let Some(name) = name else {
                return Ok(Job::Move {
                    file: item.clone(),
                    into: into.clone(),
                    seen: None,
                });
            };
            if !has_extension_of(name, &item.name) {
                return Err(refused("the extension of a file cannot be changed"));
            }
            let update = FileUpdate {
                name: Path::new(name)
                    .file_stem()
                    .map(|stem| stem.to_string_lossy().into_owned()),
                parent_folder_id: into.id.clone().filter(|_| moves),
                parent_folder_path: (moves && into.is_root()).then(|| "/".to_owned()),
                ..FileUpdate::default()
            };
            Ok(Job::Change {
                file: item.clone(),
                update: Box::new(update),
                seen: None,
            })
        }
    }
}

/// Returns `true` if two names have the same extension, which a file keeps.
pub fn has_extension_of(name: &str, other: &str) -> bool {
    Path::new(name).extension() == Path::new(other).extension()
}
