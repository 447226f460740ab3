//! Gives local files the paths that the account has for them: where the account has the same
//! accents in another form, and where an older version has saved a file under another name.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::case_fold::{TWINS, twins};
use super::local_tree::LocalTree;
use super::md5_sum::Md5Sum;
use super::remote_side::RemoteSide;
use super::scope::Scope;
use crate::api::text::visible;
use crate::engine::disk_name::{older_path, path_to_remote};
use crate::engine::name_form::composed;
use crate::regular_file::Links;

/// A local tree whose paths match those of the account.
pub(super) struct AlignedTree<'a> {
    pub(super) tree: Cow<'a, LocalTree>,
    /// The local paths, by aligned path, of the entries that were moved and of the folders above
    /// them.
    pub(super) own: BTreeMap<String, String>,
    /// Composed paths that differ from others of their side only in the form of their accents.
    twins: Scope,
    /// Files of the account, each with the local file that may be an older copy of it.
    older: BTreeMap<String, String>,
}

impl AlignedTree<'_> {
    /// Returns the reason not to compare the file at `path`, if there is one.
    pub(super) fn clash(&self, path: &str) -> Option<String> {
        if self.twins.holds(&composed(path)) {
            return Some(TWINS.to_owned());
        }
        let older = self.older.get(path)?;
        Some(format!(
            "{} may be a copy that an older version of filedeck named: rename or remove it",
            visible(older)
        ))
    }
}

/// Moves each local entry that the account has under another path to that path.
pub(super) async fn align<'a>(here: &'a LocalTree, there: &RemoteSide) -> AlignedTree<'a> {
    let forms = Forms::of(there);
    let own_paths = || here.files.keys().chain(&here.folders);
    let twins = clashing_forms(here, there);
    let all_paths = own_paths().chain(here.left_out.paths.keys());
    let forms_of = all_paths
        .map(|path| (path, forms.of_path(path)))
        .filter(|(path, form)| *path != form);
    let mut moved: BTreeMap<String, String> =
        forms_of.map(|(path, form)| (path.clone(), form)).collect();
    let (mut saved, mut older) = (BTreeMap::new(), BTreeMap::new());
    for (path, file) in there
        .files
        .iter()
        .filter(|(path, _)| !here.files.contains_key(*path))
    {
        let name = path_to_remote(&older_path(path));
        let Some(local) = here
            .files
            .get(&name)
            .filter(|_| name != *path && !there.files.contains_key(&name))
        else {
            continue;
        };
        let md5 = Md5Sum::told_of(file)
            .filter(|_| file.size == Some(local.state.size) && !moved.contains_key(&name));
        match md5 {
            Some(md5)
                if Md5Sum::of_local(&local.local, Links::Refused)
                    .await
                    .is_ok_and(|own| own == md5) =>
            {
                saved.insert(path.clone(), name.clone());
                moved.insert(name, path.clone());
            }
            _ => drop(older.insert(path.clone(), name)),
        }
    }
    let mut aligned = AlignedTree {
        tree: Cow::Borrowed(here),
        own: BTreeMap::new(),
        twins,
        older,
    };
    if !moved.is_empty() {
        aligned.take(&moved, &saved);
    }
    aligned
}

impl AlignedTree<'_> {
    /// Moves the entries of `moved`; `saved` holds older versions' files among them, by their paths
    /// in the account.
    fn take(&mut self, moved: &BTreeMap<String, String>, saved: &BTreeMap<String, String>) {
        let tree = self.tree.to_mut();
        let left_out = std::mem::take(&mut tree.left_out.paths);
        tree.left_out.paths = left_out
            .into_iter()
            .map(|(path, reason)| (moved.get(&path).cloned().unwrap_or(path), reason))
            .collect();
        for (path, to) in moved {
            if let Some(file) = tree.files.remove(path) {
                tree.files.insert(to.clone(), file);
            }
            if tree.folders.remove(path) {
                tree.folders.insert(to.clone());
            }
            self.own.insert(to.clone(), path.clone());
        }
        let mut left = BTreeSet::new();
        for (path, name) in saved {
            for (to, own) in folders_above(path)
                .zip(folders_above(name))
                .filter(|(to, own)| to != own)
            {
                left.insert(own);
                if tree.folders.insert(to.to_owned()) {
                    self.own.insert(to.to_owned(), own.to_owned());
                }
            }
        }
        for folder in left.into_iter().rev() {
            let inside = Scope::of([folder.to_owned()]);
            let is_empty = inside.within(&tree.files).next().is_none()
                && inside
                    .paths_within(&tree.folders)
                    .all(|path| path == folder)
                && !tree.left_out.paths.keys().any(|path| inside.holds(path));
            if is_empty {
                tree.folders.remove(folder);
            }
        }
    }
}

/// Returns the paths that this side has in two forms, and those that the account has in two forms
/// and this side in one.
fn clashing_forms(here: &LocalTree, there: &RemoteSide) -> Scope {
    let own_paths = || here.files.keys().chain(&here.folders).map(String::as_str);
    let forms_here: HashSet<Cow<'_, str>> = own_paths().map(composed).collect();
    let own_twins = twins(own_paths());
    let twins_there = twins(
        there
            .files
            .keys()
            .chain(there.folders.keys())
            .map(String::as_str),
    );
    let met = twins_there
        .paths()
        .filter(|path| forms_here.contains(path.as_str()));
    Scope::of(own_twins.paths().chain(met).cloned())
}

fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

/// The paths of the account that are not ASCII, by their composed form.
struct Forms<'a> {
    there: &'a RemoteSide,
    of: HashMap<Cow<'a, str>, &'a str>,
}

impl<'a> Forms<'a> {
    fn of(there: &'a RemoteSide) -> Self {
        let paths = there
            .files
            .keys()
            .chain(there.folders.keys())
            .filter(|path| !path.is_ascii());
        Self {
            there,
            of: paths.map(|path| (composed(path), path.as_str())).collect(),
        }
    }

    /// Returns the path as the account has it, or would have it.
    fn of_path(&self, path: &str) -> String {
        let is_there =
            || self.there.files.contains_key(path) || self.there.folders.contains_key(path);
        if path.is_ascii() || is_there() {
            return path.to_owned();
        }
        match (self.of.get(&composed(path)), path.rsplit_once('/')) {
            (Some(form), _) => (*form).to_owned(),
            (None, Some((above, name))) => format!("{}/{name}", self.of_path(above)),
            (None, None) => path.to_owned(),
        }
    }
}
