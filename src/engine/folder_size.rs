//! The number and size of the files in folders, at any depth.

use std::collections::{BTreeMap, HashSet};

use super::ancestors::ancestors;
use super::item::{Item, Target};
use crate::api::ids::FolderId;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FolderSize {
    pub files: usize,
    /// The bytes of those whose size is known.
    pub bytes: u64,
    /// Set if there is no more.
    pub is_all: bool,
}

/// The sizes of some folders, none of which lies in another.
pub type FolderSizes = BTreeMap<FolderId, FolderSize>;

/// Returns the items that lie in no folder among them: the size of that folder includes the others.
pub fn outermost<'a>(items: &[&'a Item]) -> Vec<&'a Item> {
    let is_folder = |item: &&&Item| matches!(item.target, Target::Folder(_));
    let folders: HashSet<&str> = items
        .iter()
        .filter(is_folder)
        .map(|item| path(item))
        .collect();
    let lies_in_one = |item: &Item| {
        let mut above = ancestors(path(item));
        above.any(|above| folders.contains(above))
    };
    items
        .iter()
        .copied()
        .filter(|item| !lies_in_one(item))
        .collect()
}

fn path(item: &Item) -> &str {
    item.path.trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ids::FileId;

    #[test]
    fn what_lies_in_a_folder_among_them_is_left_out() {
        let item = |target, path: &str| Item {
            target,
            path: path.to_owned(),
            name: String::new(),
            size: None,
            md5: None,
        };
        let folder = |path: &str| item(Target::Folder(FolderId::new(path)), path);
        let file = |path: &str| item(Target::File(FileId::new(path)), path);
        let items = [
            folder("/a/"),
            folder("/a/b/c"),
            folder("/ab"),
            file("/a/b/1.txt"),
            file("/2.txt"),
            file("/a.txt"),
        ];
        let left: Vec<&str> = outermost(&items.iter().collect::<Vec<_>>())
            .iter()
            .map(|item| item.path.as_str())
            .collect();
        assert_eq!(left, ["/a/", "/ab", "/2.txt", "/a.txt"]);
    }
}
