//! The pages of the folders, or of the files, of a listing.

use crate::api::model::{File, Folder};
use crate::api::{Error, Pager, Position};
use crate::engine::message::{Entry, Stage};

#[derive(Debug)]
pub(super) enum EntryPager {
    Folders(Pager<Folder>),
    Files(Pager<File>),
}

impl EntryPager {
    pub(super) fn stage(&self) -> Stage {
        match self {
            Self::Folders(_) => Stage::Folders,
            Self::Files(_) => Stage::Files,
        }
    }

    pub(super) fn at(self, position: Option<Position>) -> Self {
        match self {
            Self::Folders(pager) => Self::Folders(pager.at(position)),
            Self::Files(pager) => Self::Files(pager.at(position)),
        }
    }

    pub(super) fn position(&self) -> Option<Position> {
        match self {
            Self::Folders(pager) => pager.position(),
            Self::Files(pager) => pager.position(),
        }
    }

    /// Returns the new entries of the next page; none at the end.
    pub(super) async fn next(&mut self) -> Result<Vec<Entry>, Error> {
        Ok(match self {
            Self::Folders(pager) => entries(pager.next().await?, Entry::Folder),
            Self::Files(pager) => entries(pager.next().await?, Entry::File),
        })
    }
}

fn entries<T>(page: Option<Vec<T>>, entry: fn(T) -> Entry) -> Vec<Entry> {
    page.into_iter().flatten().map(entry).collect()
}
