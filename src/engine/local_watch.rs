//! Watches a folder of this machine, and reports which paths change. Where the system does not
//! report changes, the folder has to be read again and again.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::api::Error;
use crate::engine::disk_name::path_to_remote;

/// The time without further changes after which changes are reported.
const QUIET: Duration = Duration::from_millis(500);

/// The time after which changes are reported even while writes continue.
const LONGEST: Duration = Duration::from_secs(5);

/// The interval between reads of a folder whose changes the system does not report.
const POLL: Duration = Duration::from_secs(10);

/// The most paths to remember; with more, the whole folder is compared.
const MOST_PATHS: usize = 100_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalChanges {
    /// These paths, from the top of the folder, and everything below them.
    Paths(BTreeSet<String>),
    /// Nobody reports changes: another read has to show them.
    Unknown,
    /// More than was reported; the rest is lost.
    Missed,
}

/// A folder that is watched until this is dropped.
#[derive(Debug)]
pub struct LocalWatch {
    source: Source,
    /// The reason why the system does not report changes, until it is taken.
    trouble: Option<String>,
}

#[derive(Debug)]
enum Source {
    System {
        pending: Arc<Told>,
        _watcher: RecommendedWatcher,
    },
    Polls(Duration),
}

/// The reported changes that nobody has taken yet.
#[derive(Debug, Default)]
struct Told {
    changes: Mutex<ChangedPaths>,
    came: Notify,
    /// The links on the way to the folder, which may come to lead elsewhere.
    links: Vec<PathBuf>,
}

#[derive(Debug, Default)]
struct ChangedPaths {
    paths: BTreeSet<String>,
    is_missed: bool,
    trouble: Option<String>,
}

impl LocalWatch {
    /// Starts to watch. With `poll`, the folder is to be read at this interval, and the system is
    /// not asked.
    pub fn start(folder: &Path, poll: Option<Duration>) -> Result<Self, Error> {
        if let Some(every) = poll {
            return Ok(Self {
                source: Source::Polls(every),
                trouble: None,
            });
        }
        let unreadable =
            |error: io::Error| Error::local(&format!("Cannot read {}", folder.display()), &error);
        // The system reports true paths.
        let top = std::fs::canonicalize(folder).map_err(unreadable)?;
        let named = std::path::absolute(folder).map_err(unreadable)?;
        let links = named
            .ancestors()
            .filter(|path| path.is_symlink())
            .map(Path::to_owned)
            .collect();
        let pending = Arc::new(Told {
            links,
            ..Told::default()
        });
        Ok(match watcher(&top, Arc::clone(&pending)) {
            Ok(watcher) => Self {
                source: Source::System {
                    pending,
                    _watcher: watcher,
                },
                trouble: None,
            },
            Err(error) => Self {
                source: Source::Polls(POLL),
                trouble: Some(reason(&error)),
            },
        })
    }

    /// Waits for the next changes, and then until the disk has been quiet for a moment.
    /// Cancel-safe.
    pub async fn next(&mut self) -> LocalChanges {
        let pending = match &self.source {
            Source::Polls(every) => {
                sleep(*every).await;
                return LocalChanges::Unknown;
            }
            Source::System { pending, .. } => Arc::clone(pending),
        };
        while pending.is_empty() {
            pending.came.notified().await;
        }
        let at_last = Instant::now() + LONGEST;
        let still_changing =
            async { while timeout(QUIET, pending.came.notified()).await.is_ok() {} };
        let _ = timeout_at(at_last, still_changing).await;
        let ChangedPaths {
            paths,
            is_missed,
            trouble,
        } = pending.take();
        if trouble.is_some() {
            self.trouble = trouble;
            self.source = Source::Polls(POLL);
        }
        if is_missed {
            LocalChanges::Missed
        } else {
            LocalChanges::Paths(paths)
        }
    }

    /// Returns, once, the reason why the folder is read again and again instead.
    pub fn take_trouble(&mut self) -> Option<String> {
        let every = POLL.as_secs();
        self.trouble
            .take()
            .map(|why| format!("{why}; looking for changes every {every} seconds instead"))
    }
}

impl Told {
    fn with<T>(&self, act: impl FnOnce(&mut ChangedPaths) -> T) -> T {
        act(&mut self.changes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_empty(&self) -> bool {
        self.with(|changes| changes.paths.is_empty() && !changes.is_missed)
    }

    fn take(&self) -> ChangedPaths {
        self.with(std::mem::take)
    }

    fn hear(&self, top: &Path, event: notify::Result<Event>) {
        let is_news = self.with(|changes| match event {
            Ok(event) if event.need_rescan() => {
                changes.is_missed = true;
                true
            }
            Ok(event) => changes.take(top, &self.links, &event),
            Err(error) => {
                changes.trouble = Some(reason(&error));
                changes.is_missed = true;
                true
            }
        });
        if is_news {
            self.came.notify_one();
        }
    }
}

impl ChangedPaths {
    fn take(&mut self, top: &Path, links: &[PathBuf], event: &Event) -> bool {
        if !is_change(event) {
            return false;
        }
        let is_inside = |path: &PathBuf| path.starts_with(top);
        if event.paths.iter().any(|path| links.contains(path)) {
            self.is_missed = true;
        } else if !event.paths.iter().any(is_inside) {
            return false;
        }
        let paths = event
            .paths
            .iter()
            .filter_map(|path| path.strip_prefix(top).ok())
            .map(told_path);
        for path in paths {
            if path.is_empty() || self.paths.len() >= MOST_PATHS {
                // The folder itself is gone, or too much has changed to remember.
                self.is_missed = true;
            } else {
                self.paths.insert(path);
            }
        }
        true
    }
}

/// Returns `true` if something may have changed. Changes in a folder have events of their own.
fn is_change(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write))
        | EventKind::Modify(ModifyKind::Name(_)) => true,
        EventKind::Access(_) => false,
        EventKind::Modify(_) => !event.paths.iter().all(|path| path.is_dir()),
        _ => true,
    }
}

/// Returns a path with slashes between names, as the account has them; cut before a name that is
/// not text.
fn told_path(path: &Path) -> String {
    path_to_remote(
        &path
            .iter()
            .map_while(|name| name.to_str())
            .collect::<Vec<_>>()
            .join("/"),
    )
}

fn watcher(top: &Path, pending: Arc<Told>) -> notify::Result<RecommendedWatcher> {
    let within: PathBuf = top.to_owned();
    let folders: Vec<PathBuf> = pending
        .links
        .iter()
        .filter_map(|link| link.parent())
        .map(Path::to_owned)
        .collect();
    let mut watcher = notify::recommended_watcher(move |event| pending.hear(&within, event))?;
    watcher.watch(top, RecursiveMode::Recursive)?;
    for folder in folders {
        watcher.watch(&folder, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

fn reason(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system watches no more files (fs.inotify.max_user_watches)".to_owned()
        }
        _ => format!("the system does not tell of changes: {error}"),
    }
}
