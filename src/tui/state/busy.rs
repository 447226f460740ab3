//! What jobs of this run change, move or delete: the panes mark it, and keys leave it alone until it is given back.

use std::collections::HashMap;

use crate::engine::OpId;
use crate::engine::batch::BatchId;
use crate::engine::message::Target;

/// Files and folders at work.
#[derive(Debug, Clone, Default)]
pub struct BusyTargets(HashMap<Target, BusyKind>);

/// What one of them is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BusyKind {
    /// On its way into the queue.
    Asked(OpId),
    Queued(BatchId),
    /// Given back undone; a retry takes it again.
    Undone(BatchId),
}

impl BusyTargets {
    /// They are asked for.
    pub fn ask(&mut self, op: OpId, targets: impl IntoIterator<Item = Target>) {
        self.0.extend(targets.into_iter().map(|target| (target, BusyKind::Asked(op))));
    }

    /// The queue has taken what was asked for.
    pub fn queued(&mut self, op: OpId, batch: BatchId) {
        self.turn(BusyKind::Asked(op), BusyKind::Queued(batch));
    }

    /// The queue has not taken what was asked for.
    pub fn refused(&mut self, op: OpId) {
        self.0.retain(|_, work| *work != BusyKind::Asked(op));
    }

    /// The job on one of them has ended.
    pub fn settled(&mut self, batch: BatchId, target: &Target, is_done: bool) {
        match self.0.get_mut(target) {
            Some(work) if *work == BusyKind::Queued(batch) && !is_done => *work = BusyKind::Undone(batch),
            Some(work) if *work == BusyKind::Queued(batch) => {
                self.0.remove(target);
            }
            _ => {}
        }
    }

    /// Gives back all that a batch still has.
    pub fn ended(&mut self, batch: BatchId) {
        self.turn(BusyKind::Queued(batch), BusyKind::Undone(batch));
    }

    /// What a batch did not do is done again.
    pub fn again(&mut self, batch: BatchId) {
        self.turn(BusyKind::Undone(batch), BusyKind::Queued(batch));
    }

    /// One of those that a batch did not do is done again.
    pub fn again_for(&mut self, batch: BatchId, target: &Target) {
        if let Some(work) = self.0.get_mut(target).filter(|work| **work == BusyKind::Undone(batch)) {
            *work = BusyKind::Queued(batch);
        }
    }

    /// Whether a job is changing, moving or deleting it.
    pub fn holds(&self, target: &Target) -> bool {
        !self.0.is_empty() && matches!(self.0.get(target), Some(BusyKind::Asked(_) | BusyKind::Queued(_)))
    }

    fn turn(&mut self, from: BusyKind, into: BusyKind) {
        for work in self.0.values_mut().filter(|work| **work == from) {
            *work = into;
        }
    }
}
