//! Collects the local files meant by what was typed: paths, patterns, and folders with all that is
//! in them. Links in folders, devices, and names that cannot be sent are left out and reported.
//! Reads no file.

use std::collections::{BTreeSet, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use tokio_util::sync::CancellationToken;
use walkdir::{DirEntry, WalkDir};

use super::local_tree::{LocalFile, LocalTree};
use super::sendable::sendable;
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::left_out::{LeftOut, Reason};
use crate::engine::message::Progress;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::tree_filter::{self, TreeFilter, TreeRules};
use crate::engine::typed_paths::{Pattern, TypedPath, TypedPaths};
use crate::regular_file::{self, Links};

/// Nobody would look through more, and a plan for them would take too much memory.
const MOST_FILES: usize = 100_000;

/// The number of files found between two progress reports.
const TOLD_EVERY: usize = 256;

#[derive(Debug, Default)]
pub struct CollectedFiles {
    pub files: Vec<LocalSource>,
    /// Paths of the folders with nothing to send in them.
    pub empty: BTreeSet<String>,
    /// By path on the disk, as far as that is text.
    pub left_out: LeftOut,
    /// Warnings about the rules that were read; safe to show.
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSource {
    pub local: PathBuf,
    pub size: u64,
    /// The name it will have, below the folders that are sent with it.
    pub name: String,
    /// Set if a name within the folder that it is sent with begins with a dot.
    pub is_hidden: bool,
}

/// Collects what is meant, reporting the counts so far. Rules apply within folders. Fails if
/// something does not exist.
pub async fn gather(
    typed: Vec<TypedPaths>,
    rules: &TreeRules,
    report: &ProgressSink,
) -> Result<CollectedFiles, Error> {
    let filter = TreeFilter::new(rules)?;
    let cancelled = CancellationToken::new();
    let _given_up = cancelled.clone().drop_guard();
    let report = report.clone();
    let walk = move || {
        let mut walk = DirectoryWalk {
            found: CollectedFiles::default(),
            filter,
            seen: HashSet::new(),
            bytes: 0,
            cancelled,
            report,
        };
        walk.all(&typed)?;
        Ok(walk.found)
    };
    let walked = tokio::task::spawn_blocking(walk).await;
    walked.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "Looking for local files failed")))
}

struct DirectoryWalk {
    found: CollectedFiles,
    filter: TreeFilter,
    /// Files with their names: a file named twice is sent once.
    seen: HashSet<(PathBuf, String)>,
    bytes: u64,
    cancelled: CancellationToken,
    report: ProgressSink,
}

impl DirectoryWalk {
    fn all(&mut self, typed: &[TypedPaths]) -> Result<(), Error> {
        let mut missing = Vec::new();
        for line in typed {
            if let Ok(metadata) = line.whole.metadata() {
                self.named(&line.whole, &metadata)?;
                continue;
            }
            for word in &line.words {
                if !self.word(word)? {
                    missing.push(word.shown.clone());
                }
            }
        }
        self.tell();
        match missing.as_slice() {
            [] => Ok(()),
            [one] => Err(refused(format!("{one} does not exist."))),
            [one, two] => Err(refused(format!("{one} and {two} do not exist."))),
            [one, rest @ ..] => Err(refused(format!(
                "{one} and {} more do not exist.",
                rest.len()
            ))),
        }
    }

    /// Returns `true` if the word names or matches anything.
    fn word(&mut self, word: &TypedPath) -> Result<bool, Error> {
        match (word.path.metadata(), &word.pattern) {
            (Ok(metadata), _) => self.named(&word.path, &metadata).map(|()| true),
            (Err(_), Some(pattern)) => self.pattern(pattern),
            (Err(error), None) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            (Err(error), None) => Err(Error::local(&format!("Cannot read {}", word.shown), &error)),
        }
    }

    /// Collects something that was named itself; links are followed.
    fn named(&mut self, path: &Path, metadata: &Metadata) -> Result<(), Error> {
        if metadata.is_dir() {
            return self.folder(path);
        }
        if !metadata.is_file() {
            let what = Reason::special(metadata.file_type());
            return Err(refused(format!(
                "{} is {what}; only files and folders can be sent.",
                shown(path)
            )));
        }
        match path.file_name().map(sendable) {
            Some(Ok(name)) => self.named_file(path, metadata.len(), name),
            Some(Err(why)) => Err(refused(format!("{}: {why}.", shown(path)))),
            None => Err(refused(format!("{} has no name.", shown(path)))),
        }
    }

    /// Collects all matches but links, which nobody has named. Hidden names need a part that begins
    /// with a dot.
    fn pattern(&mut self, Pattern { base, glob }: &Pattern) -> Result<bool, Error> {
        let matcher = matcher(glob)?;
        let wants_hidden = glob.split('/').any(|part| part.starts_with('.'));
        let is_deep = glob.contains("**");
        let depth = if is_deep {
            usize::MAX
        } else {
            glob.split('/').count()
        };
        let mut walk = WalkDir::new(base)
            .min_depth(1)
            .max_depth(depth)
            .sort_by_file_name()
            .into_iter();
        let mut is_any = false;
        while let Some(entry) = walk.next() {
            self.go_on()?;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.leave(error.path().unwrap_or(base), Reason::Unreadable)?;
                    continue;
                }
            };
            if !wants_hidden && is_hidden(&entry) {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            let is_match = entry
                .path()
                .strip_prefix(base)
                .is_ok_and(|path| matcher.is_match(path));
            // With `**`, the contents of a matching folder match by themselves.
            if !is_match || (is_deep && entry.file_type().is_dir()) {
                continue;
            }
            is_any = true;
            match (sendable(entry.file_name()), entry.file_type()) {
                (Err(why), _) => self.leave(entry.path(), Reason::Name(why))?,
                (Ok(_), kind) if kind.is_dir() => self.folder(entry.path())?,
                (Ok(name), kind) if kind.is_file() => self.found(&entry, name)?,
                (Ok(_), kind) => self.leave(entry.path(), Reason::special(kind))?,
            }
        }
        Ok(is_any)
    }

    /// Collects a folder under its own name, with everything in it that the rules allow.
    fn folder(&mut self, path: &Path) -> Result<(), Error> {
        let own = own_name(path)?;
        let (mut files, mut bytes) = (self.found.files.len(), self.bytes);
        let tree = LocalTree::of(path, &self.filter, &mut |size| {
            if let Some(size) = size {
                (files, bytes) = (files + 1, bytes + size);
                if files.is_multiple_of(TOLD_EVERY) {
                    self.report.report(Progress::Found { files, bytes });
                }
            }
            files <= MOST_FILES && !self.cancelled.is_cancelled()
        });
        self.go_on()?;
        let named = |below: &str| match (own.as_str(), below) {
            ("", name) | (name, "") => name.to_owned(),
            (own, below) => format!("{own}/{below}"),
        };
        let is_empty =
            tree.files.is_empty() && tree.folders.is_empty() && tree.left_out.paths.is_empty();
        let empty = tree
            .empty_folders()
            .into_iter()
            .chain(is_empty.then(String::new));
        self.found.empty.extend(
            empty
                .map(|below| named(&below))
                .filter(|name| !name.is_empty()),
        );
        for (below, reason) in &tree.left_out.paths {
            self.leave(&path.join(below), *reason)?;
        }
        self.found.warnings.extend(tree.warnings);
        let bounds = self.filter.bounds;
        for (below, LocalFile { local, state }) in tree.files {
            if let Some(reason) = bounds.leaves_out(Some(state.size), state.modified) {
                self.leave(&path.join(&below), reason)?;
                continue;
            }
            match regular_file::open(&local, Links::Refused) {
                Ok(_) => {
                    let is_hidden = tree_filter::is_hidden(&below);
                    self.file(LocalSource {
                        local,
                        size: state.size,
                        name: named(&below),
                        is_hidden,
                    })?;
                }
                Err(_) => self.leave(&local, Reason::Unreadable)?,
            }
        }
        Ok(())
    }

    fn found(&mut self, entry: &DirEntry, name: String) -> Result<(), Error> {
        match entry.metadata() {
            Ok(metadata) => self.named_file(entry.path(), metadata.len(), name),
            Err(_) => self.leave(entry.path(), Reason::Unreadable),
        }
    }

    fn named_file(&mut self, path: &Path, size: u64, name: String) -> Result<(), Error> {
        self.file(LocalSource {
            local: path.to_owned(),
            size,
            name,
            is_hidden: false,
        })
    }

    fn file(&mut self, file: LocalSource) -> Result<(), Error> {
        if !self.seen.insert((file.local.clone(), file.name.clone())) {
            return Ok(());
        }
        if self.found.files.len() >= MOST_FILES {
            return Err(refused(
                "More than 100,000 files: choose fewer at once.".to_owned(),
            ));
        }
        self.bytes += file.size;
        self.found.files.push(file);
        if self.found.files.len().is_multiple_of(TOLD_EVERY) {
            self.tell();
        }
        Ok(())
    }

    fn leave(&mut self, path: &Path, reason: Reason) -> Result<(), Error> {
        self.found.left_out.add(shown(path), reason);
        if self.found.left_out.named().nth(MOST_FILES).is_some() {
            return Err(refused(
                "More than 100,000 of these files cannot be sent: choose fewer at once.".to_owned(),
            ));
        }
        Ok(())
    }

    fn tell(&self) {
        self.report.report(Progress::Found {
            files: self.found.files.len(),
            bytes: self.bytes,
        });
    }

    fn go_on(&self) -> Result<(), Error> {
        if self.cancelled.is_cancelled() {
            Err(refused("It was canceled.".to_owned()))
        } else {
            Ok(())
        }
    }
}

/// Returns the name of a folder, which may have been typed as `.` or `..`; empty for the root of a
/// disk.
fn own_name(path: &Path) -> Result<String, Error> {
    let resolved = if path.ends_with("..") {
        path.canonicalize().ok()
    } else {
        None
    };
    let name = resolved
        .as_deref()
        .unwrap_or(path)
        .file_name()
        .unwrap_or_default();
    if name.is_empty() {
        return Ok(String::new());
    }
    sendable(name).map_err(|why| refused(format!("{}: {why}.", shown(path))))
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
}

fn matcher(glob: &str) -> Result<GlobMatcher, Error> {
    let built = GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .build();
    let matcher = built.map(|glob| glob.compile_matcher());
    matcher.map_err(|error| {
        refused(format!(
            "{} is not a pattern: {}.",
            visible(glob),
            error.kind()
        ))
    })
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn refused(message: String) -> Error {
    Error::new(Kind::Refused, message)
}
