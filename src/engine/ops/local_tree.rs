//! A folder of this machine with everything below it, as a comparison reads and changes it: paths
//! from the top of the folder with slashes between names, as the account has them. Links in it are
//! never followed, except to `.gitignore` files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;
use walkdir::{DirEntry, WalkDir};

use super::gitignore_rules::GitignoreRules;
use super::local_place::blocking;
use super::scope::Scope;
use super::sendable::sendable;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::ancestors::ancestors;
use crate::engine::disk_name::{is_part, path_to_disk, path_to_remote};
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::name_form::composed;
use crate::engine::seen_state::LocalState;
use crate::engine::tree_filter::{TreeFilter, is_never_sent};
use crate::regular_file::{self, Links};

#[derive(Debug, Clone, Default)]
pub struct LocalTree {
    /// The folder on the disk.
    pub top: PathBuf,
    pub files: BTreeMap<String, LocalFile>,
    pub folders: BTreeSet<String>,
    pub left_out: LeftOut,
    pub rules: GitignoreRules,
    /// Set if folders exist only for the files in them.
    pub no_empty_folders: bool,
    /// Lines of `.gitignore` files that are no pattern; safe to show.
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalFile {
    pub local: PathBuf,
    pub state: LocalState,
}

/// An entry that was taken: a folder to look into, or a file with its bytes.
#[derive(PartialEq)]
enum Taken {
    Folder,
    File(u64),
    Nothing,
}

const LARGEST_RULES: u64 = 1 << 20;

/// Reads the folder. Fails if it is none or cannot be read; what cannot be read in it is left out.
pub async fn read(top: &Path, filter: &TreeFilter) -> Result<LocalTree, Error> {
    let unreadable =
        |error: io::Error| Error::local(&format!("Cannot read {}", top.display()), &error);
    if !tokio::fs::metadata(top).await.map_err(unreadable)?.is_dir() {
        return Err(Error::new(
            Kind::Refused,
            format!("{} is not a folder", top.display()),
        ));
    }
    drop(tokio::fs::read_dir(top).await.map_err(unreadable)?);
    let (top, filter, cancelled) = (top.to_owned(), filter.clone(), CancellationToken::new());
    let _given_up = cancelled.clone().drop_guard();
    blocking(move || LocalTree::of(&top, &filter, &mut |_| !cancelled.is_cancelled())).await
}

/// Reads what lies in a scope of the folder, by the rules of a whole read. Missing paths are no
/// error.
pub async fn read_part(
    top: &Path,
    scope: &Scope,
    filter: &TreeFilter,
    rules: &GitignoreRules,
) -> Result<LocalTree, Error> {
    let (top, scope, filter, cancelled) = (
        top.to_owned(),
        scope.clone(),
        filter.clone(),
        CancellationToken::new(),
    );
    let mut tree = LocalTree {
        top: top.clone(),
        rules: rules.clone(),
        ..LocalTree::default()
    };
    let _given_up = cancelled.clone().drop_guard();
    blocking(move || {
        for path in scope.paths() {
            // A path that the disk cannot have is not there.
            if let Ok(own) = path_to_disk(path)
                && tree.leads_to(&top, path, &filter)
            {
                tree.walk(&top, &top.join(own), &filter, &mut |_| {
                    !cancelled.is_cancelled()
                });
            }
        }
        tree
    })
    .await
}

impl LocalTree {
    /// Reads everything in a folder. Calls `go_on` for each entry, with a file's size, and ends
    /// once that is `false`.
    pub(super) fn of(
        top: &Path,
        filter: &TreeFilter,
        go_on: &mut dyn FnMut(Option<u64>) -> bool,
    ) -> Self {
        let mut tree = Self {
            top: top.to_owned(),
            no_empty_folders: !filter.takes_empty_folders(),
            ..Self::default()
        };
        tree.walk(top, top, filter, go_on);
        tree
    }

    /// Returns the folders that hold nothing, neither compared nor left out.
    pub(super) fn empty_folders(&self) -> BTreeSet<String> {
        if self.no_empty_folders {
            return BTreeSet::new();
        }
        let paths = self
            .files
            .keys()
            .chain(&self.folders)
            .chain(self.left_out.paths.keys());
        empty(&self.folders, paths)
    }

    /// Takes everything at and below `start`, which is the folder itself or lies in it.
    fn walk(
        &mut self,
        top: &Path,
        start: &Path,
        filter: &TreeFilter,
        go_on: &mut dyn FnMut(Option<u64>) -> bool,
    ) {
        // The folder itself may have been given by a link.
        let mut entries = WalkDir::new(start)
            .follow_root_links(start == top)
            .follow_links(filter.follow_links)
            .sort_by_file_name()
            .into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if error.loop_ancestor().is_some() => {
                    let path = shown(top, error.path().unwrap_or(top));
                    self.left_out.add(path, Reason::Cycle);
                    continue;
                }
                Err(error) => {
                    self.miss(top, error.path().unwrap_or(top), error.io_error());
                    continue;
                }
            };
            let is_folder = entry.file_type().is_dir() || entry.path() == top;
            let taken = self.take(top, &entry, is_folder, filter);
            if is_folder && taken != Taken::Folder {
                entries.skip_current_dir();
            }
            if !go_on(if let Taken::File(size) = taken {
                Some(size)
            } else {
                None
            }) {
                break;
            }
        }
    }

    /// Takes over the present state of a scope; returns the files that are gone.
    pub fn update(&mut self, scope: &Scope, now: &Self) -> BTreeSet<String> {
        let before = scope.take(&mut self.files);
        scope.take_paths(&mut self.folders);
        scope.take(&mut self.left_out.paths);
        self.files.extend(now.files.clone());
        self.folders.extend(now.folders.iter().cloned());
        self.left_out.paths.extend(now.left_out.paths.clone());
        let is_gone = |path: &String| !now.files.contains_key(path) && !now.left_out.covers(path);
        before.into_keys().filter(is_gone).collect()
    }

    /// Returns the paths at which a later read differs: by kind, size, or time.
    pub fn changes(&self, now: &Self) -> BTreeSet<String> {
        let differs = |path: &&String| self.files.get(*path) != now.files.get(*path);
        let files = self
            .files
            .keys()
            .chain(now.files.keys())
            .filter(differs)
            .cloned();
        let is_new =
            |path: &&String| self.left_out.paths.get(*path) != now.left_out.paths.get(*path);
        let left_out = self
            .left_out
            .paths
            .keys()
            .chain(now.left_out.paths.keys())
            .filter(is_new)
            .cloned();
        let folders = self.folders.symmetric_difference(&now.folders).cloned();
        files.chain(folders).chain(left_out).collect()
    }

    /// Returns a path, or the outermost folder above it that is not known yet.
    pub fn outermost_new(&self, path: &str) -> String {
        ancestors(path)
            .find(|folder| !self.folders.contains(*folder))
            .unwrap_or(path)
            .to_owned()
    }

    /// Adds the paths to a scope that differ from one of it, or from a folder above it, only in the
    /// form of their accents: the account has one name for them.
    #[must_use]
    pub fn with_other_forms(&self, scope: &Scope) -> Scope {
        let paths = scope
            .paths()
            .flat_map(|path| ancestors(path).chain([&**path]));
        let own: BTreeSet<&str> = paths.filter(|path| !path.is_ascii()).collect();
        let mut forms: HashMap<Cow<'_, str>, BTreeSet<&str>> = HashMap::new();
        for path in &own {
            forms.entry(composed(path)).or_default().insert(path);
        }
        let known = self.files.keys().chain(&self.folders);
        for path in known.filter(|path| !own.is_empty() && !path.is_ascii()) {
            if let Some(forms) = forms.get_mut(&composed(path)) {
                forms.insert(path);
            }
        }
        let twins = forms.into_values().filter(|forms| forms.len() > 1);
        let twins = twins.flatten().map(str::to_owned);
        Scope::of(scope.paths().cloned().chain(twins))
    }

    /// Returns `true` if a walk from the top would reach a path: all above it are folders, and none
    /// is left out.
    fn leads_to(&mut self, top: &Path, path: &str, filter: &TreeFilter) -> bool {
        ancestors(path).all(|folder| {
            let at = top.join(path_to_disk(folder).unwrap_or_default());
            match std::fs::symlink_metadata(&at) {
                Ok(metadata) if metadata.is_dir() => self.takes(folder, true, filter),
                Ok(metadata) => {
                    let kind = metadata.file_type();
                    if !kind.is_file() {
                        self.left_out.add(folder.to_owned(), Reason::special(kind));
                    }
                    false
                }
                Err(error) => {
                    self.miss(top, &at, Some(&error));
                    false
                }
            }
        })
    }

    fn take(
        &mut self,
        top: &Path,
        entry: &DirEntry,
        is_folder: bool,
        filter: &TreeFilter,
    ) -> Taken {
        let Some(path) = self.path_of(top, entry) else {
            return Taken::Nothing;
        };
        if !path.is_empty() && !self.takes(&path, is_folder, filter) {
            return Taken::Nothing;
        }
        let kind = entry.file_type();
        if is_folder {
            let has_rules = !filter.gitignore || self.read_rules(&path, entry.path());
            self.folders
                .extend((has_rules && !path.is_empty()).then_some(path));
            return if has_rules {
                Taken::Folder
            } else {
                Taken::Nothing
            };
        }
        if !kind.is_file() {
            self.left_out.add(path, Reason::special(kind));
            return Taken::Nothing;
        }
        match entry.metadata() {
            Ok(metadata) => {
                let local = entry.path();
                // The jobs refuse links, and a file behind a followed one is itself no link.
                let real = filter.follow_links.then(|| local.canonicalize().ok());
                let local = real.flatten().unwrap_or_else(|| local.to_owned());
                let state = LocalState::of(&metadata);
                self.files.insert(path, LocalFile { local, state });
                Taken::File(state.size)
            }
            Err(error) => {
                self.miss(top, entry.path(), error.io_error());
                Taken::Nothing
            }
        }
    }

    /// Returns `true` if a path is compared; otherwise notes it as left out.
    fn takes(&mut self, path: &str, is_folder: bool, filter: &TreeFilter) -> bool {
        let never_sent = is_never_sent(path).then_some(Reason::NeverSent);
        let ignored = || {
            self.rules
                .ignore_itself(path, is_folder)
                .then_some(Reason::Pattern)
        };
        let reason = never_sent
            .or_else(|| filter.leaves_out(path, is_folder))
            .or_else(ignored);
        if let Some(reason) = reason {
            self.left_out.add(path.to_owned(), reason);
        }
        reason.is_none()
    }

    /// Notes what could not be read as unknown, unless its folder no longer lists it: then it is
    /// gone.
    fn miss(&mut self, top: &Path, at: &Path, error: Option<&io::Error>) {
        let may_be_gone = error.is_some_and(|error| error.kind() == io::ErrorKind::NotFound);
        if may_be_gone && !is_listed(top, at) {
            return;
        }
        let path = shown(top, at);
        self.folders.remove(&path);
        self.left_out.add(path, Reason::Unreadable);
    }

    /// Returns the path of an entry; `None` for a name that cannot be sent, and for a download's
    /// part file.
    fn path_of(&mut self, top: &Path, entry: &DirEntry) -> Option<String> {
        let below = entry.path().strip_prefix(top).ok()?;
        match below.iter().map(sendable).collect::<Result<Vec<_>, _>>() {
            Ok(_) if entry.file_name().to_str().is_some_and(is_part) => None,
            Ok(names) => Some(names.join("/")),
            Err(why) => {
                self.left_out
                    .add(shown(top, entry.path()), Reason::Name(why));
                None
            }
        }
    }

    /// Reads the rules of a folder. Returns `false` if they remain unknown: then so does everything
    /// in the folder.
    fn read_rules(&mut self, path: &str, folder: &Path) -> bool {
        let file = folder.join(".gitignore");
        let bytes = match regular_file::read(&file, Links::Followed, LARGEST_RULES) {
            // A link that leads nowhere may have led to rules.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && file.symlink_metadata().is_err() =>
            {
                return true;
            }
            Err(_) => {
                self.left_out.add(path.to_owned(), Reason::Unreadable);
                return false;
            }
            Ok(bytes) => bytes,
        };
        let place = visible(&file.to_string_lossy()).into_owned();
        let warnings = self.rules.add(path, &bytes);
        self.warnings.extend(
            warnings
                .into_iter()
                .map(|warning| format!("{place}, {warning}")),
        );
        true
    }
}

/// Returns the folders that contain none of the paths.
pub(super) fn empty<'a>(
    folders: &BTreeSet<String>,
    paths: impl Iterator<Item = &'a String>,
) -> BTreeSet<String> {
    let parents: BTreeSet<&str> = paths
        .filter_map(|path| path.rsplit_once('/').map(|(above, _)| above))
        .collect();
    folders
        .iter()
        .filter(|path| !parents.contains(path.as_str()))
        .cloned()
        .collect()
}

/// Returns `true` if the folder still lists something that cannot be found, or if nobody can tell.
fn is_listed(top: &Path, path: &Path) -> bool {
    let (Some(folder), Some(name), true) = (path.parent(), path.file_name(), path != top) else {
        return true;
    };
    match std::fs::read_dir(folder) {
        Ok(mut entries) => {
            entries.any(|entry| entry.map_or(true, |entry| entry.file_name() == name))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => is_listed(top, folder),
        Err(_) => true,
    }
}

/// Returns a path from the top, as far as it is text.
fn shown(top: &Path, path: &Path) -> String {
    let below = path.strip_prefix(top).unwrap_or(path);
    path_to_remote(
        &below
            .iter()
            .map(|name| name.to_string_lossy())
            .collect::<Vec<_>>()
            .join("/"),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::engine::tree_filter::TreeRules;

    async fn read_all(top: &Path, filter: TreeFilter) -> LocalTree {
        read(top, &filter).await.unwrap()
    }

    fn files(names: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in names {
            fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
            fs::write(dir.path().join(name), content).unwrap();
        }
        dir
    }

    #[tokio::test]
    async fn the_innermost_gitignore_decides_for_both_sides() {
        let dir = files(&[
            (".gitignore", "*.log\nbuild/\n"),
            ("a.txt", ""),
            ("a.log", ""),
            ("build/out.js", ""),
            ("keep/.gitignore", "!*.log\n"),
            ("keep/b.log", ""),
        ]);
        let tree = read_all(
            dir.path(),
            TreeFilter::new(&TreeRules {
                gitignore: true,
                ..TreeRules::default()
            })
            .unwrap(),
        )
        .await;
        let names: Vec<&str> = tree.files.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [".gitignore", "a.txt", "keep/.gitignore", "keep/b.log"]
        );
        assert_eq!(tree.left_out.paths.len(), 2);
        assert!(tree.rules.ignore("gone.log", false) && tree.rules.ignore("build/x/y.js", false));
        assert!(!tree.rules.ignore("keep/gone.log", false) && !tree.rules.ignore("build", false));
        let all = read_all(dir.path(), TreeFilter::default()).await;
        assert_eq!((all.files.len(), all.left_out.paths.len()), (6, 0));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn links_and_parts_of_downloads_are_not_compared() {
        let dir = files(&[("a.txt", "a"), (".a.txt.filedeck-a1B2c3D4.part", "half")]);
        std::os::unix::fs::symlink("a.txt", dir.path().join("b.txt")).unwrap();
        let tree = read_all(dir.path(), TreeFilter::default()).await;
        assert_eq!(tree.files.into_keys().collect::<Vec<_>>(), ["a.txt"]);
        assert_eq!(
            tree.left_out
                .named()
                .map(|(path, _)| path)
                .collect::<Vec<_>>(),
            ["b.txt"]
        );
    }

    #[tokio::test]
    async fn a_part_is_read_by_the_rules_of_the_whole() {
        let dir = files(&[
            (".gitignore", "*.log\n"),
            ("a/b.txt", "b"),
            ("a/c.log", "c"),
            ("skip/d.txt", "d"),
            ("e.txt", "e"),
        ]);
        let rules = TreeRules {
            exclude: vec!["skip".to_owned()],
            gitignore: true,
            ..TreeRules::default()
        };
        let filter = TreeFilter::new(&rules).unwrap();
        let mut tree = read_all(dir.path(), filter.clone()).await;
        fs::remove_file(dir.path().join("e.txt")).unwrap();
        fs::create_dir(dir.path().join("a/new")).unwrap();
        fs::write(dir.path().join("a/new/f.txt"), "f").unwrap();
        fs::write(dir.path().join("skip/g.txt"), "g").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", dir.path().join("link")).unwrap();
        let changed = [
            "a/c.log",
            "a/new/f.txt",
            "skip/g.txt",
            "e.txt",
            "link/b.txt",
        ];
        let scope = Scope::of(changed.iter().map(|path| tree.outermost_new(path)));
        let part = read_part(dir.path(), &scope, &filter, &tree.rules)
            .await
            .unwrap();
        assert_eq!(part.files.keys().collect::<Vec<_>>(), ["a/new/f.txt"]);
        assert_eq!(tree.update(&scope, &part), ["e.txt".to_owned()].into());
        let whole = read_all(dir.path(), filter).await;
        assert_eq!((&tree.files, &tree.folders), (&whole.files, &whole.folders));
        assert_eq!(tree.changes(&whole), BTreeSet::new());
    }
}
