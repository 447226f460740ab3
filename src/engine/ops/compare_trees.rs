//! Compares a folder of this machine or of another account with one of the account, or a part of
//! both: by size, then by MD5. Changes neither.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::pin::pin;

use futures::stream::{self, StreamExt as _};

use super::align_names::{AlignedTree, align, items};
use super::local_place::blocking;
use super::md5_sum::Md5Sum;
use super::remote_side::RemoteSide;
use super::scope::Scope;
use super::tree_here::TreeHere;
use crate::engine::ancestors::ancestors;
use crate::engine::folder_comparison::{
    ComparedEntry, EntryHere, FolderComparison, Likeness, RemoteEntry,
};
use crate::engine::left_out::Reason;
use crate::regular_file::{self, Links};

const READ_AT_ONCE: usize = 8;

pub async fn compare(here: TreeHere<'_>, there: &RemoteSide) -> FolderComparison {
    let mut aligned = align(here, there);
    let mut found = FolderComparison {
        account: here.account().map(str::to_owned),
        warnings: here.warnings().to_vec(),
        no_empty_folders: here.no_empty_folders(),
        own: std::mem::take(&mut aligned.own),
        ..FolderComparison::default()
    };
    let left_out = there.left_out.paths.iter();
    for (path, reason) in left_out.chain(&aligned.left_out.paths) {
        found.left_out.add(path.clone(), *reason);
    }
    found.entries = entries(here, &aligned, there);
    refuse(&mut found, here, &aligned, there);
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

fn entries(
    here: TreeHere<'_>,
    aligned: &AlignedTree,
    there: &RemoteSide,
) -> BTreeMap<String, ComparedEntry> {
    let mut entries = BTreeMap::new();
    let paths_there = there.files.keys().chain(there.folders.keys());
    let items_there = items(paths_there.map(String::as_str));
    let folders = aligned.folders.keys().chain(there.folders.keys());
    for path in folders.collect::<BTreeSet<_>>() {
        let remote = there.folders.get(path).map(|item| {
            let items = items_there.get(path.as_str()).copied();
            RemoteEntry::of_folder(item.clone(), items.unwrap_or_default())
        });
        let own = aligned.folders.get(path).cloned();
        entries.insert(path.clone(), not_read(true, own, remote));
    }
    let files = aligned.files.keys().chain(there.files.keys());
    for path in files.collect::<BTreeSet<_>>() {
        let remote = there.files.get(path).map(RemoteEntry::of_file);
        let own = aligned.files.get(path).cloned();
        entries.insert(path.clone(), not_read(false, own, remote));
    }
    for (path, _) in aligned.left_out.named() {
        let unknown = not_read(false, None, None);
        let entry = entries.entry(path.to_owned()).or_insert(unknown);
        entry.here = entry.here.take().or_else(|| here.unknown(path));
    }
    entries
}

/// Returns an entry whose content is not compared yet.
fn not_read(is_folder: bool, here: Option<EntryHere>, there: Option<RemoteEntry>) -> ComparedEntry {
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
fn refuse(
    found: &mut FolderComparison,
    here: TreeHere<'_>,
    aligned: &AlignedTree,
    there: &RemoteSide,
) {
    // An account can have a file and a folder of one name, so that one side suffices.
    let is_folder =
        |path: &&String| aligned.folders.contains_key(*path) || there.folders.contains_key(*path);
    let files = aligned.files.keys().chain(there.files.keys());
    let other_kinds = Scope::of(files.filter(is_folder).cloned());
    for (path, entry) in &mut found.entries {
        let why = match () {
            () if there.twins.contains(path) => {
                Some("several files of the account have this name here".to_owned())
            }
            () if here.has_twins(found.own.get(path).unwrap_or(path)) => {
                Some("several files of the source have this name here".to_owned())
            }
            () if other_kinds.holds(path) => Some("a file and a folder have this name".to_owned()),
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
            let here = entry.here.as_ref()?.disk()?;
            here.state?;
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

/// Compares the files of equal size by their MD5, where both sides have it.
async fn compare_content(found: &mut FolderComparison) {
    let mut alike = Vec::new();
    for (path, entry) in &mut found.entries {
        let is_alike = !entry.is_folder && entry.likeness == Likeness::Same;
        let (Some(here), Some(there)) = (&entry.here, &entry.there) else {
            continue;
        };
        if !is_alike || found.left_out.covers(path) {
            continue;
        }
        let remote_md5 = there.item.md5.as_deref().and_then(Md5Sum::from_hex);
        match (here, remote_md5) {
            (EntryHere::Disk(here), Some(remote_md5)) => {
                alike.push((path.clone(), here.local.clone(), remote_md5));
            }
            (EntryHere::Account(here), Some(remote_md5)) if here.item.md5.is_some() => {
                let own = here.item.md5.as_deref().and_then(Md5Sum::from_hex);
                if own != Some(remote_md5) {
                    entry.likeness = Likeness::Differs;
                }
            }
            _ => found.by_size += 1,
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
                if let Some(EntryHere::Disk(here)) = &mut entry.here {
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
