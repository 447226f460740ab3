//! The plan of an upload or download, name by name, before anything is done; and the choices for
//! each name. Plain data, from which the jobs are made.

use std::collections::HashSet;
use std::path::PathBuf;

use jiff::Timestamp;

use super::ancestors::ancestors;
use super::folder_comparison::RemoteEntry;
use super::item::{FolderRef, Item};
use super::job::{Job, Room};
use super::left_out::Reason;
use super::seen_state::LocalState;
use super::sending::Sending;
use super::source::{FileSource, RemoteSource};
use crate::api::model::{Access, DuplicateScope, DuplicateStrategy, UploadOptions};
use crate::api::paths::join;

/// A file, and what exists where it is to go.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRow {
    pub source: PlanSource,
    /// The name it will have, below the folders that come with it.
    pub name: String,
    pub size: Option<u64>,
    pub there: Existing,
    /// The same bytes under another name or in another folder of the account, by absolute path; or
    /// in an earlier row of the plan, by its name. For a download, the name of an earlier copy
    /// beside its own.
    pub elsewhere: Option<String>,
    /// Safe to show.
    pub warning: Option<String>,
    /// Set if it is hidden and part of a folder: nobody has named it.
    pub is_hidden: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PlanSource {
    Local(PathBuf),
    EmptyFolder,
    Remote(Item),
    /// A file of an account that is to be stored in another one, or in another folder.
    Copy(Box<FileCopy>),
    /// It cannot be sent or saved, for this reason; safe to show.
    Unfit(String),
    /// Something that only the side to change has: the job that deletes it.
    Surplus(Box<Job>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct FileCopy {
    pub source: RemoteSource,
    /// The options of a new file, which are those of the source as far as they can be set.
    pub options: Sending,
    /// The time of the last change of the source.
    pub updated_at: Option<Timestamp>,
}

/// The present state of the place where a file is to go.
#[derive(Debug, Clone, PartialEq)]
pub enum Existing {
    /// Nothing. The first row that needs a folder to be created names the outermost such folder.
    Nothing { new_folder: Option<String> },
    /// A file of the same name and content.
    Same(ExistingFile),
    /// A file of the same name and other content.
    Other(ExistingFile),
    /// Nothing yet, but another upload of this machine is to be stored there.
    UnderWay,
    /// Something that no file can replace: a folder, a link.
    Blocked(&'static str),
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExistingFile {
    Local(LocalState),
    Remote(Box<RemoteEntry>),
}

impl ExistingFile {
    /// Returns the size in bytes.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Local(state) => Some(state.size),
            Self::Remote(file) => file.item.size,
        }
    }

    pub fn access(&self) -> Option<&Access> {
        match self {
            Self::Local(_) => None,
            Self::Remote(file) => file.access.as_ref(),
        }
    }

    pub fn updated_at(&self) -> Option<Timestamp> {
        match self {
            Self::Local(state) => state.modified,
            Self::Remote(file) => file.updated_at,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlanChoice {
    /// Sends or saves it as it is.
    Go,
    /// Replaces what exists.
    Replace,
    /// Sends or saves it beside what exists, under a name with a number.
    KeepBoth,
    /// Does nothing: the same bytes exist already.
    UseExisting,
    Skip,
    /// Deletes what only this side has.
    Delete,
    /// Stops everything: nothing at all is done while a row has this choice.
    Stop,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PlanEvent {
    /// The folder that the files go into; the names start from it.
    Into(FolderRef),
    /// The next rows; those that need a look come first.
    Rows(Vec<PlanRow>),
    /// The end of the rows; for downloads, with the bytes that this machine's disk has room for.
    Complete { room: Option<u64> },
    /// The local folder that the names of a download start from: the part of its path that exists.
    IntoLocal(PathBuf),
    /// The places where the bytes of rows, counted from 0, exist already.
    Elsewhere(Vec<(usize, String)>),
}

/// The direction of the transfer, with what its jobs need.
#[derive(Debug, Clone, PartialEq)]
pub enum Direction {
    /// `asked_at` is when the plan was requested, by this machine's clock.
    Up {
        into: FolderRef,
        options: Box<Sending>,
        asked_at: Timestamp,
    },
    /// With `numbered`, a name that was free and is taken meanwhile gets a number; otherwise that
    /// is a clash.
    Down { into: PathBuf, numbered: bool },
}

impl Direction {
    /// Returns `true` if others can read what is sent.
    pub fn publishes(&self) -> bool {
        matches!(self, Self::Up { options, .. } if options.options.access.is_public())
    }

    /// Returns what the service does with content that the account has, if it looks for that at
    /// all.
    pub fn duplicates(&self) -> Option<&DuplicateStrategy> {
        let Self::Up { options, .. } = self else {
            return None;
        };
        options
            .options
            .duplicate_validation_strategy
            .as_ref()
            .filter(|strategy| **strategy != DuplicateStrategy::None)
    }
}

impl PlanRow {
    /// Creates a row for a place where nothing exists.
    pub fn new(source: PlanSource, name: String, size: Option<u64>) -> Self {
        Self {
            source,
            name,
            size,
            there: Existing::Nothing { new_folder: None },
            elsewhere: None,
            warning: None,
            is_hidden: false,
        }
    }

    /// Creates the row of a copy, with the options of its source as far as they can be set.
    pub fn copy(account: &str, file: &RemoteEntry, name: String) -> Self {
        let level = file.access.as_ref();
        let settable = level.filter(|level| Access::SETTABLE.contains(level));
        let options = UploadOptions {
            expires_at: file.expires_at,
            ..UploadOptions::new(settable.cloned().unwrap_or(Access::Private))
        };
        let options = Sending {
            unusable_in_content: file.is_usable_in_content == Some(false),
            ..options.into()
        };
        let source = RemoteSource {
            account: account.to_owned(),
            file: file.item.clone(),
            state: file.state.clone(),
        };
        let copy = PlanSource::Copy(Box::new(FileCopy {
            source,
            options,
            updated_at: file.updated_at,
        }));
        let warning = match (level, settable) {
            (_, Some(_)) => None,
            (Some(level), None) => Some(format!("it is {} and becomes private", level.word())),
            (None, None) => {
                Some("its access level is not known, and it becomes private".to_owned())
            }
        };
        Self {
            warning,
            ..Self::new(copy, name, file.item.size)
        }
    }

    /// Returns the row with what exists in its place.
    #[must_use]
    pub fn over(self, there: Existing) -> Self {
        Self { there, ..self }
    }

    /// Returns the folders to be created with it, given the outermost ones of the plan.
    pub fn new_folders<'a>(&'a self, outermost: &HashSet<&str>) -> Vec<&'a str> {
        let own = (self.source == PlanSource::EmptyFolder).then_some(&*self.name);
        let missing = ancestors(&self.name)
            .chain(own)
            .skip_while(|folder| !outermost.contains(folder) && Some(*folder) != own);
        missing.collect()
    }

    pub fn left_out((path, reason): (&str, Reason)) -> Self {
        Self::new(PlanSource::Unfit(reason.to_string()), path.to_owned(), None)
    }

    /// Returns `true` for a copy whose place has a file that was changed later than its source.
    pub fn is_older(&self) -> bool {
        match (&self.source, &self.there) {
            (PlanSource::Copy(copy), Existing::Other(existing)) => copy
                .updated_at
                .zip(existing.updated_at())
                .is_some_and(|(source, existing)| existing > source),
            _ => false,
        }
    }

    /// Returns the rank of a row in the plan: those that need a look come first.
    pub(super) fn urgency(&self) -> u8 {
        match (&self.source, &self.there) {
            (PlanSource::Unfit(_), _) => 0,
            (_, Existing::Other(_) | Existing::UnderWay | Existing::Blocked(_)) => 1,
            _ if self.warning.is_some() => 2,
            (_, Existing::Same(_)) => 3,
            (_, Existing::Nothing { .. }) => 4,
        }
    }

    /// Returns the choices, the default first.
    pub fn choices(&self, direction: &Direction) -> &'static [PlanChoice] {
        use PlanChoice::{Delete, Go, KeepBoth, Replace, Skip, Stop, UseExisting};
        let is_down = matches!(direction, Direction::Down { .. });
        let is_new = matches!(self.there, Existing::Nothing { .. });
        match (&self.source, &self.there) {
            (PlanSource::Unfit(_), _) => &[Skip],
            (PlanSource::Surplus(_), _) => &[Skip, Delete],
            (_, Existing::Nothing { .. }) if self.publishes_hidden(direction) => &[Skip, Go],
            (_, Existing::Other(_)) if self.publishes_hidden(direction) => {
                &[Skip, Replace, KeepBoth, Stop]
            }
            _ if self.is_duplicate(direction) => match (direction.duplicates(), is_new) {
                (Some(DuplicateStrategy::ReturnExisting), true) => &[UseExisting, Skip],
                (Some(DuplicateStrategy::ReturnExisting), false) => {
                    &[Replace, UseExisting, Skip, Stop]
                }
                (_, true) => &[Skip],
                (_, false) => &[Replace, Skip, Stop],
            },
            (_, Existing::Same(_)) if direction.duplicates().is_some() => &[Skip],
            (_, Existing::Nothing { .. }) if self.elsewhere.is_some() => &[Go, UseExisting, Skip],
            (_, Existing::Nothing { .. }) => &[Go, Skip],
            (_, Existing::Same(_)) => &[Skip, KeepBoth],
            (_, Existing::UnderWay) => &[Skip, KeepBoth, Stop],
            (_, Existing::Other(_)) if is_down && self.elsewhere.is_some() => {
                &[UseExisting, KeepBoth, Replace, Skip, Stop]
            }
            (_, Existing::Other(_)) if is_down => &[KeepBoth, Replace, Skip, Stop],
            (_, Existing::Other(_)) if self.is_older() => &[Skip, Replace, KeepBoth, Stop],
            (_, Existing::Other(_)) if self.elsewhere.is_some() => {
                &[Replace, KeepBoth, UseExisting, Skip, Stop]
            }
            (_, Existing::Other(_)) => &[Replace, KeepBoth, Skip, Stop],
            (_, Existing::Blocked(_)) => &[KeepBoth, Skip, Stop],
        }
    }

    /// Returns `true` if it would let others read something hidden, unasked
    /// (`guarantees.md#nothing-is-published-unasked`).
    pub fn publishes_hidden(&self, direction: &Direction) -> bool {
        let replaces_public = || match &self.there {
            Existing::Other(there) => there.access().is_some_and(Access::is_public),
            _ => false,
        };
        self.is_hidden && (direction.publishes() || replaces_public())
    }

    /// Returns `true` if the service will not store it, by the requested rule for duplicates
    /// (`contract.md#uploads`).
    pub fn is_duplicate(&self, direction: &Direction) -> bool {
        let Direction::Up { into, options, .. } = direction else {
            return false;
        };
        let (Some(path), Some(_)) = (&self.elsewhere, direction.duplicates()) else {
            return false;
        };
        let path = if path.starts_with('/') {
            path.clone()
        } else {
            join(&into.path, path)
        };
        let folder = |path: &str| {
            path.rsplit_once('/')
                .map_or("", |(folder, _)| folder)
                .to_owned()
        };
        options.options.duplicate_validation_scope != Some(DuplicateScope::ExactFolder)
            || folder(&path) == folder(&join(&into.path, &self.name))
    }

    fn stored_source(&self) -> Option<FileSource> {
        match &self.source {
            PlanSource::Local(local) => Some(FileSource::Local(local.clone())),
            PlanSource::Copy(copy) => Some(FileSource::Remote(Box::new(copy.source.clone()))),
            _ => None,
        }
    }

    /// Returns the job for a choice; `None` if there is nothing to do.
    pub fn job(&self, choice: PlanChoice, direction: &Direction) -> Option<Job> {
        match (&self.source, direction, choice) {
            (_, _, PlanChoice::UseExisting | PlanChoice::Skip | PlanChoice::Stop)
            | (PlanSource::Unfit(_), _, _) => None,
            (PlanSource::Surplus(job), _, choice) => {
                (choice == PlanChoice::Delete).then(|| (**job).clone())
            }
            (
                PlanSource::Local(_) | PlanSource::Copy(_),
                Direction::Up { options, .. },
                PlanChoice::Replace,
            ) => {
                let Existing::Other(ExistingFile::Remote(file)) = &self.there else {
                    return None;
                };
                Some(Job::Replace {
                    source: self.stored_source()?,
                    file: file.item.clone(),
                    seen: file.state.clone(),
                    charset: options.charset.clone(),
                    access: None,
                })
            }
            (
                PlanSource::Local(_) | PlanSource::Copy(_),
                Direction::Up {
                    into,
                    options,
                    asked_at,
                },
                PlanChoice::Go | PlanChoice::KeepBoth,
            ) => {
                let source = self.stored_source()?;
                let is_own = source.name() == Some(&self.name);
                let options = match &self.source {
                    PlanSource::Copy(copy) => copy.options.clone(),
                    _ => (**options).clone(),
                };
                Some(Job::Upload {
                    source,
                    into: into.clone(),
                    name: (!is_own).then(|| self.name.clone()),
                    options,
                    present: false,
                    free_at: (choice == PlanChoice::Go).then_some(*asked_at),
                })
            }
            (PlanSource::EmptyFolder, Direction::Up { into, .. }, _) => Some(Job::CreateFolder {
                parent: into.clone(),
                name: self.name.clone(),
            }),
            (PlanSource::EmptyFolder, Direction::Down { into, .. }, _) => {
                Some(Job::CreateLocalFolder {
                    into: into.clone(),
                    name: self.name.clone(),
                })
            }
            (PlanSource::Remote(file), Direction::Down { into, numbered }, choice) => {
                let room = match (choice, &self.there) {
                    (PlanChoice::Replace, Existing::Other(ExistingFile::Local(state))) => {
                        Room::Over(*state)
                    }
                    (PlanChoice::Go, _) if !numbered => Room::Free,
                    (_, Existing::Same(_)) => Room::Beside,
                    _ => Room::Numbered,
                };
                let name = (self.name != file.name).then(|| self.name.clone());
                Some(Job::Download {
                    file: file.clone(),
                    into: into.clone(),
                    name,
                    room,
                })
            }
            _ => None,
        }
    }
}

/// Returns the jobs in the best order: those that bring files come first, since a batch is named
/// after its first job.
pub fn jobs<'a>(
    rows: impl IntoIterator<Item = (&'a PlanRow, PlanChoice)>,
    direction: &Direction,
) -> Vec<Job> {
    let mut jobs: Vec<Job> = rows
        .into_iter()
        .filter_map(|(row, choice)| row.job(choice, direction))
        .collect();
    jobs.sort_by_key(|job| match job {
        Job::CreateFolder { .. } | Job::CreateLocalFolder { .. } => 2,
        Job::Delete { .. } | Job::DeleteLocal { .. } => 3,
        Job::Replace { .. } => 1,
        _ => 0,
    });
    jobs
}

/// The imports of a plan, by whether they can be made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlannedImport {
    /// The imports whose names are free, or chosen by the service.
    pub free: Vec<Job>,
    /// The names of the others.
    pub taken: Vec<String>,
}
