//! The reads and requests under way: mints their ids, knows what each was asked for. An answer to an id that is not here
//! is stale.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::api::ids::{FileId, FolderId};
use crate::engine::Item;
use crate::engine::Job;
use crate::engine::OpId;
use crate::engine::SessionId;
use crate::engine::batch::{BatchId, Control, JobId};
use crate::engine::deletion::Deletion;
use crate::engine::limits::Report;
use crate::engine::message::{Progress, WaitReason};

/// What the engine was asked for and has not answered.
#[derive(Debug, Clone)]
pub struct Ops {
    session: SessionId,
    last: u64,
    reads: BTreeMap<OpId, Read>,
    /// How the reads go that have left the queue.
    pace: BTreeMap<OpId, ReadProgress>,
}

/// How long a read has been under way, and what it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadProgress {
    pub since: Timestamp,
    /// Nothing is sent until then, and why.
    pub wait: Option<(Timestamp, WaitReason)>,
}

/// What a signed address is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenLink {
    Copy,
    Browse,
}

/// What the files that went with a folder are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenDeleted {
    List,
    /// To ask whether they are to be deleted for good.
    Purge,
}

/// What the engine was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Read {
    /// Something of the open folder.
    Listing,
    /// Sub-folders of a folder of the tree.
    Branch(Option<FolderId>),
    Details(FileId),
    /// A look into what is under the cursor.
    Preview,
    /// A path that the user wants to go to.
    GoTo(String),
    /// Whether the open folder, which came up empty, is still there.
    CheckFolder(FolderId),
    /// A folder above the one at `lost`, which is gone.
    NearestFolder {
        path: String,
        lost: String,
    },
    /// A signed address of a file. `label` is safe to show.
    Link {
        label: String,
        then: ThenLink,
    },
    /// All of a file, to be copied as JSON. `label` is safe to show.
    Json {
        label: String,
    },
    /// Names in a local folder, for the dialog that is open.
    Names,
    /// Whether the local file can be sent that a dialog names; then this is asked for.
    CheckReplacement(Box<Job>),
    /// A report on limits.
    Limits(Report),
    /// To keep what was read of the limits.
    Remember,
    /// What was deleted from here.
    Deletions,
    /// The files that went with a folder.
    DeletedWith {
        folder: Box<Deletion>,
        then: ThenDeleted,
    },
    /// To write a table into a file.
    Export,
    /// To put jobs into the queue. `what` says what came to nothing if it does not take them; safe to show.
    Queue {
        what: String,
    },
    /// To tell the queue what to do; `then` is said when it has been told.
    Control {
        control: Control,
        then: Option<String>,
    },
    /// How a task of the service stands, by this id.
    ServiceTask(String),
    /// How the task behind a job stands.
    TaskOfJob(JobId),
    /// What failed of a batch.
    Failures(BatchId),
    /// What an upload or a download would meet.
    Plan,
    /// How much lies in folders, for the dialog that asks whether to delete them.
    MeasureFolders,
    /// A text to be edited.
    EditText(Item),
    /// The texts that runs have left: at the start of a session, or because a key asks for them.
    UnsavedEdits {
        is_start: bool,
    },
    /// The text of this file, to discard it.
    DiscardText(Item),
}

impl Read {
    /// Whether a pane asks for it by itself: no dialog waits for it, and nobody has asked for it by a key alone.
    pub fn is_of_pane(&self) -> bool {
        matches!(
            self,
            Self::Listing
                | Self::Branch(_)
                | Self::Details(_)
                | Self::Preview
                | Self::CheckFolder(_)
                | Self::NearestFolder { .. }
                | Self::Limits(_)
                | Self::Remember
                | Self::UnsavedEdits { is_start: true }
                | Self::Control { control: Control::Watch { .. }, .. }
        )
    }
}

impl Ops {
    /// None yet; all of them will be of that session.
    pub fn new(session: SessionId) -> Self {
        Self { session, last: 0, reads: BTreeMap::new(), pace: BTreeMap::new() }
    }

    pub fn session(&self) -> SessionId {
        self.session
    }

    fn mint(&mut self) -> OpId {
        self.last += 1;
        OpId { session: self.session, number: self.last }
    }

    /// Remembers a read; its answer is recognized by the id.
    pub fn read(&mut self, read: Read) -> OpId {
        let op = self.mint();
        self.reads.insert(op, read);
        op
    }

    /// Takes what the engine tells of a read's way; nothing if it is not a read.
    pub fn advance_read(&mut self, op: OpId, progress: &Progress, now: Timestamp) {
        if self.reads.contains_key(&op) {
            let pace = self.pace.entry(op).or_insert(ReadProgress { since: now, wait: None });
            pace.wait = match progress {
                Progress::Waiting { wait, reason } => Some((now.saturating_add(*wait).unwrap_or(now), *reason)),
                _ => None,
            };
        }
    }

    /// How a read goes; none if it is over or has not begun.
    pub fn pace(&self, op: OpId) -> Option<ReadProgress> {
        self.pace.get(&op).copied()
    }

    /// What an ended read was asked for; none if it is stale.
    pub fn end_read(&mut self, op: OpId) -> Option<Read> {
        self.pace.remove(&op);
        self.reads.remove(&op)
    }

    /// The reads under way for which `wanted` holds.
    pub fn reads(&self, wanted: impl Fn(&Read) -> bool) -> Vec<OpId> {
        self.reads.iter().filter(|(_, read)| wanted(read)).map(|(op, _)| *op).collect()
    }

    /// Forgets what was asked for besides the queue: its answers will be stale. Gives those that were under way.
    pub fn forget_reads(&mut self) -> Vec<OpId> {
        self.end_reads(|read| !matches!(read, Read::Queue { .. })).into_iter().map(|(op, _)| op).collect()
    }

    /// Ends the reads under way for which `wanted` holds: their answers will be stale. Gives them.
    pub fn end_reads(&mut self, wanted: impl Fn(&Read) -> bool) -> Vec<(OpId, Read)> {
        let ended: Vec<_> = self.reads.extract_if(.., |_, read| wanted(read)).collect();
        for (op, _) in &ended {
            self.pace.remove(op);
        }
        ended
    }

    /// What was asked for and is not answered, of a session that is over.
    pub fn into_reads(self) -> impl Iterator<Item = Read> {
        self.reads.into_values()
    }

    /// Forgets all that was asked for: nobody is there to answer.
    pub fn forget_all(&mut self) {
        self.pace.clear();
        self.reads.clear();
    }

    /// Whether jobs are on their way into the queue.
    pub fn is_queueing(&self) -> bool {
        self.reads.values().any(|read| matches!(read, Read::Queue { .. }))
    }

    /// Whether the answer to this is waited for.
    pub fn awaits(&self, op: OpId) -> bool {
        self.reads.contains_key(&op)
    }

    /// Whether an answer is waited for.
    pub fn is_busy(&self) -> bool {
        !self.reads.is_empty()
    }
}
