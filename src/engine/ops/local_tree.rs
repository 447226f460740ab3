//! A folder of this machine with everything below it, read for a comparison and changed by one: paths with a slash between
//! names, from the top of the folder. Links are never followed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use tokio_util::sync::CancellationToken;
use walkdir::{DirEntry, WalkDir};

use super::local_place::blocking;
use super::partial_file;
use super::scope::Scope;
use super::sendable::{UNREADABLE, sendable, special};
use crate::api::{Error, Kind};
use crate::engine::tree_filter::TreeFilter;

/// What is in it.
#[derive(Debug, Default)]
pub struct LocalTree {
    pub files: BTreeMap<String, LocalFile>,
    pub folders: BTreeSet<String>,
    /// What cannot be compared, and why.
    pub left_out: Vec<(String, String)>,
    /// How many files and whole folders patterns and rules leave out.
    pub filtered: usize,
    pub rules: GitignoreRules,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalFile {
    pub local: PathBuf,
    pub size: u64,
    /// When it was last written, where the disk says so.
    pub modified: Option<SystemTime>,
}

/// The rules of the `.gitignore` files of a tree. They hold for paths of the other side, too.
#[derive(Debug, Clone, Default)]
pub struct GitignoreRules(BTreeMap<String, Arc<Gitignore>>);

impl GitignoreRules {
    /// Whether a path is ignored, by itself or by a folder above it.
    pub fn ignore(&self, path: &str, is_folder: bool) -> bool {
        let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at)).map(|path| (path, true));
        above.chain([(path, is_folder)]).any(|(path, is_folder)| self.ignore_itself(path, is_folder))
    }

    /// Whether a file of rules lies in a folder of a scope.
    pub fn are_in(&self, scope: &Scope) -> bool {
        scope.within(&self.0).next().is_some()
    }

    /// The rule of the innermost file that has one decides.
    fn ignore_itself(&self, path: &str, is_folder: bool) -> bool {
        let mut folder = Some(path);
        while let Some(below) = folder {
            folder = below.rsplit_once('/').map(|(above, _)| above).or_else(|| (!below.is_empty()).then_some(""));
            let Some(rules) = folder.and_then(|folder| self.0.get(folder)) else { continue };
            let matched = rules.matched(below_folder(path, folder.unwrap_or_default()), is_folder);
            if !matched.is_none() {
                return matched.is_ignore();
            }
        }
        false
    }
}

fn below_folder<'a>(path: &'a str, folder: &str) -> &'a str {
    path.strip_prefix(folder).map_or(path, |rest| rest.trim_start_matches('/'))
}

/// Reads the folder. Fails where it is none; what cannot be read in it is left out.
pub async fn read(top: &Path, filter: &TreeFilter) -> Result<LocalTree, Error> {
    let unreadable = |error: io::Error| Error::local(&format!("Cannot read {}", top.display()), &error);
    if !tokio::fs::metadata(top).await.map_err(unreadable)?.is_dir() {
        return Err(Error::new(Kind::Refused, format!("{} is not a folder", top.display())));
    }
    let (top, filter, cancelled) = (top.to_owned(), filter.clone(), CancellationToken::new());
    let _given_up = cancelled.clone().drop_guard();
    blocking(move || {
        let mut tree = LocalTree::default();
        tree.walk(&top, &top, &filter, &cancelled);
        tree
    })
    .await
}

/// Reads what lies in a scope of the folder, by the rules of a whole reading. What is not there is no failure.
pub async fn read_part(
    top: &Path,
    scope: &Scope,
    filter: &TreeFilter,
    rules: &GitignoreRules,
) -> Result<LocalTree, Error> {
    let (top, scope, filter, cancelled) = (top.to_owned(), scope.clone(), filter.clone(), CancellationToken::new());
    let mut tree = LocalTree { rules: rules.clone(), ..LocalTree::default() };
    let _given_up = cancelled.clone().drop_guard();
    blocking(move || {
        for path in scope.paths() {
            if tree.leads_to(&top, path, &filter) {
                tree.walk(&top, &top.join(path), &filter, &cancelled);
            }
        }
        tree
    })
    .await
}

impl LocalTree {
    /// Takes what is at and below `start`, which is the folder itself or lies in it.
    fn walk(&mut self, top: &Path, start: &Path, filter: &TreeFilter, cancelled: &CancellationToken) {
        // The folder itself may have been named by a link.
        let mut entries = WalkDir::new(start).follow_root_links(start == top).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            if cancelled.is_cancelled() {
                break;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if is_gone(&error) => continue,
                Err(error) => {
                    let path = error.path().unwrap_or(top).to_string_lossy().into_owned();
                    self.left_out.push((path, UNREADABLE.to_owned()));
                    continue;
                }
            };
            let is_folder = entry.file_type().is_dir() || entry.path() == top;
            if !self.take(top, &entry, is_folder, filter) && is_folder {
                entries.skip_current_dir();
            }
        }
    }

    /// Takes what a scope of it has now; gives the files that are gone.
    pub fn update(&mut self, scope: &Scope, now: &Self) -> BTreeSet<String> {
        let before = scope.take(&mut self.files);
        scope.take_paths(&mut self.folders);
        self.left_out.retain(|(path, _)| !scope.holds(path));
        self.files.extend(now.files.clone());
        self.folders.extend(now.folders.iter().cloned());
        self.left_out.extend(now.left_out.iter().cloned());
        before.into_keys().filter(|path| !now.files.contains_key(path)).collect()
    }

    /// The paths at which a later reading differs: by kind, size or time.
    pub fn changes(&self, now: &Self) -> BTreeSet<String> {
        let differs = |path: &&String| self.files.get(*path) != now.files.get(*path);
        let files = self.files.keys().chain(now.files.keys()).filter(differs).cloned();
        let left_out = |tree: &Self| tree.left_out.iter().map(|(path, _)| path.clone()).collect::<BTreeSet<_>>();
        let folders = self.folders.symmetric_difference(&now.folders).cloned();
        files.chain(folders).chain(left_out(self).symmetric_difference(&left_out(now)).cloned()).collect()
    }

    /// A path, or the outermost folder above it that is not known yet.
    pub fn outermost_new(&self, path: &str) -> String {
        let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        above.find(|folder| !self.folders.contains(*folder)).unwrap_or(path).to_owned()
    }

    /// Whether a walk from the top would come to a path: the folders above it are folders, and none is left out.
    fn leads_to(&self, top: &Path, path: &str, filter: &TreeFilter) -> bool {
        let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        above.all(|folder| {
            let is_folder = std::fs::symlink_metadata(top.join(folder)).is_ok_and(|metadata| metadata.is_dir());
            is_folder && filter.takes_folder(folder) && !self.rules.ignore_itself(folder, true)
        })
    }

    /// Takes an entry; gives whether to look into it.
    fn take(&mut self, top: &Path, entry: &DirEntry, is_folder: bool, filter: &TreeFilter) -> bool {
        let Some(path) = self.path_of(top, entry) else { return false };
        if !path.is_empty() {
            let is_taken = if is_folder { filter.takes_folder(&path) } else { filter.takes_file(&path) };
            if !is_taken || self.rules.ignore_itself(&path, is_folder) {
                self.filtered += 1;
                return false;
            }
        }
        let kind = entry.file_type();
        if is_folder {
            if filter.gitignore {
                self.read_rules(&path, entry.path());
            }
            self.folders.extend((!path.is_empty()).then_some(path));
            return true;
        }
        match entry.metadata() {
            _ if !kind.is_file() => self.left_out.push((path, special(kind).to_owned())),
            Ok(metadata) => {
                let (local, size, modified) = (entry.path().to_owned(), metadata.len(), metadata.modified().ok());
                self.files.insert(path, LocalFile { local, size, modified });
            }
            Err(error) if is_gone(&error) => {}
            Err(_) => self.left_out.push((path, UNREADABLE.to_owned())),
        }
        false
    }

    /// The path of an entry; none of what has no name that can be sent, and of a download's part.
    fn path_of(&mut self, top: &Path, entry: &DirEntry) -> Option<String> {
        let below = entry.path().strip_prefix(top).ok()?;
        match below.iter().map(sendable).collect::<Result<Vec<_>, _>>() {
            Ok(names) if names.last().is_some_and(|name| partial_file::is_part(name)) => None,
            Ok(names) => Some(names.join("/")),
            Err(why) => {
                self.left_out.push((below.to_string_lossy().into_owned(), why.to_owned()));
                None
            }
        }
    }

    fn read_rules(&mut self, path: &str, folder: &Path) {
        let mut rules = GitignoreBuilder::new("");
        if rules.add(folder.join(".gitignore")).is_none()
            && let Ok(rules) = rules.build()
            && !rules.is_empty()
        {
            self.rules.0.insert(path.to_owned(), Arc::new(rules));
        }
    }
}

/// Whether something went away while it was read.
fn is_gone(error: &walkdir::Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Deletes the folders that are empty, the innermost first. What holds something that is left out stays.
pub async fn remove_empty_folders(top: &Path, folders: &BTreeSet<String>) {
    for path in folders.iter().rev() {
        // It stays as it is, and nothing was lost.
        let _ = tokio::fs::remove_dir(top.join(path)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

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
        let tree = read_all(dir.path(), TreeFilter::new(&[], &[], true).unwrap()).await;
        let names: Vec<&str> = tree.files.keys().map(String::as_str).collect();
        assert_eq!(names, [".gitignore", "a.txt", "keep/.gitignore", "keep/b.log"]);
        assert_eq!(tree.filtered, 2);
        assert!(tree.rules.ignore("gone.log", false) && tree.rules.ignore("build/x/y.js", false));
        assert!(!tree.rules.ignore("keep/gone.log", false) && !tree.rules.ignore("build", false));
        let all = read_all(dir.path(), TreeFilter::default()).await;
        assert_eq!((all.files.len(), all.filtered), (6, 0));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn links_and_parts_of_downloads_are_not_compared() {
        let dir = files(&[("a.txt", "a"), (".a.txt.filedeck-a1B2c3D4.part", "half")]);
        std::os::unix::fs::symlink("a.txt", dir.path().join("b.txt")).unwrap();
        let tree = read_all(dir.path(), TreeFilter::default()).await;
        assert_eq!(tree.files.into_keys().collect::<Vec<_>>(), ["a.txt"]);
        assert_eq!(tree.left_out, [("b.txt".to_owned(), "a link, which is not followed".to_owned())]);
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
        let filter = TreeFilter::new(&[], &["skip".to_owned()], true).unwrap();
        let mut tree = read_all(dir.path(), filter.clone()).await;
        fs::remove_file(dir.path().join("e.txt")).unwrap();
        fs::create_dir(dir.path().join("a/new")).unwrap();
        fs::write(dir.path().join("a/new/f.txt"), "f").unwrap();
        fs::write(dir.path().join("skip/g.txt"), "g").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", dir.path().join("link")).unwrap();
        let changed = ["a/c.log", "a/new/f.txt", "skip/g.txt", "e.txt", "link/b.txt"];
        let scope = Scope::of(changed.iter().map(|path| tree.outermost_new(path)));
        let part = read_part(dir.path(), &scope, &filter, &tree.rules).await.unwrap();
        assert_eq!(part.files.keys().collect::<Vec<_>>(), ["a/new/f.txt"]);
        assert_eq!(tree.update(&scope, &part), ["e.txt".to_owned()].into());
        let whole = read_all(dir.path(), filter).await;
        assert_eq!((&tree.files, &tree.folders), (&whole.files, &whole.folders));
        assert_eq!(tree.changes(&whole), BTreeSet::new());
    }

    #[tokio::test]
    async fn folders_go_with_their_files_and_stay_where_something_is_left() {
        let dir = files(&[("a/b/c.txt", ""), ("a/d/e.txt", "")]);
        fs::remove_file(dir.path().join("a/b/c.txt")).unwrap();
        remove_empty_folders(dir.path(), &["a", "a/b", "a/d"].map(str::to_owned).into()).await;
        assert!(!dir.path().join("a/b").exists() && dir.path().join("a/d/e.txt").exists());
    }
}
