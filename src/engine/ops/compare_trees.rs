//! Compares a folder of this machine with a folder of the account, at any depth: by size first, then by MD5. Reads both
//! and changes neither.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use futures::stream::{self, StreamExt as _};

use super::list::{self, ListMemory};
use super::local_tree::{self, LocalFile, LocalTree};
use super::md5_sum::Md5Sum;
use super::remote_tree::{RemoteTree, TreeEntry, below, on_disk};
use crate::api::model::File;
use crate::api::{Client, Error};
use crate::engine::item::{Entry, FolderRef, Item, Target};
use crate::engine::message::Sort;
use crate::engine::sync::{ComparedFile, ComparedTrees, FileDifference, SideFolders};
use crate::engine::tree_filter::TreeFilter;
use crate::regular_file::Links;

/// Files that are read at a time.
const READ_AT_ONCE: usize = 8;

/// Which names a path has on both sides: those of the account, or those that this machine's disk can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// As the account has them.
    Remote,
    /// Made safe for this machine's disk.
    OnDisk,
}

/// The account's side; where the folder is not there yet, it is empty.
#[derive(Debug, Default)]
struct RemoteSide {
    files: BTreeMap<String, File>,
    folders: BTreeMap<String, Item>,
    /// Paths that more than one file has.
    twins: BTreeSet<String>,
    filtered: usize,
    /// Folders that hold something which patterns and rules leave out.
    holding: BTreeSet<String>,
}

/// Compares the two. A folder that is not there yet is none.
pub async fn compare(
    client: &Client,
    local: Option<&Path>,
    remote: Option<&FolderRef>,
    filter: &TreeFilter,
    naming: Naming,
) -> Result<ComparedTrees, Error> {
    let here = match local {
        Some(folder) => local_tree::read(folder, filter).await?,
        None => LocalTree::default(),
    };
    let there = match remote {
        Some(folder) => read_remote(client, folder, filter, naming, &here).await?,
        None => RemoteSide::default(),
    };
    compared(here, there).await
}

async fn read_remote(
    client: &Client,
    folder: &FolderRef,
    filter: &TreeFilter,
    naming: Naming,
    here: &LocalTree,
) -> Result<RemoteSide, Error> {
    let mut side = RemoteSide::default();
    let mut take = |found: TreeEntry| {
        let path = if naming == Naming::OnDisk { on_disk(&found.path) } else { found.path };
        side.take(path, found.entry, filter, here);
    };
    let mut tops = Vec::new();
    if let Some(id) = &folder.id {
        tops.push((id.clone(), String::new()));
    } else {
        // The root folder cannot be asked for by an id.
        for entry in root_entries(client, folder).await? {
            let path = match &entry {
                Entry::Folder(folder) => below("", &folder.full_name()),
                Entry::File(file) => below("", &file.full_name()),
            };
            if let Entry::Folder(folder) = &entry {
                tops.push((folder.id.clone(), path.clone()));
            }
            take(TreeEntry { path, entry });
        }
    }
    let mut tree = RemoteTree::below(client, tops);
    while let Some(found) = tree.next().await? {
        found.into_iter().for_each(&mut take);
    }
    Ok(side)
}

async fn root_entries(client: &Client, root: &FolderRef) -> Result<Vec<Entry>, Error> {
    let (memory, of, mut entries, mut after) = (ListMemory::default(), root.clone().into(), Vec::new(), None);
    loop {
        let page = list::page(client, &memory, &of, Sort::default(), after).await?;
        entries.extend(page.entries);
        after = page.next;
        if after.is_none() {
            return Ok(entries);
        }
    }
}

impl RemoteSide {
    fn take(&mut self, path: String, entry: Entry, filter: &TreeFilter, here: &LocalTree) {
        let is_folder = matches!(entry, Entry::Folder(_));
        let is_taken = if is_folder { filter.takes_folder(&path) } else { filter.takes_file(&path) };
        if !is_taken || here.rules.ignore(&path, is_folder) {
            // What is in a folder that is left out does not count.
            let is_first = path
                .rsplit_once('/')
                .is_none_or(|(above, _)| filter.takes_folder(above) && !here.rules.ignore(above, true));
            self.filtered += usize::from(is_first);
            let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            self.holding.extend(above.map(str::to_owned));
            return;
        }
        match entry {
            Entry::Folder(folder) => {
                let name = folder.full_name();
                let shown = folder.path.unwrap_or_else(|| name.clone());
                let item = Item { target: Target::Folder(folder.id), path: shown, name, size: None };
                self.folders.insert(path, item);
            }
            Entry::File(file) => {
                if self.files.insert(path.clone(), file).is_some() {
                    self.twins.insert(path);
                }
            }
        }
    }
}

async fn compared(here: LocalTree, there: RemoteSide) -> Result<ComparedTrees, Error> {
    let mut trees = ComparedTrees {
        local_files: here.files.len(),
        remote_files: there.files.len(),
        filtered: here.filtered + there.filtered,
        local_folders: local_folders(&here, &there),
        remote_folders: remote_folders(&here, &there),
        ..ComparedTrees::default()
    };
    let left_out: BTreeSet<&str> = here.left_out.iter().map(|(path, _)| path.as_str()).collect();
    let (mut found, mut alike) = (Vec::new(), Vec::new());
    for (path, file) in &there.files {
        let clash = match () {
            () if there.twins.contains(path) => Some("several files of the account have this name here".to_owned()),
            () if here.folders.contains(path) => Some("a folder of this machine has this name".to_owned()),
            () if left_out.contains(path.as_str()) => Some("what has this name here is not compared".to_owned()),
            () => None,
        };
        let what = match (clash, here.files.get(path)) {
            (Some(why), _) => FileDifference::Clash(why),
            (None, None) => FileDifference::OnlyRemote(Item::of(file)),
            (None, Some(local)) if file.size == Some(local.size) => {
                alike.push((path, local, file));
                continue;
            }
            (None, Some(local)) => differs(local, file),
        };
        found.push(ComparedFile { path: path.clone(), what });
    }
    for (path, LocalFile { local, size }) in &here.files {
        let what = match () {
            () if there.files.contains_key(path) => continue,
            () if there.folders.contains_key(path) => {
                FileDifference::Clash("a folder of the account has this name".to_owned())
            }
            () => FileDifference::OnlyLocal { local: local.clone(), size: *size },
        };
        found.push(ComparedFile { path: path.clone(), what });
    }
    let looks = alike.into_iter().map(async |(path, local, file)| {
        let Some(told) = Md5Sum::told_of(file) else { return (path, local, file, None) };
        let own = Md5Sum::of_local(&local.local, Links::Refused).await;
        (path, local, file, Some(own.is_ok_and(|own| own == told)))
    });
    let mut looks = std::pin::pin!(stream::iter(looks).buffer_unordered(READ_AT_ONCE));
    while let Some((path, local, file, is_same)) = looks.next().await {
        match is_same {
            Some(false) => found.push(ComparedFile { path: path.clone(), what: differs(local, file) }),
            told => {
                trees.same += 1;
                trees.by_size += usize::from(told.is_none());
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    trees.files = found;
    trees.left_out = here.left_out;
    Ok(trees)
}

fn differs(local: &LocalFile, file: &File) -> FileDifference {
    FileDifference::Differs {
        local: local.local.clone(),
        size: local.size,
        remote: Item::of(file),
        md5: file.file_md5.clone(),
    }
}

fn local_folders(here: &LocalTree, there: &RemoteSide) -> SideFolders {
    let only_here = here.folders.iter().filter(|path| !there.folders.contains_key(*path));
    let paths = here.files.keys().chain(&here.folders).chain(here.left_out.iter().map(|(path, _)| path));
    SideFolders {
        only_here: only_here.map(|path| (path.clone(), None)).collect(),
        empty: empty(&here.folders.iter().collect(), paths),
        holding: BTreeSet::new(),
    }
}

fn remote_folders(here: &LocalTree, there: &RemoteSide) -> SideFolders {
    let only_here = there.folders.iter().filter(|(path, _)| !here.folders.contains(*path));
    SideFolders {
        only_here: only_here.map(|(path, item)| (path.clone(), Some(item.clone()))).collect(),
        empty: empty(&there.folders.keys().collect(), there.files.keys().chain(there.folders.keys())),
        holding: there.holding.clone(),
    }
}

/// The folders that none of the paths lies in.
fn empty<'a>(folders: &BTreeSet<&String>, paths: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    let parents: BTreeSet<&str> = paths.filter_map(|path| path.rsplit_once('/').map(|(above, _)| above)).collect();
    folders.iter().filter(|path| !parents.contains(path.as_str())).map(|path| (*path).clone()).collect()
}
