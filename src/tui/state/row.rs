//! One row of the list: a file or a folder, ready to be shown.

use std::borrow::Cow;

use crate::api::model::{Access, File};
use crate::api::paths::join;
use crate::api::text::visible;
use crate::engine::message::{Entry, Place, Target};
use crate::engine::{Item, OpId};

/// A file or folder in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub target: Target,
    pub entry: Entry,
    /// Safe to show; a file's name with its extension, a folder's without a slash.
    pub name: String,
    pub state: RowState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    Normal,
    /// An operation is changing, moving or deleting it.
    Busy(OpId),
}

impl Row {
    pub fn new(entry: Entry) -> Self {
        let (target, name) = match &entry {
            Entry::Folder(folder) => (Target::Folder(folder.id.clone()), folder.full_name()),
            Entry::File(file) => (Target::File(file.id.clone()), file.full_name()),
        };
        let name = match visible(&name) {
            Cow::Borrowed(_) => name,
            Cow::Owned(safe) => safe,
        };
        Self { target, entry, name, state: RowState::Normal }
    }

    pub fn file(&self) -> Option<&File> {
        match &self.entry {
            Entry::File(file) => Some(file),
            Entry::Folder(_) => None,
        }
    }

    /// The place that a folder's row leads to; `inside` is where the row stands.
    pub fn place(&self, inside: &Place) -> Option<Place> {
        match &self.entry {
            Entry::Folder(folder) => Some(Place {
                id: Some(folder.id.clone()),
                path: folder.path.clone().unwrap_or_else(|| join(&inside.path, &folder.full_name())),
            }),
            Entry::File(_) => None,
        }
    }

    /// Absolute path, as the service writes it; not yet safe to show.
    pub fn path(&self, inside: &Place) -> String {
        let (path, name) = match &self.entry {
            Entry::Folder(folder) => (&folder.path, folder.full_name()),
            Entry::File(file) => (&file.path, file.full_name()),
        };
        path.clone().unwrap_or_else(|| join(&inside.path, &name))
    }

    /// The row as what jobs work on; `inside` is where it stands.
    pub fn item(&self, inside: &Place) -> Item {
        let name = match &self.entry {
            Entry::Folder(folder) => folder.full_name(),
            Entry::File(file) => file.full_name(),
        };
        let size = self.file().and_then(|file| file.size);
        Item { target: self.target.clone(), path: self.path(inside), name, size }
    }

    pub fn access(&self) -> Option<&Access> {
        self.file()?.access.as_ref()
    }

    pub fn is_busy(&self) -> bool {
        self.state != RowState::Normal
    }
}

/// The path of the folder above; `/` for what stands in the root folder, none for the root folder itself.
pub fn parent_path(path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    let (parent, _) = path.rsplit_once('/')?;
    Some(if parent.is_empty() { "/".to_owned() } else { parent.to_owned() })
}

/// The last part of a path; empty for the root folder.
pub fn last_part(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// The new path of what stands at or below `from`, which is now `to`; none for what stands elsewhere.
pub fn moved(path: &str, from: &str, to: &str) -> Option<String> {
    let rest = path.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(format!("{to}{rest}"))
}
