//! From what was typed to the local files that are meant: paths, patterns, and folders with all that is in them. Links
//! in folders, devices and names that cannot be sent are left out, and reported. Reads no file.

use std::collections::{BTreeSet, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use tokio_util::sync::CancellationToken;
use walkdir::{DirEntry, WalkDir};

use super::sendable::{UNREADABLE, sendable, special};
use crate::api::text::visible;
use crate::api::{Error, Kind};
use crate::engine::message::Progress;
use crate::engine::progress_sink::ProgressSink;
use crate::engine::typed_paths::{Pattern, TypedPath, TypedPaths};

/// More would not be looked through by anybody, and take the memory of a plan for them.
const MOST_FILES: usize = 100_000;

/// How many files are found between two words of progress.
const TOLD_EVERY: usize = 256;

/// What is meant.
#[derive(Debug, Default)]
pub struct CollectedFiles {
    pub files: Vec<LocalSource>,
    /// Folders without anything to send in them, by their path.
    pub empty: BTreeSet<String>,
    /// The path of what is not sent, as far as it is text, and why.
    pub left_out: Vec<(String, String)>,
}

/// A local file to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSource {
    pub local: PathBuf,
    pub size: u64,
    /// What it will be called, after the folders that come with it.
    pub name: String,
}

/// Finds out what is meant, and reports on the way how much it is. Fails with what is not there.
pub async fn gather(typed: Vec<TypedPaths>, report: &ProgressSink) -> Result<CollectedFiles, Error> {
    let cancelled = CancellationToken::new();
    let _given_up = cancelled.clone().drop_guard();
    let report = report.clone();
    let walk = move || {
        let mut walk =
            DirectoryWalk { found: CollectedFiles::default(), seen: HashSet::new(), bytes: 0, cancelled, report };
        walk.all(&typed)?;
        Ok(walk.found)
    };
    let walked = tokio::task::spawn_blocking(walk).await;
    walked.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "Looking for local files failed")))
}

struct DirectoryWalk {
    found: CollectedFiles,
    /// Files under their names: what is named twice is sent once.
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
            [one, rest @ ..] => Err(refused(format!("{one} and {} more do not exist.", rest.len()))),
        }
    }

    /// Whether there is anything of that name or pattern.
    fn word(&mut self, word: &TypedPath) -> Result<bool, Error> {
        match (word.path.metadata(), &word.pattern) {
            (Ok(metadata), _) => self.named(&word.path, &metadata).map(|()| true),
            (Err(_), Some(pattern)) => self.pattern(pattern),
            (Err(error), None) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            (Err(error), None) => Err(Error::local(&format!("Cannot read {}", word.shown), &error)),
        }
    }

    /// Something that was named itself: links are followed.
    fn named(&mut self, path: &Path, metadata: &Metadata) -> Result<(), Error> {
        if metadata.is_dir() {
            return self.folder(path);
        }
        if !metadata.is_file() {
            let what = special(metadata.file_type());
            return Err(refused(format!("{} is {what}; only files and folders can be sent.", shown(path))));
        }
        match path.file_name().map(sendable) {
            Some(Ok(name)) => self.file(path.to_owned(), metadata.len(), name.to_owned()),
            Some(Err(why)) => Err(refused(format!("{}: {why}.", shown(path)))),
            None => Err(refused(format!("{} has no name.", shown(path)))),
        }
    }

    /// All that matches, links left out: nobody has named them. Hidden names have to be asked for.
    fn pattern(&mut self, Pattern { base, glob }: &Pattern) -> Result<bool, Error> {
        let matcher = matcher(glob)?;
        let wants_hidden = glob.split('/').any(|part| part.starts_with('.'));
        let is_deep = glob.contains("**");
        let depth = if is_deep { usize::MAX } else { glob.split('/').count() };
        let mut walk = WalkDir::new(base).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
        let mut is_any = false;
        while let Some(entry) = walk.next() {
            self.go_on()?;
            let Ok(entry) = entry else { continue };
            if !wants_hidden && is_hidden(&entry) {
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            let is_match = entry.path().strip_prefix(base).is_ok_and(|path| matcher.is_match(path));
            // With `**` what is in a matching folder matches by itself.
            if !is_match || (is_deep && entry.file_type().is_dir()) {
                continue;
            }
            is_any = true;
            match (sendable(entry.file_name()), entry.file_type()) {
                (Err(why), _) => self.leave(entry.path(), why)?,
                (Ok(_), kind) if kind.is_dir() => self.folder(entry.path())?,
                (Ok(name), kind) if kind.is_file() => self.found(&entry, name.to_owned())?,
                (Ok(_), kind) => self.leave(entry.path(), special(kind))?,
            }
        }
        Ok(is_any)
    }

    /// A folder under its own name, with all that is in it, hidden or not.
    fn folder(&mut self, path: &Path) -> Result<(), Error> {
        let own = own_name(path)?;
        let mut walk = WalkDir::new(path).sort_by_file_name().into_iter();
        while let Some(entry) = walk.next() {
            self.go_on()?;
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let at = error.path().unwrap_or(path).to_owned();
                    self.leave(&at, UNREADABLE)?;
                    continue;
                }
            };
            if entry.depth() > 0
                && let Err(why) = sendable(entry.file_name())
            {
                self.leave(entry.path(), why)?;
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
                continue;
            }
            let Some(name) = name_below(&own, path, entry.path()) else { continue };
            let kind = entry.file_type();
            // The folder itself may have been named by a link.
            if kind.is_dir() || entry.depth() == 0 {
                self.not_empty(&name);
                self.found.empty.extend((!name.is_empty()).then_some(name));
            } else if kind.is_file() {
                self.not_empty(&name);
                self.found(&entry, name)?;
            } else {
                self.leave(entry.path(), special(kind))?;
            }
        }
        Ok(())
    }

    /// Something is in the folder above it.
    fn not_empty(&mut self, name: &str) {
        if let Some((above, _)) = name.rsplit_once('/') {
            self.found.empty.remove(above);
        }
    }

    fn found(&mut self, entry: &DirEntry, name: String) -> Result<(), Error> {
        match entry.metadata() {
            Ok(metadata) => self.file(entry.path().to_owned(), metadata.len(), name),
            Err(_) => self.leave(entry.path(), UNREADABLE),
        }
    }

    fn file(&mut self, local: PathBuf, size: u64, name: String) -> Result<(), Error> {
        if !self.seen.insert((local.clone(), name.clone())) {
            return Ok(());
        }
        if self.found.files.len() >= MOST_FILES {
            return Err(refused("More than 100,000 files: choose fewer at once.".to_owned()));
        }
        self.bytes += size;
        self.found.files.push(LocalSource { local, size, name });
        if self.found.files.len().is_multiple_of(TOLD_EVERY) {
            self.tell();
        }
        Ok(())
    }

    fn leave(&mut self, path: &Path, why: &str) -> Result<(), Error> {
        self.found.left_out.push((path.to_string_lossy().into_owned(), why.to_owned()));
        if self.found.left_out.len() > MOST_FILES {
            return Err(refused("More than 100,000 of these files cannot be sent: choose fewer at once.".to_owned()));
        }
        Ok(())
    }

    fn tell(&self) {
        self.report.report(Progress::Found { files: self.found.files.len(), bytes: self.bytes });
    }

    fn go_on(&self) -> Result<(), Error> {
        if self.cancelled.is_cancelled() { Err(refused("It was canceled.".to_owned())) } else { Ok(()) }
    }
}

/// The name of a folder, which may have been typed as `.` or `..`; empty for the top of a disk.
fn own_name(path: &Path) -> Result<String, Error> {
    let resolved = if path.ends_with("..") { path.canonicalize().ok() } else { None };
    let name = resolved.as_deref().unwrap_or(path).file_name().unwrap_or_default();
    if name.is_empty() {
        return Ok(String::new());
    }
    sendable(name).map(str::to_owned).map_err(|why| refused(format!("{}: {why}.", shown(path))))
}

/// The name of what lies in a folder, after that folder's own.
fn name_below(own: &str, folder: &Path, path: &Path) -> Option<String> {
    let mut name = own.to_owned();
    for part in path.strip_prefix(folder).ok()? {
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(part.to_str()?);
    }
    Some(name)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
}

fn matcher(glob: &str) -> Result<GlobMatcher, Error> {
    let built = GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build();
    let matcher = built.map(|glob| glob.compile_matcher());
    matcher.map_err(|error| refused(format!("{} is not a pattern: {}.", visible(glob), error.kind())))
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn refused(message: String) -> Error {
    Error::new(Kind::Refused, message)
}
