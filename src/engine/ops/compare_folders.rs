//! Compares a folder of this machine with one of the account. Reads both, and changes neither.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::align_names::align;
use super::compare_trees::compare;
use super::local_tree::{self, LocalFile, LocalTree};
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::remote_side::{self, RemoteSide};
use crate::api::Error;
use crate::api::model::File;
use crate::engine::ancestors::ancestors;
use crate::engine::folder_comparison::{
    ComparedEntry, EntryHere, EntryThere, FolderComparison, Likeness,
};
use crate::engine::item::Item;
use crate::engine::question::{CompareFolders, SumLocalFile};
use crate::engine::seen_state::LocalState;
use crate::engine::sync::{ComparedTrees, FileDifference};
use crate::engine::tree_filter::{TreeFilter, TreeRules};
use crate::regular_file::Links;

impl Perform for CompareFolders {
    async fn perform(self, context: &OpContext) -> Result<Box<FolderComparison>, Error> {
        let exclude = if self.with_hidden {
            Vec::new()
        } else {
            vec![".*".to_owned()]
        };
        let filter = TreeFilter::new(&TreeRules {
            exclude,
            ..TreeRules::default()
        })?;
        let here = local_tree::read(&self.local, &filter).await?;
        let there = Box::pin(remote_side::read(
            &context.client,
            &self.remote,
            &filter,
            &here.rules,
        ))
        .await?;
        let aligned = align(&here, &there);
        let (here, own) = (aligned.tree, aligned.own);
        let trees = ComparedTrees {
            own,
            ..Box::pin(compare(&here, &there)).await
        };
        let entries = entries(&self, &here, &there, &trees);
        Ok(Box::new(FolderComparison { entries, trees }))
    }
}

impl Perform for SumLocalFile {
    async fn perform(self, _: &OpContext) -> Result<String, Error> {
        Md5Sum::of_local(&self.path, Links::Refused)
            .await
            .map(|sum| sum.to_string())
    }
}

fn entries(
    asked: &CompareFolders,
    here: &LocalTree,
    there: &RemoteSide,
    trees: &ComparedTrees,
) -> BTreeMap<String, ComparedEntry> {
    let mut entries = BTreeMap::new();
    let items_here = items(here.files.keys().chain(&here.folders));
    let items_there = items(there.files.keys().chain(there.folders.keys()));
    let folders: BTreeSet<&String> = here.folders.iter().chain(there.folders.keys()).collect();
    for path in folders {
        let count = |items: &HashMap<&str, usize>| items.get(path.as_str()).copied().unwrap_or(0);
        let local = here.folders.contains(path).then(|| EntryHere {
            local: asked.local.join(trees.path_here(path).unwrap_or_default()),
            size: None,
            items: count(&items_here),
            updated_at: None,
            md5: None,
        });
        let remote = there.folders.get(path).map(|item| EntryThere {
            item: item.clone(),
            items: count(&items_there),
            updated_at: None,
            md5: None,
            access: None,
        });
        let likeness = match (&local, &remote) {
            (Some(_), None) => Likeness::OnlyHere,
            (None, _) => Likeness::OnlyThere,
            (Some(_), Some(_)) => Likeness::Same,
        };
        entries.insert(
            path.clone(),
            ComparedEntry {
                is_folder: true,
                here: local,
                there: remote,
                likeness,
            },
        );
    }
    let differences: HashMap<&str, &FileDifference> = trees
        .files
        .iter()
        .map(|file| (file.path.as_str(), &file.what))
        .collect();
    let files: BTreeSet<&String> = here.files.keys().chain(there.files.keys()).collect();
    for path in files {
        let difference = differences.get(path.as_str()).copied();
        let (local, remote) = (here.files.get(path), there.files.get(path));
        let mut local = local.map(|file| local_entry(file, difference));
        if let (Some(local), Some(remote), None) = (&mut local, remote, difference) {
            // Both have the same content.
            local.md5.clone_from(&remote.file_md5);
        }
        let entry = ComparedEntry {
            is_folder: false,
            here: local,
            there: remote.map(remote_entry),
            likeness: likeness(difference),
        };
        entries.insert(path.clone(), entry);
    }
    for (path, _) in here.left_out.named() {
        let local = EntryHere {
            local: asked.local.join(path),
            size: None,
            items: 0,
            updated_at: None,
            md5: None,
        };
        let unknown = ComparedEntry {
            is_folder: false,
            here: None,
            there: None,
            likeness: Likeness::OnlyHere,
        };
        entries
            .entry(path.to_owned())
            .or_insert(unknown)
            .here
            .get_or_insert(local);
    }
    for (path, entry) in &mut entries {
        if let Some(reason) = trees.left_out.reason(path) {
            entry.likeness = Likeness::Refused(reason.to_string());
        }
    }
    let differing: BTreeSet<String> = entries
        .iter()
        .filter(|(_, entry)| entry.likeness != Likeness::Same)
        .flat_map(|(path, _)| ancestors(path).map(str::to_owned))
        .collect();
    for path in differing {
        if let Some(folder) = entries
            .get_mut(&path)
            .filter(|folder| folder.likeness == Likeness::Same)
        {
            folder.likeness = Likeness::Differs;
        }
    }
    entries
}

fn items<'a>(paths: impl Iterator<Item = &'a String>) -> HashMap<&'a str, usize> {
    let mut items = HashMap::new();
    for folder in paths.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)) {
        *items.entry(folder).or_default() += 1;
    }
    items
}

fn likeness(difference: Option<&FileDifference>) -> Likeness {
    match difference {
        None => Likeness::Same,
        Some(FileDifference::OnlyLocal { .. }) => Likeness::OnlyHere,
        Some(FileDifference::OnlyRemote { .. }) => Likeness::OnlyThere,
        Some(FileDifference::Differs { .. }) => Likeness::Differs,
        Some(FileDifference::Clash(why)) => Likeness::Refused(why.clone()),
    }
}

fn local_entry(file: &LocalFile, difference: Option<&FileDifference>) -> EntryHere {
    let md5 = if let Some(FileDifference::Differs { own, .. }) = difference {
        own.clone()
    } else {
        None
    };
    let LocalState { size, modified, .. } = file.state;
    EntryHere {
        local: file.local.clone(),
        size: Some(size),
        items: 0,
        updated_at: modified,
        md5,
    }
}

fn remote_entry(file: &File) -> EntryThere {
    EntryThere {
        item: Item::of(file),
        items: 0,
        updated_at: file.updated_at,
        md5: file.file_md5.clone(),
        access: file.access.clone(),
    }
}
