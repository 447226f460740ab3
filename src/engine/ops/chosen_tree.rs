//! The chosen files and folders of an account, with everything in the folders that the rules take:
//! by path below the folder that they are to go into.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::gitignore_rules::GitignoreRules;
use super::local_lookup::LocalLookup;
use super::local_place::joined;
use super::local_tree;
use super::placement::TargetFolder as _;
use super::remote_tree::{RemoteTree, TreeEntry, below};
use crate::api::model::File;
use crate::api::{Client, Error, Kind};
use crate::engine::folder_size::outermost;
use crate::engine::item::{Entry, Item};
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::message::Progress;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::tree_filter::{TreeFilter, TreeRules};

/// Nobody would look through more, and a plan for them would take too much memory.
const MOST_FILES: usize = 100_000;

/// The place that the chosen entries go into, and the rules for what is in folders.
pub(super) struct ChosenPlace<'a> {
    /// The path that everything comes below; may be empty.
    pub(super) above: &'a str,
    /// The name of the only one there; `None` for the account's own names.
    pub(super) name: Option<&'a str>,
    pub(super) rules: &'a TreeRules,
    /// The local folder whose `.gitignore` files the rules may name.
    pub(super) local: Option<&'a Path>,
}

#[derive(Default)]
pub(super) struct ChosenTree {
    /// The files as they were chosen, then those in folders by path.
    pub(super) files: Vec<(String, Item)>,
    /// All folders, the chosen ones first.
    pub(super) folders: Vec<String>,
    pub(super) empty: BTreeSet<String>,
    pub(super) left_out: LeftOut,
}

impl ChosenTree {
    /// Walks through the folders among the items, and reports the counts so far.
    pub(super) async fn walk(
        client: &Client,
        items: &[Item],
        place: ChosenPlace<'_>,
        report: &ProgressSink,
        mut item_of: impl FnMut(File) -> Item,
    ) -> Result<Self, Error> {
        let filter = TreeFilter::new(place.rules)?;
        let items = outermost(&items.iter().collect::<Vec<_>>());
        let only = place.name.filter(|_| items.len() == 1);
        let (mut tree, mut tops, mut ignored) = (Self::default(), Vec::new(), HashMap::new());
        for item in items {
            let path = below(place.above, only.unwrap_or(&item.name));
            let Some(id) = item.target.folder() else {
                tree.files.push((path, item.clone()));
                continue;
            };
            if let Some(local) = place.local.filter(|_| filter.gitignore) {
                ignored.insert(path.clone(), rules_in(local, &path, &filter).await?);
            }
            tops.push((id.clone(), path.clone()));
            tree.add_folder(path);
        }
        let first = tree.files.len();
        let mut bytes: u64 = tree.files.iter().filter_map(|(_, file)| file.size).sum();
        let mut walk = RemoteTree::below(client, tops);
        while let Some(found) = walk.next().await? {
            for TreeEntry { path, entry } in found {
                if let Some((folder, _)) = path.rsplit_once('/') {
                    tree.empty.remove(folder);
                }
                let within = path.strip_prefix(place.above).unwrap_or(&path);
                let (top, within) = within
                    .trim_start_matches('/')
                    .split_once('/')
                    .unwrap_or_default();
                let is_folder = matches!(entry, Entry::Folder(_));
                let is_ignored = |rules: &&GitignoreRules| rules.ignore(within, is_folder);
                let ignored = || ignored.get(top).filter(is_ignored).map(|_| Reason::Pattern);
                if let Some(reason) = filter.leaves_out(within, is_folder).or_else(ignored) {
                    tree.left_out.add(path, reason);
                    continue;
                }
                match entry {
                    Entry::Folder(_) => tree.add_folder(path),
                    Entry::File(file) => {
                        let outside = filter.bounds.leaves_out(file.size, file.updated_at);
                        if let Some(reason) = outside {
                            tree.left_out.add(path, reason);
                            continue;
                        }
                        bytes = bytes.saturating_add(file.size.unwrap_or(0));
                        tree.files.push((path, item_of(file)));
                    }
                }
            }
            let files = tree.files.len();
            if files > MOST_FILES {
                let message = format!(
                    "These are more than {MOST_FILES} files; choose their folders one by one"
                );
                return Err(Error::new(Kind::Refused, message));
            }
            report.report(Progress::Found { files, bytes });
        }
        if !filter.takes_empty_folders() {
            tree.empty.clear();
        }
        if let Some(in_folders) = tree.files.get_mut(first..) {
            in_folders.sort_by(|one, other| one.0.cmp(&other.0));
        }
        Ok(tree)
    }

    fn add_folder(&mut self, path: String) {
        self.empty.insert(path.clone());
        self.folders.push(path);
    }
}

/// Returns the rules in the `.gitignore` files of the local folder of a name, if it exists.
async fn rules_in(into: &Path, name: &str, filter: &TreeFilter) -> Result<GitignoreRules, Error> {
    let lookup = LocalLookup::look(into, &HashSet::from([name])).await?;
    let form = lookup.names().form_of(name).ok().flatten();
    let folder = joined(into, form.unwrap_or(name));
    if !tokio::fs::try_exists(&folder).await.unwrap_or(true) {
        return Ok(GitignoreRules::default());
    }
    Ok(local_tree::read(&folder, filter).await?.rules)
}
