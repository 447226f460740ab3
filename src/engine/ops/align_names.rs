//! Gives files and folders of the first side the paths that the account has for them, where it has
//! the same accents in another form.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::case_fold::{TWINS, twins};
use super::remote_side::RemoteSide;
use super::scope::Scope;
use super::tree_here::TreeHere;
use crate::engine::folder_comparison::EntryHere;
use crate::engine::left_out::LeftOut;
use crate::engine::name_form::composed;

/// The first side with paths that match those of the account.
pub(super) struct AlignedTree {
    pub(super) files: BTreeMap<String, EntryHere>,
    pub(super) folders: BTreeMap<String, EntryHere>,
    pub(super) left_out: LeftOut,
    /// The own paths, by aligned path, of the entries that were moved.
    pub(super) own: BTreeMap<String, String>,
    /// Composed paths that differ from others of their side only in the form of their accents.
    twins: Scope,
}

impl AlignedTree {
    /// Returns the reason not to compare the file at `path`, if there is one.
    pub(super) fn clash(&self, path: &str) -> Option<String> {
        self.twins.holds(&composed(path)).then(|| TWINS.to_owned())
    }
}

/// Moves each entry of the first side that the account has under another path to that path.
pub(super) fn align(here: TreeHere<'_>, there: &RemoteSide) -> AlignedTree {
    let (forms, files) = (Forms::of(there), here.files());
    let items = items(
        files
            .iter()
            .map(|(path, _)| *path)
            .chain(here.folder_paths()),
    );
    let folders = here.folders(|path| items.get(path).copied().unwrap_or_default());
    let paths = || files.iter().chain(&folders).map(|(path, _)| *path);
    let mut aligned = AlignedTree {
        files: BTreeMap::new(),
        folders: BTreeMap::new(),
        left_out: LeftOut::default(),
        own: BTreeMap::new(),
        twins: clashing_forms(paths(), there),
    };
    let own = &mut aligned.own;
    let mut moved = |path: &str| {
        let form = forms.of_path(path);
        if form != path {
            own.insert(form.clone(), path.to_owned());
        }
        form
    };
    for (path, reason) in &here.left_out().paths {
        aligned.left_out.paths.insert(moved(path), *reason);
    }
    let files = files.into_iter().map(|(path, entry)| (moved(path), entry));
    aligned.files = files.collect();
    let folders = folders
        .into_iter()
        .map(|(path, entry)| (moved(path), entry));
    aligned.folders = folders.collect();
    aligned
}

/// Counts the names in each folder; the empty path is the top.
pub(super) fn items<'a>(paths: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut items = HashMap::new();
    for folder in paths.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)) {
        *items.entry(folder).or_default() += 1;
    }
    items
}

/// Returns the paths that the first side has in two forms, and those that the account has in two
/// forms and the first side in one.
fn clashing_forms<'a>(
    own_paths: impl Iterator<Item = &'a str> + Clone,
    there: &RemoteSide,
) -> Scope {
    let forms_here: HashSet<Cow<'_, str>> = own_paths.clone().map(composed).collect();
    let own_twins = twins(own_paths);
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
