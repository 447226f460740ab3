//! Compares a folder of this machine with a folder of the account, or the same part of both: by size first, then by MD5.
//! Changes neither.

use std::collections::BTreeSet;

use futures::FutureExt as _;
use futures::stream::{self, StreamExt as _};

use super::local_tree::{LocalFile, LocalTree};
use super::md5_sum::Md5Sum;
use super::remote_side::RemoteSide;
use crate::api::model::File;
use crate::engine::item::Item;
use crate::engine::sync::{ComparedFile, ComparedTrees, FileDifference, SideFolders};
use crate::regular_file::Links;

/// Files that are read at a time.
const READ_AT_ONCE: usize = 8;

/// Compares the two.
pub async fn compare(here: &LocalTree, there: &RemoteSide) -> ComparedTrees {
    let mut trees = ComparedTrees {
        local_files: here.files.len(),
        remote_files: there.files.len(),
        filtered: here.filtered + there.filtered,
        local_folders: local_folders(here, there),
        remote_folders: remote_folders(here, there),
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
            (None, Some(local)) => differs(local, file, None),
        };
        found.push(ComparedFile { path: path.clone(), what });
    }
    for (path, LocalFile { local, size, modified }) in &here.files {
        let what = match () {
            () if there.files.contains_key(path) => continue,
            () if there.folders.contains_key(path) => {
                FileDifference::Clash("a folder of the account has this name".to_owned())
            }
            () => {
                let seen = modified.and_then(|time| time.try_into().ok());
                FileDifference::OnlyLocal { local: local.clone(), size: *size, seen }
            }
        };
        found.push(ComparedFile { path: path.clone(), what });
    }
    let looks: Vec<_> = alike.into_iter().map(|(path, local, file)| look(path, local, file).boxed()).collect();
    let mut looks = std::pin::pin!(stream::iter(looks).buffer_unordered(READ_AT_ONCE));
    while let Some((path, local, file, is_same)) = looks.next().await {
        match is_same {
            Some((false, own)) => found.push(ComparedFile { path: path.clone(), what: differs(local, file, own) }),
            told => {
                trees.same += 1;
                trees.by_size += usize::from(told.is_none());
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    trees.files = found;
    trees.left_out.clone_from(&here.left_out);
    trees
}

/// Whether files of one size are the same, and the MD5 of the local one; none where the service gave no MD5.
async fn look<'a>(
    path: &'a String,
    local: &'a LocalFile,
    file: &'a File,
) -> (&'a String, &'a LocalFile, &'a File, Option<(bool, Option<Md5Sum>)>) {
    let Some(told) = Md5Sum::told_of(file) else { return (path, local, file, None) };
    let own = Md5Sum::of_local(&local.local, Links::Refused).await.ok();
    (path, local, file, Some((own == Some(told), own)))
}

fn differs(local: &LocalFile, file: &File, own: Option<Md5Sum>) -> FileDifference {
    FileDifference::Differs {
        local: local.local.clone(),
        size: local.size,
        remote: Item::of(file),
        md5: file.file_md5.clone(),
        own: own.map(|own| own.to_string()),
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
