//! The subject of a list: a folder, or the results of a search.

use std::sync::LazyLock;

use super::item::{Entry, FolderRef};
use super::paging::Stage;
use super::query::Query;
use crate::api::ids::FolderId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collection {
    Folder(FolderRef),
    Found(Query),
}

static ROOT: LazyLock<FolderRef> = LazyLock::new(FolderRef::root);

impl Collection {
    pub fn folder(&self) -> Option<&FolderRef> {
        if let Self::Folder(place) = self {
            Some(place)
        } else {
            None
        }
    }

    pub fn query(&self) -> Option<&Query> {
        if let Self::Found(query) = self {
            Some(query)
        } else {
            None
        }
    }

    /// Returns the folder that its rows refer to: for a search, whose entries are anywhere, the
    /// root folder.
    pub fn base(&self) -> &FolderRef {
        self.folder().unwrap_or(&ROOT)
    }

    /// Returns a folder's path, or a search's name; not yet safe to show.
    pub fn title(&self) -> &str {
        match self {
            Self::Folder(place) => &place.path,
            Self::Found(query) => query.title(),
        }
    }

    /// Returns `true` if it is the folder with this id; the root folder has none.
    pub fn is_folder(&self, id: Option<&FolderId>) -> bool {
        self.folder().is_some_and(|place| place.id.as_ref() == id)
    }

    /// Returns `true` if a perhaps new entry belongs to it. Duplicates are known only after a read
    /// of all files.
    pub fn gains(&self, entry: &Entry) -> bool {
        match (self, entry) {
            (Self::Folder(place), Entry::File(file)) => file.parent_folder_id == place.id,
            (Self::Folder(place), Entry::Folder(folder)) => folder.parent_folder_id == place.id,
            (Self::Found(query), entry) => !query.is_for_duplicates() && query.holds(entry),
        }
    }

    /// Returns `true` if it has to be read whole before anything of it is known.
    pub fn is_read_whole(&self) -> bool {
        self.query().is_some_and(Query::is_for_duplicates)
    }

    pub fn reaches(&self, stage: Stage) -> bool {
        self.query().is_none_or(|query| query.reaches(stage))
    }
}

impl From<FolderRef> for Collection {
    fn from(place: FolderRef) -> Self {
        Self::Folder(place)
    }
}
