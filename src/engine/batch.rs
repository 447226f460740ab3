//! A batch: jobs requested at once, and shown, paused, and cancelled together. Plain data, as the
//! queue reports it.

use jiff::Timestamp;

use super::item::what;
use super::job::{Job, JobKind};
use super::source::in_account;
use super::wait::WaitReason;
use crate::api::Error;
use crate::api::ids::TaskId;
use crate::api::model::TaskStatus;
use crate::api::text::visible;

/// The id of a batch in the journal, through all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchId(pub i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId {
    pub batch: BatchId,
    /// Its position in the batch as requested.
    pub number: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub id: BatchId,
    /// The kind of its first job.
    pub kind: JobKind,
    /// Safe to show.
    pub label: String,
    pub state: BatchState,
    pub counts: Counts,
    /// The number of its jobs of which more is known than the count: what earlier runs have done is
    /// only counted.
    pub listed: usize,
    pub bytes: Bytes,
    /// The running jobs, in the order of the batch.
    pub running: Vec<RunningJob>,
    /// The last failure that a retry can mend, else the last: what its job worked on, safe to show,
    /// and why.
    pub failure: Option<(String, Error)>,
    pub asked_at: Timestamp,
    /// The time at which the first of its jobs left the queue.
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum BatchState {
    Queued,
    Running,
    /// Nothing more of it is started for now.
    Held(Hold),
    /// Everything to do is done, failed, or cancelled.
    Ended,
}

/// The reason why a batch is held.
#[derive(Debug, Clone, PartialEq)]
pub enum Hold {
    Paused,
    /// An earlier run was cut short, and the rest changes or deletes something, or a script
    /// requested it.
    Restarted,
    /// All of its jobs would fail for this reason. Without a time, it waits to be resumed.
    Cause {
        error: Error,
        until: Option<Timestamp>,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub total: usize,
    pub running: usize,
    pub done: usize,
    pub failed: usize,
    /// Not started, or given up, because the batch was cancelled.
    pub cancelled: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Moved so far, without failed transfers.
    pub done: u64,
    /// The bytes to move; `None` if not known.
    pub total: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RunningJob {
    /// Safe to show.
    pub label: String,
    /// Bytes moved so far, and the total if known.
    pub bytes: Option<(u64, Option<u64>)>,
    /// The time until which nothing is sent, and the reason.
    pub waiting: Option<(Timestamp, WaitReason)>,
    pub remote: Option<RemoteTarget>,
}

/// The service's own task behind a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteTarget {
    pub id: TaskId,
    /// `None` until the first poll is answered.
    pub status: Option<TaskStatus>,
    pub next_poll: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Starts nothing more of it; running jobs continue to their end.
    Pause(BatchId),
    /// Continues a held batch.
    Resume(BatchId),
    /// Ends it: running changes are finished, transfers are given up.
    Cancel(BatchId),
    /// Ends one of its jobs, unless that is a running change.
    CancelJob(JobId),
    /// Retries what failed or was cancelled.
    Retry(BatchId),
    /// Retries one of its jobs that failed or was cancelled.
    RetryJob(JobId),
    /// Retries what failed, in all batches, or in all but those that ended before this run.
    RetryFailed { older: bool },
    /// Puts it before all others.
    MoveToTop(BatchId),
    /// Starts nothing more of any batch, or continues.
    PauseQueue(bool),
    /// Forgets the batches that ended well or were cancelled; if there are none, the failed ones,
    /// too.
    ClearEnded,
}

impl Batch {
    pub fn is_live(&self) -> bool {
        self.state != BatchState::Ended
    }

    pub fn has_failed(&self) -> bool {
        !self.is_live() && self.counts.failed > 0
    }

    /// Returns `true` if it ended before all of it was tried.
    pub fn is_cancelled(&self) -> bool {
        !self.is_live() && self.counts.cancelled > 0
    }

    /// Returns `true` if it has jobs to list below it: a single one is the batch itself.
    pub fn can_unfold(&self) -> bool {
        self.counts.total > 1 && self.listed > 0
    }

    pub fn can_retry(&self) -> bool {
        !self.is_live() && self.counts.failed + self.counts.cancelled > 0
    }

    /// The error of a failed batch of which everything that failed would fail again.
    pub fn final_failure(&self) -> Option<&Error> {
        let (_, error) = self.failure.as_ref().filter(|_| self.has_failed())?;
        Some(error).filter(|error| error.is_final())
    }
}

impl Counts {
    pub fn waiting(&self) -> usize {
        self.total
            .saturating_sub(self.running + self.done + self.failed + self.cancelled)
    }

    pub fn settled(&self) -> usize {
        self.done + self.failed + self.cancelled
    }
}

/// Returns the kind that names a batch: that of its first job, but uploads that replace some files
/// are uploads.
pub fn kind(jobs: &[Job]) -> Option<JobKind> {
    let first = jobs.first()?.kind();
    let is_upload = |job: &Job| job.kind() == JobKind::Upload;
    let is_mixed = first == JobKind::Replace && jobs.iter().any(is_upload);
    Some(if is_mixed { JobKind::Upload } else { first })
}

/// Describes what jobs of an account work on, safe to show: for a single one its label, or else
/// `3 files → /in`, for downloads `3 files in /in → /home/ada`. Copies name both accounts:
/// `3 files in @acme:/in → @live:/in`.
pub fn label(jobs: &[Job], account: &str) -> String {
    let ([first, rest @ ..], Some(kind)) = (jobs, kind(jobs)) else {
        return String::new();
    };
    let is_copy = kind == JobKind::Copy;
    if rest.is_empty() && !is_copy {
        return first.label();
    }
    let items: Vec<_> = jobs.iter().filter_map(Job::item).collect();
    let subject = match kind {
        JobKind::Upload | JobKind::Copy | JobKind::Replace => {
            let is_file = |job: &&Job| job.kind() != JobKind::CreateFolder;
            let files = match jobs.iter().filter(is_file).count() {
                _ if rest.is_empty() => first.subject(),
                1 => "1 file".to_owned(),
                count => format!("{count} files"),
            };
            let from = copied_from(jobs).map(|from| format!(" in {from}"));
            format!("{files}{}", from.unwrap_or_default())
        }
        JobKind::Download => {
            let from = items
                .iter()
                .map(|item| parent(&visible(&item.path)).to_owned());
            let from = common(from).map(|from| format!(" in {from}"));
            format!("{}{}", what(items), from.unwrap_or_default())
        }
        _ if items.len() == jobs.len() => what(items),
        _ => format!("{} {}", jobs.len(), plural(kind)),
    };
    let into = match kind {
        JobKind::Upload | JobKind::Copy | JobKind::Replace | JobKind::Download => {
            common(folders(jobs))
        }
        _ => first.destination().filter(|_| {
            jobs.iter()
                .all(|job| job.destination() == first.destination())
        }),
    };
    let into = into.map(|into| {
        if is_copy {
            in_account(account, &into)
        } else {
            into
        }
    });
    into.map_or_else(|| subject.clone(), |into| format!("{subject} → {into}"))
}

/// Returns the folder that all copies are made from, with its account.
fn copied_from(jobs: &[Job]) -> Option<String> {
    let sources = || jobs.iter().filter_map(Job::remote_source);
    let account = &sources().next()?.account;
    let path = common(sources().map(|source| parent(&visible(&source.file.path)).to_owned()))?;
    Some(in_account(account, &path))
}

/// Returns the folders that the files go into.
fn folders(jobs: &[Job]) -> impl Iterator<Item = String> {
    jobs.iter().filter_map(|job| match job {
        Job::Replace { file, .. } => Some(parent(&visible(&file.path)).to_owned()),
        job => job.destination(),
    })
}

/// Returns the innermost folder that all of these are in.
fn common(folders: impl Iterator<Item = String>) -> Option<String> {
    folders.reduce(|common, folder| {
        let is_above = |path: &str| {
            path == "/"
                || folder
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut path = common.as_str();
        while !is_above(path) {
            path = parent(path);
        }
        path.to_owned()
    })
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/')
        .map(|(above, _)| above)
        .filter(|above| !above.is_empty())
        .unwrap_or("/")
}

fn plural(kind: JobKind) -> &'static str {
    match kind {
        JobKind::CreateFolder
        | JobKind::CreateLocalFolder
        | JobKind::UpdateFolder
        | JobKind::RenameFolder => "folders",
        JobKind::Import => "addresses",
        _ => "files",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ids::FileId;
    use crate::api::model::{Access, UploadOptions};
    use crate::engine::item::{Item, Target};
    use crate::engine::job::Room;
    use crate::engine::message::FolderRef;
    use crate::engine::source::{FileSource, RemoteSource};

    fn copied(path: &str, is_new: bool) -> Job {
        let file = Item {
            target: Target::File(FileId::new("1")),
            path: path.to_owned(),
            name: path.rsplit('/').next().unwrap().to_owned(),
            size: None,
            md5: None,
        };
        let source = FileSource::Remote(Box::new(RemoteSource {
            account: "sandbox https://api.example".to_owned(),
            file: file.clone(),
            state: None,
        }));
        if is_new {
            Job::Upload {
                source,
                into: FolderRef::root(),
                name: Some(path.trim_start_matches('/').to_owned()),
                options: UploadOptions::new(Access::Private).into(),
                present: false,
                free_at: None,
            }
        } else {
            Job::Replace {
                source,
                file,
                seen: None,
                charset: None,
                access: None,
            }
        }
    }

    // A replacement was a task "Replace with a.txt": without its accounts, and without a map.
    #[rstest::rstest]
    #[case::new(&[copied("/in/a.txt", true)], "a.txt in @sandbox:/in → @live:/in")]
    #[case::changed(&[copied("/in/a.txt", false)], "a.txt in @sandbox:/in → @live:/in")]
    #[case::both(
        &[copied("/in/a.txt", false), copied("/in/b/c.txt", true)],
        "2 files in @sandbox:/in → @live:/in"
    )]
    fn copies_name_both_accounts(#[case] jobs: &[Job], #[case] expected: &str) {
        assert_eq!(kind(jobs), Some(JobKind::Copy));
        assert_eq!(label(jobs, "live https://api.example"), expected);
    }

    #[test]
    fn files_of_several_folders_are_said_to_go_into_what_they_share() {
        let upload = |name: &str| Job::Upload {
            source: FileSource::Local("/tmp/x".into()),
            into: FolderRef {
                id: None,
                path: "/in".to_owned(),
            },
            name: Some(name.to_owned()),
            options: UploadOptions::new(Access::Private).into(),
            present: false,
            free_at: None,
        };
        let empty = Job::CreateFolder {
            parent: FolderRef::root(),
            name: "in/a/z".to_owned(),
        };
        assert_eq!(
            label(&[upload("a/b.png"), upload("a/c/d.png")], "acme"),
            "2 files → /in/a"
        );
        assert_eq!(
            label(&[upload("a.png"), upload("ab/d.png"), empty], "acme"),
            "2 files → /in"
        );
        let download = |path: &str, name: &str| Job::Download {
            file: Item {
                target: Target::File(FileId::new("1")),
                path: path.to_owned(),
                name: name.to_owned(),
                size: None,
                md5: None,
            },
            into: "/home/ada".into(),
            name: Some(name.to_owned()),
            room: Room::Numbered,
        };
        assert_eq!(
            label(
                &[
                    download("/in/a.txt", "in/a.txt"),
                    download("/in/b/c.txt", "in/b/c.txt")
                ],
                "acme"
            ),
            "2 files in /in → /home/ada/in"
        );
    }
}
