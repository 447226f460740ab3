//! A files pane: one folder of an account, with the tree around it.

use super::cursor_idle::CursorIdle;
use super::gallery::Gallery;
use super::history::{History, Visit};
use super::listing::Listing;
use super::previews::Previews;
use super::tree::Tree;
use crate::engine::message::{FolderRef, Sort};

#[derive(Debug, Clone)]
pub struct FilesPane {
    pub tree: Tree,
    pub listing: Listing,
    pub sort: Sort,
    pub cursor_idle: CursorIdle,
    pub previews: Previews,
    pub history: History,
    pub gallery: Gallery,
}

impl Default for FilesPane {
    /// Creates the pane of a root folder that was not read yet.
    fn default() -> Self {
        Self {
            tree: Tree::default(),
            listing: Listing::new(FolderRef::root().into(), Sort::default()),
            sort: Sort::default(),
            cursor_idle: CursorIdle::default(),
            previews: Previews::default(),
            history: History::default(),
            gallery: Gallery::default(),
        }
    }
}

impl FilesPane {
    pub fn visit(&self) -> Visit {
        Visit {
            of: self.listing.of.clone(),
            at: self.listing.current().map(|row| row.target.clone()),
        }
    }
}
