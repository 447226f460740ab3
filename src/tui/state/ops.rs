//! The pending reads: creates their ids and remembers what each was for. An answer to an unknown id
//! is stale.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::reads::Read;
use crate::engine::message::{Progress, WaitReason};
use crate::engine::{OpId, SessionId};

#[derive(Debug, Clone)]
pub struct Ops {
    session: SessionId,
    last: u64,
    reads: BTreeMap<OpId, Read>,
    /// The progress of reads that the engine has started.
    pace: BTreeMap<OpId, ReadProgress>,
}

/// The start of a read, and its current wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadProgress {
    pub since: Timestamp,
    /// The time until which nothing is sent, and the reason.
    pub wait: Option<(Timestamp, WaitReason)>,
}

impl Ops {
    pub fn new(session: SessionId) -> Self {
        Self {
            session,
            last: 0,
            reads: BTreeMap::new(),
            pace: BTreeMap::new(),
        }
    }

    pub fn session(&self) -> SessionId {
        self.session
    }

    pub fn mint(&mut self) -> OpId {
        self.last += 1;
        OpId {
            session: self.session,
            number: self.last,
        }
    }

    /// Remembers a read; its answer is recognized by the id.
    pub fn read(&mut self, read: impl Into<Read>) -> OpId {
        let op = self.mint();
        self.reads.insert(op, read.into());
        op
    }

    /// Records the progress of a read; ignores any other operation.
    pub fn advance_read(&mut self, op: OpId, progress: &Progress, now: Timestamp) {
        if self.reads.contains_key(&op) {
            let pace = self.pace.entry(op).or_insert(ReadProgress {
                since: now,
                wait: None,
            });
            pace.wait = match progress {
                Progress::Waiting { wait, reason } => {
                    Some((now.saturating_add(*wait).unwrap_or(now), *reason))
                }
                _ => None,
            };
        }
    }

    /// The progress of a read; `None` if it is over or has not begun.
    pub fn pace(&self, op: OpId) -> Option<ReadProgress> {
        self.pace.get(&op).copied()
    }

    /// Removes an ended read and returns it; `None` if it is stale.
    pub fn end_read(&mut self, op: OpId) -> Option<Read> {
        self.pace.remove(&op);
        self.reads.remove(&op)
    }

    pub fn reads(&self, wanted: impl Fn(&Read) -> bool) -> Vec<OpId> {
        self.reads
            .iter()
            .filter(|(_, read)| wanted(read))
            .map(|(op, _)| *op)
            .collect()
    }

    /// Drops the pending reads for which `wanted` holds and returns them; their answers will be
    /// stale.
    pub fn end_reads(&mut self, wanted: impl Fn(&Read) -> bool) -> Vec<(OpId, Read)> {
        let ended: Vec<_> = self.reads.extract_if(.., |_, read| wanted(read)).collect();
        for (op, _) in &ended {
            self.pace.remove(op);
        }
        ended
    }

    /// Drops everything: nobody is left to answer.
    pub fn forget_all(&mut self) {
        self.pace.clear();
        self.reads.clear();
    }

    pub fn is_queueing(&self) -> bool {
        self.reads
            .values()
            .any(|read| matches!(read, Read::QueueRead(_)))
    }

    pub fn awaits(&self, op: OpId) -> bool {
        self.reads.contains_key(&op)
    }

    pub fn is_busy(&self) -> bool {
        !self.reads.is_empty()
    }
}
