//! Gives local files and folders the paths that the account has for them, where it has the same
//! accents in another form.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::case_fold::{TWINS, twins};
use super::local_tree::LocalTree;
use super::remote_side::RemoteSide;
use super::scope::Scope;
use crate::engine::name_form::composed;

/// A local tree whose paths match those of the account.
pub(super) struct AlignedTree<'a> {
    pub(super) tree: Cow<'a, LocalTree>,
    /// The local paths, by aligned path, of the entries that were moved.
    pub(super) own: BTreeMap<String, String>,
    /// Composed paths that differ from others of their side only in the form of their accents.
    twins: Scope,
}

impl AlignedTree<'_> {
    /// Returns the reason not to compare the file at `path`, if there is one.
    pub(super) fn clash(&self, path: &str) -> Option<String> {
        self.twins.holds(&composed(path)).then(|| TWINS.to_owned())
    }
}

/// Moves each local entry that the account has under another path to that path.
pub(super) fn align<'a>(here: &'a LocalTree, there: &RemoteSide) -> AlignedTree<'a> {
    let forms = Forms::of(there);
    let own_paths = here.files.keys().chain(&here.folders);
    let moved: Vec<(String, String)> = own_paths
        .chain(here.left_out.paths.keys())
        .map(|path| (path.clone(), forms.of_path(path)))
        .filter(|(path, form)| path != form)
        .collect();
    let mut aligned = AlignedTree {
        tree: Cow::Borrowed(here),
        own: BTreeMap::new(),
        twins: clashing_forms(here, there),
    };
    for (path, form) in moved {
        let tree = aligned.tree.to_mut();
        if let Some(reason) = tree.left_out.paths.remove(&path) {
            tree.left_out.paths.insert(form.clone(), reason);
        }
        if let Some(file) = tree.files.remove(&path) {
            tree.files.insert(form.clone(), file);
        }
        if tree.folders.remove(&path) {
            tree.folders.insert(form.clone());
        }
        aligned.own.insert(form, path);
    }
    aligned
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
