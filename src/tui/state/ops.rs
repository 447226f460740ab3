//! The reads and requests under way: mints their ids, knows what each was asked for. An answer to an id that is not here
//! is stale.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::reads::Read;
use crate::engine::message::{Progress, WaitReason};
use crate::engine::{OpId, SessionId};

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

impl Ops {
    /// None yet; all of them will be of that session.
    pub fn new(session: SessionId) -> Self {
        Self { session, last: 0, reads: BTreeMap::new(), pace: BTreeMap::new() }
    }

    pub fn session(&self) -> SessionId {
        self.session
    }

    /// An id that nothing else has.
    pub fn mint(&mut self) -> OpId {
        self.last += 1;
        OpId { session: self.session, number: self.last }
    }

    /// Remembers a read; its answer is recognized by the id.
    pub fn read(&mut self, read: impl Into<Read>) -> OpId {
        let op = self.mint();
        self.reads.insert(op, read.into());
        op
    }

    /// Takes the progress of a read; does nothing if it is not a read.
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
        self.end_reads(|read| !matches!(read, Read::QueueRead(_))).into_iter().map(|(op, _)| op).collect()
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
        self.reads.values().any(|read| matches!(read, Read::QueueRead(_)))
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
