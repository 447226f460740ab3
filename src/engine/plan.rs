//! What sending or saving files would do, name by name, before anything is done; and what can be chosen for each. Plain
//! data, from which the jobs are made.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::item::{Item, Place};
use super::job::Job;
use super::sending::Sending;
use crate::api::model::Access;

/// A file, and what stands where it is to go.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub source: Source,
    /// What it is to be called, after the folders that come with it.
    pub name: String,
    pub size: Option<u64>,
    pub there: There,
    /// The same bytes under another name or in another folder of the account.
    pub elsewhere: Option<String>,
    /// What should be known before, safe to show.
    pub warning: Option<String>,
}

/// What is to be sent or saved.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    Local(PathBuf),
    /// A folder with nothing in it.
    EmptyFolder,
    Remote(Item),
    /// It cannot be sent or saved; why, safe to show.
    Unfit(String),
}

/// What stands where a file is to go.
#[derive(Debug, Clone, PartialEq)]
pub enum There {
    /// Nothing; the folder that is made for it, of the first file in it.
    Nothing { new_folder: Option<String> },
    /// A file of the same name and content.
    Same(Standing),
    /// A file of the same name and other content.
    Other(Standing),
    /// Nothing yet, but another upload of this machine is to be stored there.
    UnderWay,
    /// What no file can be put in the place of: a folder, a link.
    Blocked(&'static str),
}

/// A file that stands there.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// None of a file of this machine.
    pub item: Option<Item>,
    pub size: Option<u64>,
    pub access: Option<Access>,
    pub updated_at: Option<Timestamp>,
    pub md5: Option<String>,
}

/// What can be done with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// Send or save it as it is.
    Go,
    /// Put it in the place of what is there.
    Replace,
    /// Send or save it beside what is there, under a name with a number.
    KeepBoth,
    /// Nothing: the same bytes are in the account.
    UseExisting,
    Skip,
    /// Nothing at all is done while a row stands at this.
    Stop,
}

/// What plans tell as they are made.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// The folder that the files go into, where it was asked for by its path; names go on below it.
    Into(Place),
    /// The next rows, those first that ask for a look.
    Rows(Vec<Row>),
    /// All rows are there; how many bytes this machine's disk has room for, where they come here.
    Complete { room: Option<u64> },
    /// Where the bytes of rows, counted from 0, are already.
    Elsewhere(Vec<(usize, String)>),
}

/// What is done with what is chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// `asked_at` is when the plan was asked for, by this machine's clock.
    Up {
        into: Place,
        options: Box<Sending>,
        asked_at: Timestamp,
    },
    Down {
        into: PathBuf,
    },
}

impl Row {
    /// What can be chosen, what is meant without a word first.
    pub fn choices(&self) -> &'static [Choice] {
        use Choice::{Go, KeepBoth, Replace, Skip, Stop, UseExisting};
        let is_down = matches!(self.source, Source::Remote(_));
        match (&self.source, &self.there) {
            (Source::Unfit(_), _) => &[Skip],
            (_, There::Nothing { .. }) if self.elsewhere.is_some() => &[Go, UseExisting, Skip],
            (_, There::Nothing { .. }) => &[Go, Skip],
            (_, There::Same(_)) => &[Skip, KeepBoth],
            (_, There::UnderWay) => &[Skip, KeepBoth, Stop],
            (_, There::Other(_)) if is_down => &[KeepBoth, Replace, Skip, Stop],
            (_, There::Other(_)) if self.elsewhere.is_some() => &[Replace, KeepBoth, UseExisting, Skip, Stop],
            (_, There::Other(_)) => &[Replace, KeepBoth, Skip, Stop],
            (_, There::Blocked(_)) => &[KeepBoth, Skip, Stop],
        }
    }

    /// What is done with it; none if that is nothing.
    pub fn job(&self, choice: Choice, way: &Way) -> Option<Job> {
        match (&self.source, way, choice) {
            (_, _, Choice::UseExisting | Choice::Skip | Choice::Stop) | (Source::Unfit(_), _, _) => None,
            (Source::Local(local), Way::Up { options, .. }, Choice::Replace) => {
                let There::Other(Standing { item: Some(file), md5, .. }) = &self.there else { return None };
                let (seen, charset) = (md5.clone(), options.charset.clone());
                Some(Job::Replace { local: local.clone(), file: file.clone(), seen, charset })
            }
            (Source::Local(local), Way::Up { into, options, asked_at }, Choice::Go | Choice::KeepBoth) => {
                let is_own = local.file_name().is_some_and(|own| own == Path::new(&self.name));
                Some(Job::Upload {
                    local: local.clone(),
                    into: into.clone(),
                    name: (!is_own).then(|| self.name.clone()),
                    options: (**options).clone(),
                    present: false,
                    free_at: (choice == Choice::Go).then_some(*asked_at),
                })
            }
            (Source::EmptyFolder, Way::Up { into, .. }, _) => {
                Some(Job::CreateFolder { parent: into.clone(), name: self.name.clone() })
            }
            (Source::Remote(file), Way::Down { into }, choice) => {
                Some(Job::Download { file: file.clone(), into: into.clone(), over: choice == Choice::Replace })
            }
            _ => None,
        }
    }
}

/// The jobs of a plan, in the order in which they are best done: what brings files comes first, since a batch is called
/// after its first job.
pub fn jobs<'a>(rows: impl IntoIterator<Item = (&'a Row, Choice)>, way: &Way) -> Vec<Job> {
    let mut jobs: Vec<Job> = rows.into_iter().filter_map(|(row, choice)| row.job(choice, way)).collect();
    jobs.sort_by_key(|job| match job {
        Job::CreateFolder { .. } => 2,
        Job::Replace { .. } => 1,
        _ => 0,
    });
    jobs
}
