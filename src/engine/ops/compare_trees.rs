//! Compares a local folder with one of the account, or a part of both: by size, then by MD5.
//! Changes neither.

use std::collections::BTreeSet;
use std::path::PathBuf;

use futures::FutureExt as _;
use futures::stream::{self, StreamExt as _};

use super::align_names::align;
use super::local_place::blocking;
use super::local_tree::{LocalFile, LocalTree, empty};
use super::md5_sum::Md5Sum;
use super::remote_side::RemoteSide;
use super::scope::Scope;
use crate::api::model::File;
use crate::engine::ancestors::ancestors;
use crate::engine::item::Item;
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::seen_state::file_state;
use crate::engine::sync::{ComparedFile, ComparedTrees, FileDifference, SideFolders};
use crate::regular_file::{self, Links};

const READ_AT_ONCE: usize = 8;

pub async fn compare(here: &LocalTree, there: &RemoteSide) -> ComparedTrees {
    let mut aligned = align(here, there);
    let own = std::mem::take(&mut aligned.own);
    let here = &*aligned.tree;
    let mut trees = ComparedTrees {
        local_files: here.files.len(),
        remote_files: there.files.len(),
        warnings: here.warnings.clone(),
        own,
        ..ComparedTrees::default()
    };
    for (path, reason) in there.left_out.paths.iter().chain(&here.left_out.paths) {
        trees.left_out.add(path.clone(), *reason);
    }
    let (mut found, mut alike) = (Vec::new(), Vec::new());
    let remote_kinds = there
        .files
        .keys()
        .filter(|path| here.folders.contains(*path));
    let local_kinds = here
        .files
        .keys()
        .filter(|path| there.folders.contains_key(*path));
    let other_kinds = Scope::of(remote_kinds.chain(local_kinds).cloned());
    let clash = |path: &str| match () {
        () if there.twins.contains(path) => {
            Some("several files of the account have this name here".to_owned())
        }
        () if other_kinds.holds(path) => {
            Some("a file of one side has the name of a folder of the other".to_owned())
        }
        () => aligned.clash(path),
    };
    for (path, file) in there
        .files
        .iter()
        .filter(|(path, _)| !trees.left_out.covers(path))
    {
        let what = match (clash(path), here.files.get(path)) {
            (Some(why), _) => FileDifference::Clash(why),
            (None, None) => FileDifference::OnlyRemote {
                item: Item::of(file),
                state: file_state(file),
            },
            (None, Some(local)) if file.size == Some(local.state.size) => {
                alike.push((path, local, file));
                continue;
            }
            (None, Some(local)) => differs(local, file, None),
        };
        found.push(ComparedFile {
            path: path.clone(),
            what,
        });
    }
    for (path, LocalFile { local, state }) in &here.files {
        if trees.left_out.covers(path) {
            continue;
        }
        let what = match () {
            () if there.files.contains_key(path) => continue,
            () if let Some(why) = clash(path) => FileDifference::Clash(why),
            () => FileDifference::OnlyLocal {
                local: local.clone(),
                state: *state,
            },
        };
        found.push(ComparedFile {
            path: path.clone(),
            what,
        });
    }
    for path in unreadable(&found).await {
        trees.left_out.add(path, Reason::Unreadable);
    }
    let sums: Vec<_> = alike
        .into_iter()
        .map(|(path, local, file)| sum(path, local, file).boxed())
        .collect();
    let mut sums = std::pin::pin!(stream::iter(sums).buffer_unordered(READ_AT_ONCE));
    while let Some((path, local, file, sums)) = sums.next().await {
        match sums {
            ContentSums::Unreadable => trees.left_out.add(path.clone(), Reason::Unreadable),
            ContentSums::Both { own, remote } if own != remote => {
                found.push(ComparedFile {
                    path: path.clone(),
                    what: differs(local, file, Some(own)),
                });
            }
            sums => {
                trees.same += 1;
                trees.by_size += usize::from(sums == ContentSums::NotGiven);
            }
        }
    }
    trees.local_folders = local_folders(here, there, &trees.left_out);
    trees.remote_folders = remote_folders(here, there, &trees.left_out);
    for folders in [&mut trees.local_folders, &mut trees.remote_folders] {
        for (path, _) in folders
            .only_here
            .extract_if(.., |(path, _)| clash(path).is_some())
        {
            if let Some(why) = clash(&path).filter(|_| folders.empty.contains(&path)) {
                found.push(ComparedFile {
                    path,
                    what: FileDifference::Clash(why),
                });
            }
        }
    }
    found.retain(|file| !trees.left_out.covers(&file.path));
    found.sort_by(|one, other| one.path.cmp(&other.path));
    let clashes = found
        .iter()
        .filter(|file| matches!(file.what, FileDifference::Clash(_)));
    trees
        .remote_folders
        .holding
        .extend(clashes.flat_map(|file| ancestors(&file.path).map(str::to_owned)));
    trees.files = found;
    trees
}

/// Returns the paths of the local files that cannot be opened.
async fn unreadable(found: &[ComparedFile]) -> Vec<String> {
    let local = |file: &ComparedFile| match &file.what {
        FileDifference::OnlyLocal { local, .. } | FileDifference::Differs { local, .. } => {
            Some((file.path.clone(), local.clone()))
        }
        _ => None,
    };
    let files: Vec<(String, PathBuf)> = found.iter().filter_map(local).collect();
    let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    let is_unreadable =
        |(_, local): &(String, PathBuf)| regular_file::open(local, Links::Refused).is_err();
    let opened = blocking(move || {
        files
            .into_iter()
            .filter(is_unreadable)
            .map(|(path, _)| path)
            .collect()
    })
    .await;
    // If the check itself fails, no file is known to be readable.
    opened.unwrap_or(paths)
}

#[derive(PartialEq)]
enum ContentSums {
    Both {
        own: Md5Sum,
        remote: Md5Sum,
    },
    /// The service gave no checksum.
    NotGiven,
    Unreadable,
}

async fn sum<'a>(
    path: &'a String,
    local: &'a LocalFile,
    file: &'a File,
) -> (&'a String, &'a LocalFile, &'a File, ContentSums) {
    let sums = match Md5Sum::told_of(file) {
        None => ContentSums::NotGiven,
        Some(remote) => match Md5Sum::of_local(&local.local, Links::Refused).await {
            Ok(own) => ContentSums::Both { own, remote },
            Err(_) => ContentSums::Unreadable,
        },
    };
    (path, local, file, sums)
}

fn differs(local: &LocalFile, file: &File, own: Option<Md5Sum>) -> FileDifference {
    FileDifference::Differs {
        local: local.local.clone(),
        state: local.state,
        remote: Item::of(file),
        seen: file_state(file),
        own: own.map(|own| own.to_string()),
    }
}

fn local_folders(here: &LocalTree, there: &RemoteSide, left_out: &LeftOut) -> SideFolders {
    let only_here = here
        .folders
        .iter()
        .filter(|path| !there.folders.contains_key(*path) && !left_out.covers(path));
    SideFolders {
        only_here: only_here.map(|path| (path.clone(), None)).collect(),
        empty: here.empty_folders(),
        holding: BTreeSet::new(),
    }
}

fn remote_folders(here: &LocalTree, there: &RemoteSide, left_out: &LeftOut) -> SideFolders {
    let only_here = there
        .folders
        .iter()
        .filter(|(path, _)| !here.folders.contains(*path) && !left_out.covers(path));
    let folders = there.folders.keys().cloned().collect();
    let paths = there
        .files
        .keys()
        .chain(there.folders.keys())
        .chain(there.left_out.paths.keys());
    SideFolders {
        only_here: only_here
            .map(|(path, item)| (path.clone(), Some(item.clone())))
            .collect(),
        empty: if here.no_empty_folders {
            BTreeSet::new()
        } else {
            empty(&folders, paths)
        },
        holding: left_out.folders().into_iter().map(str::to_owned).collect(),
    }
}
