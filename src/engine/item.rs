//! Files and folders as they are chosen, and folders as places.

use serde::{Deserialize, Serialize};

use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, Folder};
use crate::api::paths::join;
use crate::api::text::visible;

/// A folder as a place to list or to put things. The root folder has no id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FolderRef {
    pub id: Option<FolderId>,
    /// Absolute; `/` for the root folder.
    pub path: String,
}

impl FolderRef {
    pub fn root() -> Self {
        Self {
            id: None,
            path: "/".to_owned(),
        }
    }

    pub fn is_root(&self) -> bool {
        self.id.is_none()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Target {
    Folder(FolderId),
    File(FileId),
}

impl Target {
    pub fn file(&self) -> Option<&FileId> {
        if let Self::File(id) = self {
            Some(id)
        } else {
            None
        }
    }

    pub fn folder(&self) -> Option<&FolderId> {
        if let Self::Folder(id) = self {
            Some(id)
        } else {
            None
        }
    }

    pub fn id(&self) -> &str {
        match self {
            Self::Folder(id) => id.as_str(),
            Self::File(id) => id.as_str(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Entry {
    Folder(Folder),
    File(File),
}

impl Entry {
    pub fn id(&self) -> &str {
        match self {
            Self::Folder(folder) => folder.id.as_str(),
            Self::File(file) => file.id.as_str(),
        }
    }

    /// Returns the name as it is in a path: a folder's ends with a slash.
    pub fn name_in_path(&self) -> String {
        match self {
            Self::Folder(folder) => folder.full_name() + "/",
            Self::File(file) => file.full_name(),
        }
    }

    pub fn full_name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.full_name(),
            Self::File(file) => file.full_name(),
        }
    }

    pub(super) fn parent(&self) -> Option<&FolderId> {
        match self {
            Self::Folder(folder) => folder.parent_folder_id.as_ref(),
            Self::File(file) => file.parent_folder_id.as_ref(),
        }
    }

    /// Returns `true` if it is directly in a folder; `None` is the root folder.
    pub(super) fn is_in(&self, folder: Option<&FolderId>) -> bool {
        match self {
            Self::Folder(entry) => entry.is_in(folder),
            Self::File(entry) => entry.is_in(folder),
        }
    }

    pub fn target(&self) -> Target {
        match self {
            Self::Folder(folder) => Target::Folder(folder.id.clone()),
            Self::File(file) => Target::File(file.id.clone()),
        }
    }
}

/// A file or folder that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    pub target: Target,
    /// Absolute, as the service writes it.
    pub path: String,
    /// The name that the service gives it; a file's with its extension.
    pub name: String,
    /// In bytes; only of files, where the service gives it.
    pub size: Option<u64>,
    /// The MD5 of a file's content in lowercase hex, where the service gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
}

impl Item {
    pub fn of(file: &File) -> Self {
        let name = file.full_name();
        let path = file.path.clone().unwrap_or_else(|| join("/", &name));
        Self {
            target: Target::File(file.id.clone()),
            path,
            name,
            size: file.size,
            md5: file.file_md5.clone(),
        }
    }

    pub fn of_folder(folder: Folder) -> Self {
        let name = folder.full_name();
        Self {
            target: Target::Folder(folder.id),
            path: folder.path.unwrap_or_else(|| name.clone()),
            name,
            size: None,
            md5: None,
        }
    }
}

/// Describes the items, safe to show: `banner.png`, `3 files`, `1 folder and 2 files`.
pub fn what<'a>(items: impl IntoIterator<Item = &'a Item>) -> String {
    let items: Vec<&Item> = items.into_iter().collect();
    if let [item] = items.as_slice() {
        return visible(&item.name).into_owned();
    }
    let count =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let folders = items
        .iter()
        .filter(|item| matches!(item.target, Target::Folder(_)))
        .count();
    match (folders, items.len() - folders) {
        (0, files) => count(files, "file"),
        (folders, 0) => count(folders, "folder"),
        (folders, files) => format!("{} and {}", count(folders, "folder"), count(files, "file")),
    }
}
