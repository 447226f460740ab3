//! The first side of a comparison: a folder of this machine, or of an account that files are copied
//! from.

use super::local_tree::LocalTree;
use super::remote_side::RemoteSide;
use crate::engine::disk_name::path_to_disk;
use crate::engine::folder_comparison::{DiskEntry, EntryHere, RemoteEntry};
use crate::engine::left_out::LeftOut;

#[derive(Debug, Clone, Copy)]
pub enum TreeHere<'a> {
    Disk(&'a LocalTree),
    /// The account by its name in the journal.
    Account(&'a str, &'a RemoteSide),
}

impl<'a> TreeHere<'a> {
    pub(super) fn account(self) -> Option<&'a str> {
        match self {
            Self::Disk(_) => None,
            Self::Account(account, _) => Some(account),
        }
    }

    pub fn left_out(self) -> &'a LeftOut {
        match self {
            Self::Disk(tree) => &tree.left_out,
            Self::Account(_, side) => &side.left_out,
        }
    }

    pub(super) fn no_empty_folders(self) -> bool {
        match self {
            Self::Disk(tree) => tree.no_empty_folders,
            Self::Account(_, side) => side.no_empty_folders,
        }
    }

    pub(super) fn warnings(self) -> &'a [String] {
        match self {
            Self::Disk(tree) => &tree.warnings,
            Self::Account(..) => &[],
        }
    }

    /// Returns `true` for a path that several files have.
    pub(super) fn has_twins(self, path: &str) -> bool {
        matches!(self, Self::Account(_, side) if side.twins.contains(path))
    }

    pub(super) fn folder_paths(self) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        match self {
            Self::Disk(tree) => Box::new(tree.folders.iter().map(String::as_str)),
            Self::Account(_, side) => Box::new(side.folders.keys().map(String::as_str)),
        }
    }

    /// Returns the files with their paths.
    pub(super) fn files(self) -> Vec<(&'a str, EntryHere)> {
        match self {
            Self::Disk(tree) => {
                let files = tree.files.iter().map(|(path, file)| {
                    let entry = DiskEntry {
                        local: file.local.clone(),
                        state: Some(file.state),
                        items: 0,
                        md5: None,
                    };
                    (path.as_str(), EntryHere::Disk(entry))
                });
                files.collect()
            }
            Self::Account(_, side) => {
                let files = side.files.iter().map(|(path, file)| {
                    let entry = EntryHere::Account(Box::new(RemoteEntry::of_file(file)));
                    (path.as_str(), entry)
                });
                files.collect()
            }
        }
    }

    /// Returns the folders with their paths, each with as many items as `items_of` counts in it.
    pub(super) fn folders(self, items_of: impl Fn(&str) -> usize) -> Vec<(&'a str, EntryHere)> {
        match self {
            Self::Disk(tree) => {
                let folders = tree.folders.iter().map(|path| {
                    let own = path_to_disk(path).unwrap_or_default();
                    let entry = DiskEntry {
                        local: tree.top.join(own),
                        state: None,
                        items: items_of(path),
                        md5: None,
                    };
                    (path.as_str(), EntryHere::Disk(entry))
                });
                folders.collect()
            }
            Self::Account(_, side) => {
                let folders = side.folders.iter().map(|(path, item)| {
                    let entry = RemoteEntry::of_folder(item.clone(), items_of(path));
                    (path.as_str(), EntryHere::Account(Box::new(entry)))
                });
                folders.collect()
            }
        }
    }

    /// Returns an entry for what was left out, of which nothing but its path is known.
    pub(super) fn unknown(self, path: &str) -> Option<EntryHere> {
        match self {
            Self::Disk(tree) => Some(EntryHere::Disk(DiskEntry {
                local: tree.top.join(path),
                state: None,
                items: 0,
                md5: None,
            })),
            Self::Account(..) => None,
        }
    }
}
