//! The folders that the files of a plan go into, as far as they exist, on this machine or in an
//! account; and the place of each row of the plan in them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::case_fold::{FoldedNames, TWINS, looks_like, twin_warning, twins};
use super::scope::Scope;
use crate::api::Error;
use crate::api::text::visible;
use crate::engine::ancestors::ancestors;
use crate::engine::name_form::composed;
use crate::engine::plan::{Existing, PlanRow, PlanSource};

/// The reason why no file can be stored in place of a folder.
pub(super) const FOLDER: &str = "a folder has this name";

/// A folder that everything goes into.
pub(super) trait TargetSide: Sync {
    type Folder: TargetFolder;

    /// Looks for names in a folder below this one, by its path there; `above` is the folder above
    /// it.
    fn look(
        &self,
        above: Option<&Self::Folder>,
        path: &str,
        names: &HashSet<&str>,
    ) -> impl Future<Output = Result<Self::Folder, Error>> + Send;
}

/// The entries of one folder that have a requested name, whatever the form of their accents.
pub(super) trait TargetFolder: Send + Sync {
    /// Set if names that differ only in the form of their accents can be stored side by side.
    const KEEPS_TWINS: bool;

    fn names(&self) -> &FoldedNames;

    /// Returns what a file of this name would meet, if that is anything.
    fn existing(&self, name: &str) -> Option<Existing>;

    fn has_folder(&self, name: &str) -> bool;
}

pub(super) struct RowPlacement<F> {
    /// By path below the top, as it was asked for.
    folders: HashMap<String, F>,
    twins: Scope,
    /// The names of the rows so far, by their folded form.
    placed: HashMap<String, String>,
    /// The folders to be created that rows have named.
    new_folders: HashSet<String>,
}

impl<F: TargetFolder> RowPlacement<F> {
    /// Looks for the paths of files and folders, as far as their folders exist.
    pub(super) async fn look<'a>(
        target: &impl TargetSide<Folder = F>,
        paths: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, Error> {
        let mut wanted: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
        for mut path in paths.clone() {
            // A folder is looked up in the one above it, up to the top.
            loop {
                let (above, name) = parts(path);
                let is_new = wanted.entry(above).or_default().insert(name);
                if above.is_empty() || !is_new {
                    break;
                }
                path = above;
            }
        }
        let mut placement = Self {
            folders: HashMap::new(),
            twins: twins(paths),
            placed: HashMap::new(),
            new_folders: HashSet::new(),
        };
        // In order of path, so that a folder comes after the one above it.
        for (path, names) in wanted {
            if path.is_empty() || placement.has_folder(path) {
                let above = placement.folders.get(parts(path).0);
                let form = placement.form_of(path);
                let folder = target.look(above, &form, &names).await?;
                placement.folders.insert(path.to_owned(), folder);
            }
        }
        Ok(placement)
    }

    /// Returns the folder that a path lies in, if it exists, and the last name of the path as it is
    /// there.
    pub(super) fn entry<'a>(&'a self, path: &'a str) -> Option<(&'a F, &'a str)> {
        let (above, name) = parts(path);
        let folder = self.folders.get(above)?;
        let form = if F::KEEPS_TWINS && self.twins.holds(&composed(path)) {
            None
        } else {
            folder.names().form_of(name).ok().flatten()
        };
        Some((folder, form.unwrap_or(name)))
    }

    /// Returns the row of a file with its path as it is there, as far as that exists, and with what
    /// the file would meet.
    pub(super) fn place_file(&mut self, row: PlanRow) -> PlanRow {
        if let PlanSource::Unfit(_) = row.source {
            return row;
        }
        let name = self.form_of(&row.name);
        if let Some(why) = self.obstacle(&row.name, false) {
            let source = PlanSource::Unfit(why);
            return PlanRow {
                source,
                name,
                ..row
            };
        }
        let entry = self.entry(&row.name);
        let existing = entry.and_then(|(folder, name)| folder.existing(name));
        let is_new = existing.is_none();
        let twin = twin_warning(&name, &mut self.placed);
        let alike = || self.alike(&row.name).filter(|_| is_new);
        let warning = twin.or_else(|| row.warning.clone()).or_else(alike);
        let there = existing.unwrap_or_else(|| self.new_folder(ancestors(&row.name)));
        PlanRow {
            name,
            there,
            warning,
            ..row
        }
    }

    /// Returns the row of a folder that is to be created; `None` if it exists.
    pub(super) fn place_folder(&mut self, path: &str) -> Option<PlanRow> {
        let name = self.form_of(path);
        if let Some(why) = self.obstacle(path, true) {
            return Some(PlanRow::new(PlanSource::Unfit(why), name, None));
        }
        if self.has_folder(path) {
            return None;
        }
        let there = self.new_folder(ancestors(path).chain([path]));
        Some(PlanRow::new(PlanSource::EmptyFolder, name, None).over(there))
    }

    /// Returns nothing as what exists, with the outermost missing folder at the first call for it.
    fn new_folder<'a>(&mut self, mut folders: impl Iterator<Item = &'a str>) -> Existing {
        let outermost = folders.find(|path| !self.has_folder(path));
        let outermost = outermost.map(|path| self.form_of(path));
        let new_folder = outermost.filter(|folder| self.new_folders.insert(folder.clone()));
        Existing::Nothing { new_folder }
    }

    fn has_folder(&self, path: &str) -> bool {
        self.entry(path)
            .is_some_and(|(above, name)| above.has_folder(name))
    }

    fn form_of(&self, path: &str) -> String {
        let (above, name) = parts(path);
        let form = self.entry(path).map_or(name, |(_, form)| form);
        if above.is_empty() {
            form.to_owned()
        } else {
            format!("{}/{form}", self.form_of(above))
        }
    }

    /// Returns the reason why nothing can be stored under a path: another form of it, or a file in
    /// place of a folder.
    fn obstacle(&self, path: &str, is_folder: bool) -> Option<String> {
        let is_twin = self.twins.holds(&composed(path));
        if is_twin && !F::KEEPS_TWINS {
            return Some(TWINS.to_owned());
        }
        let own = std::iter::once((path, is_folder));
        let above = ancestors(path).map(|folder| (folder, true));
        above.chain(own).find_map(|(path, is_folder)| {
            let (above, name) = self.entry(path)?;
            if let (false, Err(why)) = (is_twin, above.names().form_of(name)) {
                return Some(why.to_owned());
            }
            match above.existing(name)? {
                _ if !is_folder || above.has_folder(name) => None,
                Existing::Blocked(why) => Some(no_folder(name, why)),
                _ => Some(no_folder(name, "a file has this name")),
            }
        })
    }

    fn alike(&self, path: &str) -> Option<String> {
        let (above, name) = self.entry(path)?;
        let other = above.names().alike(name)?;
        Some(looks_like(other, ", which is there,", path))
    }
}

fn no_folder(name: &str, why: &str) -> String {
    format!("the folder {} cannot be created: {why}", visible(name))
}

fn parts(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
