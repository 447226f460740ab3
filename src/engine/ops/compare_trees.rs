//! Compares a local folder with one of the account, or a part of both: by size, then by MD5.
//! Changes neither.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::pin::pin;

use futures::stream::{self, StreamExt as _};

use super::align_names::{AlignedTree, align};
use super::local_place::blocking;
use super::local_tree::LocalTree;
use super::md5_sum::Md5Sum;
use super::remote_side::RemoteSide;
use super::scope::Scope;
use crate::engine::ancestors::ancestors;
use crate::engine::folder_comparison::{
    ComparedEntry, EntryHere, EntryThere, FolderComparison, Likeness,
};
use crate::engine::left_out::Reason;
use crate::regular_file::{self, Links};

const READ_AT_ONCE: usize = 8;

pub async fn compare(here: &LocalTree, there: &RemoteSide) -> FolderComparison {
    let mut aligned = align(here, there);
    let own = std::mem::take(&mut aligned.own);
    let here = &*aligned.tree;
    let mut found = FolderComparison {
        warnings: here.warnings.clone(),
        no_empty_folders: here.no_empty_folders,
        own,
        ..FolderComparison::default()
    };
    for (path, reason) in there.left_out.paths.iter().chain(&here.left_out.paths) {
        found.left_out.add(path.clone(), *reason);
    }
    add_folders(&mut found, here, there);
    add_files(&mut found, here, there);
    refuse(&mut found, &aligned, there);
    for path in unreadable(&found).await {
        found.left_out.add(path, Reason::Unreadable);
    }
    compare_content(&mut found).await;
    for (path, entry) in &mut found.entries {
        if let Some(reason) = found.left_out.reason(path) {
            entry.likeness = Likeness::Refused(reason.to_string());
        }
    }
    let differing: BTreeSet<String> = found
        .entries
        .iter()
        .filter(|(_, entry)| entry.likeness != Likeness::Same)
        .flat_map(|(path, _)| ancestors(path).map(str::to_owned))
        .collect();
    for path in differing {
        if let Some(folder) = found.entries.get_mut(&path)
            && folder.likeness == Likeness::Same
        {
            folder.likeness = Likeness::Differs;
        }
    }
    found
}

fn add_folders(found: &mut FolderComparison, here: &LocalTree, there: &RemoteSide) {
    let items_here = items(here.files.keys().chain(&here.folders));
    let items_there = items(there.files.keys().chain(there.folders.keys()));
    let folders: BTreeSet<&String> = here.folders.iter().chain(there.folders.keys()).collect();
    for path in folders {
        let count = |items: &HashMap<&str, usize>| items.get(path.as_str()).copied().unwrap_or(0);
        let local = here.folders.contains(path).then(|| EntryHere {
            local: here.top.join(found.path_here(path).unwrap_or_default()),
            state: None,
            items: count(&items_here),
            md5: None,
        });
        let remote = there.folders.get(path).map(|item| EntryThere {
            item: item.clone(),
            state: None,
            items: count(&items_there),
            updated_at: None,
            access: None,
        });
        found
            .entries
            .insert(path.clone(), not_read(true, local, remote));
    }
}

fn add_files(found: &mut FolderComparison, here: &LocalTree, there: &RemoteSide) {
    let files: BTreeSet<&String> = here.files.keys().chain(there.files.keys()).collect();
    for path in files {
        let local = here.files.get(path).map(|file| EntryHere {
            local: file.local.clone(),
            state: Some(file.state),
            items: 0,
            md5: None,
        });
        let remote = there.files.get(path).map(EntryThere::of_file);
        found
            .entries
            .insert(path.clone(), not_read(false, local, remote));
    }
    for (path, _) in here.left_out.named() {
        let unknown = not_read(false, None, None);
        let entry = found.entries.entry(path.to_owned()).or_insert(unknown);
        entry.here.get_or_insert_with(|| EntryHere {
            local: here.top.join(path),
            state: None,
            items: 0,
            md5: None,
        });
    }
}

fn items<'a>(paths: impl Iterator<Item = &'a String>) -> HashMap<&'a str, usize> {
    let mut items = HashMap::new();
    for folder in paths.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)) {
        *items.entry(folder).or_default() += 1;
    }
    items
}

/// Returns an entry whose content is not compared yet.
fn not_read(is_folder: bool, here: Option<EntryHere>, there: Option<EntryThere>) -> ComparedEntry {
    let likeness = match (&here, &there) {
        (Some(_), None) => Likeness::OnlyHere,
        (None, _) => Likeness::OnlyThere,
        (Some(here), Some(there)) if here.size() == there.item.size => Likeness::Same,
        (Some(_), Some(_)) => Likeness::Differs,
    };
    ComparedEntry {
        is_folder,
        here,
        there,
        likeness,
    }
}

/// Refuses what cannot be compared: names that several things have.
fn refuse(found: &mut FolderComparison, aligned: &AlignedTree<'_>, there: &RemoteSide) {
    let here = &*aligned.tree;
    let remote_kinds = there
        .files
        .keys()
        .filter(|path| here.folders.contains(*path));
    let local_kinds = here
        .files
        .keys()
        .filter(|path| there.folders.contains_key(*path));
    let other_kinds = Scope::of(remote_kinds.chain(local_kinds).cloned());
    for (path, entry) in &mut found.entries {
        let why = match () {
            () if there.twins.contains(path) => {
                Some("several files of the account have this name here".to_owned())
            }
            () if other_kinds.holds(path) => {
                Some("a file of one side has the name of a folder of the other".to_owned())
            }
            () => aligned.clash(path),
        };
        if let Some(why) = why {
            entry.likeness = Likeness::Refused(why);
        }
    }
}

/// Returns the paths of the local files that cannot be opened, of those that would be sent or
/// replaced.
async fn unreadable(found: &FolderComparison) -> Vec<String> {
    let files: Vec<(String, PathBuf)> = found
        .entries
        .iter()
        .filter(|(_, entry)| matches!(entry.likeness, Likeness::OnlyHere | Likeness::Differs))
        .filter(|(path, _)| !found.left_out.covers(path))
        .filter_map(|(path, entry)| {
            let here = entry.here.as_ref().filter(|here| here.state.is_some())?;
            Some((path.clone(), here.local.clone()))
        })
        .collect();
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

/// Compares the files of equal size by their MD5, where the service gives it.
async fn compare_content(found: &mut FolderComparison) {
    let mut alike = Vec::new();
    for (path, entry) in &found.entries {
        let is_alike = !entry.is_folder && entry.likeness == Likeness::Same;
        if let (Some(here), Some(there)) = (&entry.here, &entry.there)
            && is_alike
            && !found.left_out.covers(path)
        {
            match there.item.md5.as_deref().and_then(Md5Sum::from_hex) {
                Some(remote_md5) => alike.push((path.clone(), here.local.clone(), remote_md5)),
                None => found.by_size += 1,
            }
        }
    }
    let sums = alike.into_iter().map(async |(path, local, remote_md5)| {
        let own = Md5Sum::of_local(&local, Links::Refused).await;
        (path, own, remote_md5)
    });
    let mut sums = pin!(stream::iter(sums).buffer_unordered(READ_AT_ONCE));
    while let Some((path, own, remote_md5)) = sums.next().await {
        match (own, found.entries.get_mut(&path)) {
            (Ok(own), Some(entry)) => {
                if let Some(here) = &mut entry.here {
                    here.md5 = Some(own.to_string());
                }
                if own != remote_md5 {
                    entry.likeness = Likeness::Differs;
                }
            }
            _ => found.left_out.add(path, Reason::Unreadable),
        }
    }
}
