//! Walks folders of the account: each entry below them comes with its path from the top, with
//! slashes between names.

use std::collections::HashMap;

use super::walk::Walk;
use crate::api::ids::FolderId;
use crate::api::{Client, Error};
use crate::engine::message::Entry;

/// A file or folder, and its path in the tree: `2024/q3/logo.png`.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeEntry {
    pub path: String,
    pub entry: Entry,
}

pub struct RemoteTree<'a> {
    walk: Walk<'a>,
    paths: HashMap<FolderId, String>,
}

impl<'a> RemoteTree<'a> {
    /// Walks below these folders, none of which lies in another, each with its path in the tree;
    /// empty for the top.
    pub fn below(client: &'a Client, folders: Vec<(FolderId, String)>) -> Self {
        let ids: Vec<FolderId> = folders.iter().map(|(id, _)| id.clone()).collect();
        Self {
            walk: Walk::new(client, &ids, usize::MAX),
            paths: folders.into_iter().collect(),
        }
    }

    /// Returns the entries of the next response, a folder before what is in it; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<TreeEntry>>, Error> {
        let Some(entries) = self.walk.next().await? else {
            return Ok(None);
        };
        Ok(Some(
            entries
                .into_iter()
                .filter_map(|entry| self.placed(entry))
                .collect(),
        ))
    }

    fn placed(&mut self, entry: Entry) -> Option<TreeEntry> {
        let path = below(self.paths.get(entry.parent()?)?, &entry.full_name());
        if let Entry::Folder(folder) = &entry {
            self.paths.insert(folder.id.clone(), path.clone());
        }
        Some(TreeEntry { path, entry })
    }
}

/// Returns the path of a name in a folder of the tree. A name stays one name, whatever a service
/// has put into it.
pub fn below(folder: &str, name: &str) -> String {
    let name = name.replace('/', "\u{ff0f}");
    if folder.is_empty() {
        name
    } else {
        format!("{folder}/{name}")
    }
}
