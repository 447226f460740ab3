//! What a remote path or id refers to.

use std::fmt;

use super::remote::RemoteArgument;
use crate::api::ids::{FileId, FolderId};
use crate::api::model::{File, Folder};
use crate::api::{Client, Error, Kind};
use crate::engine::message::FolderRef;

#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    /// Has no object of its own.
    Root,
    Folder(Folder),
    File(Box<File>),
}

/// Looks it up. An id is tried as a file's, then as a folder's.
pub async fn locate(client: &Client, remote: &RemoteArgument) -> Result<Located, Error> {
    match remote {
        RemoteArgument::Path(path) if path.is_root() => Ok(Located::Root),
        RemoteArgument::Path(path) => {
            let found = client.stat(path.as_str()).await?;
            match (found.file, found.folder) {
                (Some(file), _) if !path.means_folder() => Ok(Located::File(Box::new(file))),
                (_, Some(folder)) => Ok(Located::Folder(folder)),
                // A file and a folder may have the same path, and then the service describes the file.
                (Some(_), None) => match client.folder_by_path(path.as_str()).await {
                    Err(error) if error.kind == Kind::NotFound => {
                        Err(Error::new(Kind::NotFound, "it is a file, not a folder"))
                    }
                    folder => folder.map(Located::Folder),
                },
                (None, None) => Err(Error::new(Kind::Decode, "the service found neither a file nor a folder")),
            }
        }
        RemoteArgument::Id(id) => match client.file(&FileId::new(id)).await {
            Ok(file) => Ok(Located::File(Box::new(file))),
            Err(error) if error.kind == Kind::NotFound => {
                // The folder's own error names the id as well, and the file's says no more.
                client.folder(&FolderId::new(id)).await.map(Located::Folder)
            }
            Err(error) => Err(error),
        },
    }
}

impl Located {
    /// The folder as a place to list or to put things; none for a file.
    pub fn into_place(self) -> Option<FolderRef> {
        match self {
            Self::Root => Some(FolderRef::root()),
            Self::Folder(folder) => {
                let path = folder.path.unwrap_or_default();
                Some(FolderRef { id: Some(folder.id), path })
            }
            Self::File(_) => None,
        }
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("/"),
            Self::Folder(folder) => match &folder.path {
                Some(path) => write!(f, "{path}/"),
                None => write!(f, "{}/", folder.full_name()),
            },
            Self::File(file) => f.write_str(&file_path(file)),
        }
    }
}

/// The path of a file; its name where the service gave no path.
pub fn file_path(file: &File) -> String {
    file.path.clone().unwrap_or_else(|| file.full_name())
}
