//! The operations under way: mints their ids, knows what each was asked for. An answer to an id that is not here is stale.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::task::{Status, Task};
use crate::api::ids::{FileId, FolderId};
use crate::engine::message::{Progress, WaitReason};
use crate::engine::{Job, OpId};

/// Reads in the background, and the tasks that the user sees.
#[derive(Debug, Clone, Default)]
pub struct Ops {
    last: u64,
    reads: BTreeMap<OpId, Read>,
    /// How the reads go that have left the queue.
    pace: BTreeMap<OpId, Pace>,
    /// In the order of asking.
    pub tasks: Vec<Task>,
    /// Index into `tasks`.
    pub cursor: usize,
}

/// How long a read has been under way, and what it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub since: Timestamp,
    /// Nothing is sent until then, and why.
    pub wait: Option<(Timestamp, WaitReason)>,
}

/// What a read in the background was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// Something of the open folder.
    Listing,
    /// Sub-folders of a folder of the tree.
    Branch(Option<FolderId>),
    Details(FileId),
    /// A path that the user wants to go to.
    GoTo(String),
    /// Whether the open folder, which came up empty, is still there.
    StillThere(FolderId),
    /// A folder above the one at `lost`, which is gone.
    Nearest {
        path: String,
        lost: String,
    },
    /// A signed address of a file, to be copied. `label` is safe to show.
    Link {
        label: String,
    },
    /// Names in a local folder, for the dialog that is open.
    Names,
    Limits,
    Associations {
        from: String,
    },
    Unfinished,
}

/// Ended tasks are forgotten, oldest first, when there are more.
const MOST: usize = 500;

impl Ops {
    fn mint(&mut self) -> OpId {
        self.last += 1;
        OpId(self.last)
    }

    /// Remembers a read; its answer is recognised by the id.
    pub fn read(&mut self, read: Read) -> OpId {
        let op = self.mint();
        self.reads.insert(op, read);
        op
    }

    /// Takes what the engine tells of a read's way; nothing if it is not a read.
    pub fn advance_read(&mut self, op: OpId, progress: &Progress, now: Timestamp) {
        if self.reads.contains_key(&op) {
            let pace = self.pace.entry(op).or_insert(Pace { since: now, wait: None });
            pace.wait = match progress {
                Progress::Waiting { wait, reason } => Some((now.saturating_add(*wait).unwrap_or(now), *reason)),
                _ => None,
            };
        }
    }

    /// How a read goes; none if it is over or has not begun.
    pub fn pace(&self, op: OpId) -> Option<Pace> {
        self.pace.get(&op).copied()
    }

    /// What an ended read was asked for; none if it is stale or a task.
    pub fn end_read(&mut self, op: OpId) -> Option<Read> {
        self.pace.remove(&op);
        self.reads.remove(&op)
    }

    /// The reads under way for which `wanted` holds.
    pub fn reads(&self, wanted: impl Fn(&Read) -> bool) -> Vec<OpId> {
        self.reads.iter().filter(|(_, read)| wanted(read)).map(|(op, _)| *op).collect()
    }

    /// Adds a task to the end of the list.
    pub fn start(&mut self, job: Job, now: Timestamp) -> OpId {
        let op = self.mint();
        self.tasks.push(Task::new(op, job.label(), job, now));
        if self.tasks.len() > MOST
            && let Some(oldest) = self.tasks.iter().position(|task| !task.is_live())
        {
            self.tasks.remove(oldest);
            self.cursor = self.cursor.saturating_sub(1);
        }
        op
    }

    /// Puts `job` in the place of a task that ended; it goes out under a new id.
    pub fn retry(&mut self, op: OpId, job: Job, now: Timestamp) -> Option<OpId> {
        let fresh = self.mint();
        let task = self.tasks.iter_mut().find(|task| task.op == op && !task.is_live())?;
        *task = Task::new(fresh, task.label.clone(), job, now);
        Some(fresh)
    }

    pub fn task(&self, op: OpId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.op == op)
    }

    pub fn task_mut(&mut self, op: OpId) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.op == op)
    }

    /// The task under the cursor of the tasks view.
    pub fn selected(&self) -> Option<&Task> {
        self.tasks.get(self.cursor)
    }

    /// Queued, running and waiting tasks, in the order of asking.
    pub fn live(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| task.is_live())
    }

    /// Tasks that failed and were neither retried nor cleared.
    pub fn failed(&self) -> usize {
        self.tasks.iter().filter(|task| matches!(task.status, Status::Failed(_))).count()
    }

    /// Whether anything is under way, reads included.
    pub fn is_busy(&self) -> bool {
        !self.reads.is_empty() || self.live().next().is_some()
    }

    /// Forgets the tasks that are done or cancelled, and says how many. Where there are none, the failed ones go.
    pub fn clear_ended(&mut self) -> usize {
        let before = self.tasks.len();
        let op = self.selected().map(|task| task.op);
        let is_settled = |task: &Task| matches!(task.status, Status::Done | Status::Cancelled);
        if self.tasks.iter().any(is_settled) {
            self.tasks.retain(|task| !is_settled(task));
        } else {
            self.tasks.retain(Task::is_live);
        }
        let at = self.tasks.iter().position(|task| Some(task.op) == op);
        self.cursor = at.unwrap_or_else(|| self.cursor.min(self.tasks.len().saturating_sub(1)));
        before - self.tasks.len()
    }

    /// Puts the cursor on a task that wants a look: one that runs, else the last one that failed, else the last one.
    /// It stays where it is on a task that is live or failed.
    pub fn seek_urgent(&mut self) {
        let is_failed = |task: &Task| task.error().is_some();
        if self.selected().is_some_and(|task| task.is_live() || is_failed(task)) {
            return;
        }
        let live = self.tasks.iter().position(Task::is_live);
        let failed = || self.tasks.iter().rposition(is_failed);
        self.cursor = live.or_else(failed).unwrap_or_else(|| self.tasks.len().saturating_sub(1));
    }
}
