//! A folder of an account with everything below it by path, read for a comparison.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt as _;

use super::gitignore_rules::GitignoreRules;
use super::list;
use super::remote_tree::{RemoteTree, TreeEntry, below};
use super::scope::Scope;
use crate::api::ids::FolderId;
use crate::api::model::File;
use crate::api::{Client, Error};
use crate::engine::item::{Entry, FolderRef, Item};
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::message::{Outcome, Sort};
use crate::engine::name_form::composed;
use crate::engine::tree_filter::TreeFilter;

/// The account's side; empty if the folder does not exist yet.
#[derive(Debug, Default)]
pub struct RemoteSide {
    pub files: BTreeMap<String, File>,
    pub folders: BTreeMap<String, Item>,
    /// Paths that several files have.
    pub twins: BTreeSet<String>,
    /// Entries left out by the rules of both sides.
    pub left_out: LeftOut,
    /// Set if folders exist only for the files in them.
    pub no_empty_folders: bool,
}

/// Reads a folder of the account. `rules` are those of the other side.
pub async fn read(
    client: &Client,
    folder: &FolderRef,
    filter: &TreeFilter,
    rules: &GitignoreRules,
) -> Result<RemoteSide, Error> {
    let mut side = RemoteSide {
        no_empty_folders: !filter.takes_empty_folders(),
        ..RemoteSide::default()
    };
    let mut add = |found: TreeEntry| side.take(found.path, found.entry, filter, rules);
    let mut tops = Vec::new();
    if let Some(id) = &folder.id {
        tops.push((id.clone(), String::new()));
    } else {
        // The root folder has no id to request it by.
        let of = folder.clone().into();
        let entries: Vec<Entry> = list::pages(client, &of, Sort::default())
            .try_concat()
            .await?;
        for entry in entries {
            let path = below("", &entry.full_name());
            if let Entry::Folder(folder) = &entry {
                tops.push((folder.id.clone(), path.clone()));
            }
            add(TreeEntry { path, entry });
        }
    }
    let mut tree = RemoteTree::below(client, tops);
    while let Some(found) = tree.next().await? {
        found.into_iter().for_each(&mut add);
    }
    Ok(side)
}

impl RemoteSide {
    /// Returns all in a scope, or that would be there by another form of accents.
    #[must_use]
    pub fn part(&self, scope: &Scope) -> Self {
        let composed_scope = Scope::of(scope.paths().map(|path| composed(path).into_owned()));
        let is_meant = |path: &&String| composed_scope.holds(&composed(path));
        let paths = self
            .files
            .keys()
            .chain(self.folders.keys())
            .filter(is_meant);
        let scope = &Scope::of(scope.paths().chain(paths).cloned());
        let folders = scope
            .within(&self.folders)
            .map(|(path, item)| (path.clone(), item.clone()))
            .collect();
        Self {
            files: scope
                .within(&self.files)
                .map(|(path, file)| (path.clone(), file.clone()))
                .collect(),
            folders,
            twins: scope.paths_within(&self.twins).cloned().collect(),
            left_out: LeftOut {
                paths: scope
                    .within(&self.left_out.paths)
                    .map(|(path, reason)| (path.clone(), *reason))
                    .collect(),
            },
            no_empty_folders: self.no_empty_folders,
        }
    }

    fn take(&mut self, path: String, entry: Entry, filter: &TreeFilter, rules: &GitignoreRules) {
        let is_folder = matches!(entry, Entry::Folder(_));
        let ignored = || rules.ignore(&path, is_folder).then_some(Reason::Pattern);
        if let Some(reason) = filter.leaves_out(&path, is_folder).or_else(ignored) {
            self.left_out.add(path, reason);
            return;
        }
        match entry {
            Entry::Folder(folder) => drop(self.folders.insert(path, Item::of_folder(folder))),
            Entry::File(file) => {
                if self.files.insert(path.clone(), file).is_some() {
                    self.twins.insert(path);
                }
            }
        }
    }
}

impl RemoteSide {
    /// Returns the ids of the files and folders in a folder, at any depth; the empty path is the top.
    pub fn ids_in(&self, folder: &str) -> BTreeSet<String> {
        let scope = if folder.is_empty() {
            Scope::whole()
        } else {
            Scope::of([folder.to_owned()])
        };
        let files = scope.within(&self.files).map(|(_, file)| file.id.as_str());
        let folders = scope
            .within(&self.folders)
            .filter(|(path, _)| *path != folder)
            .map(|(_, item)| item.target.id());
        files.chain(folders).map(str::to_owned).collect()
    }

    /// Returns a folder by path; the empty path is `top`, which this side was read from.
    pub fn place(&self, path: &str, top: &FolderRef) -> Option<FolderRef> {
        if path.is_empty() {
            return Some(top.clone());
        }
        let item = self.folders.get(path)?;
        Some(FolderRef {
            id: item.target.folder().cloned(),
            path: item.path.clone(),
        })
    }

    /// Takes over what a job has made of its path. Requests new folders above it, which an upload's
    /// response lacks.
    pub async fn learn(
        &mut self,
        client: &Client,
        path: &str,
        from: Option<&str>,
        made: Outcome,
    ) -> Result<(), Error> {
        let (path, from) = (
            path.trim_end_matches('/'),
            from.map(|from| from.trim_end_matches('/')),
        );
        let above = path.rsplit_once('/').map_or("", |(above, _)| above);
        if let Some(from) = from {
            self.rename(from, path);
        }
        match made {
            Outcome::Uploaded { file, twins } => {
                let parent = file.parent_folder_id.clone();
                for file in twins.into_iter().chain([*file]) {
                    self.files.insert(below(above, &file.full_name()), file);
                }
                self.learn_folders(client, above, parent).await
            }
            Outcome::Present(file) | Outcome::Replaced(file) | Outcome::FileUpdated(file) => {
                let parent = file.parent_folder_id.clone();
                self.files.insert(path.to_owned(), *file);
                self.learn_folders(client, above, parent).await
            }
            Outcome::FolderCreated(folder) | Outcome::FolderUpdated(folder) => {
                let parent = folder.parent_folder_id.clone();
                let new = Item::of_folder(folder);
                let old = self.folders.insert(path.to_owned(), new.clone());
                if let Some(old) = old.filter(|_| from.is_some()) {
                    self.set_paths(path, &old.path, &new.path);
                }
                self.learn_folders(client, above, parent).await
            }
            Outcome::Deleted { .. } => {
                self.remove(path);
                Ok(())
            }
            Outcome::Downloaded { .. }
            | Outcome::LocalFolderCreated(_)
            | Outcome::LocalFileDeleted(_)
            | Outcome::Imported(_) => Ok(()),
        }
    }

    /// Requests the folders on the way that are not known, innermost first.
    async fn learn_folders(
        &mut self,
        client: &Client,
        path: &str,
        id: Option<FolderId>,
    ) -> Result<(), Error> {
        let (mut path, mut id) = (path, id);
        while let (false, Some(unknown)) = (path.is_empty() || self.folders.contains_key(path), &id)
        {
            let folder = client.folders().get(unknown).await?;
            id.clone_from(&folder.parent_folder_id);
            self.folders
                .insert(path.to_owned(), Item::of_folder(folder));
            path = path.rsplit_once('/').map_or("", |(above, _)| above);
        }
        Ok(())
    }

    fn remove(&mut self, path: &str) {
        let scope = Scope::of([path.to_owned()]);
        scope.take(&mut self.files);
        scope.take(&mut self.folders);
        scope.take_paths(&mut self.twins);
        scope.take(&mut self.left_out.paths);
    }

    fn rename(&mut self, from: &str, to: &str) {
        let scope = Scope::of([from.to_owned()]);
        let renamed = |path: String| {
            path.strip_prefix(from)
                .map(|rest| format!("{to}{rest}"))
                .unwrap_or(path)
        };
        let (files, folders) = (scope.take(&mut self.files), scope.take(&mut self.folders));
        self.files
            .extend(files.into_iter().map(|(path, file)| (renamed(path), file)));
        self.folders.extend(
            folders
                .into_iter()
                .map(|(path, item)| (renamed(path), item)),
        );
    }

    /// Changes the paths that the account has for everything below a folder, as follows from the
    /// folder's.
    fn set_paths(&mut self, folder: &str, from: &str, to: &str) {
        let follow = |path: &mut String| {
            if let Some(rest) = path.strip_prefix(from) {
                *path = format!("{to}{rest}");
            }
        };
        let (from, to) = (format!("{folder}/"), format!("{folder}0"));
        self.files
            .range_mut(from.clone()..to.clone())
            .filter_map(|(_, file)| file.path.as_mut())
            .for_each(follow);
        self.folders
            .range_mut(from..to)
            .for_each(|(_, item)| follow(&mut item.path));
    }
}
