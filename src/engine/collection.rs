//! What a list is of: a folder, or what a search has found.

use std::sync::LazyLock;

use super::item::{Entry, FolderRef};
use super::paging::Stage;
use super::query::Query;
use crate::api::ids::FolderId;

/// What a list is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collection {
    Folder(FolderRef),
    Found(Query),
}

static ROOT: LazyLock<FolderRef> = LazyLock::new(FolderRef::root);

impl Collection {
    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&FolderRef> {
        if let Self::Folder(place) = self { Some(place) } else { None }
    }

    pub fn query(&self) -> Option<&Query> {
        if let Self::Found(query) = self { Some(query) } else { None }
    }

    /// The folder that its entries are told from: of a search, whose entries are anywhere, the root folder.
    pub fn base(&self) -> &FolderRef {
        self.folder().unwrap_or(&ROOT)
    }

    /// A folder's path, or a search's name; not yet safe to show.
    pub fn title(&self) -> &str {
        match self {
            Self::Folder(place) => &place.path,
            Self::Found(query) => query.title(),
        }
    }

    /// Whether it is the folder of this id; none is the root folder's.
    pub fn is_folder(&self, id: Option<&FolderId>) -> bool {
        self.folder().is_some_and(|place| place.id.as_ref() == id)
    }

    /// Whether an entry, which may be new, belongs to it. What is there more than once is known after a read of all
    /// files only.
    pub fn gains(&self, entry: &Entry) -> bool {
        match (self, entry) {
            (Self::Folder(place), Entry::File(file)) => file.parent_folder_id == place.id,
            (Self::Folder(place), Entry::Folder(folder)) => folder.parent_folder_id == place.id,
            (Self::Found(query), entry) => !query.is_for_duplicates() && query.holds(entry),
        }
    }

    /// Whether it has to be read whole before anything of it is known.
    pub fn is_read_whole(&self) -> bool {
        self.query().is_some_and(Query::is_for_duplicates)
    }

    /// Whether it can have entries of this sort.
    pub fn reaches(&self, stage: Stage) -> bool {
        self.query().is_none_or(|query| query.reaches(stage))
    }
}

impl From<FolderRef> for Collection {
    fn from(place: FolderRef) -> Self {
        Self::Folder(place)
    }
}
