//! The files and folders that jobs of this run change, move or delete: panes mark them, and keys
//! skip them.

use std::collections::HashMap;

use crate::engine::OpId;
use crate::engine::batch::BatchId;
use crate::engine::message::Target;

#[derive(Debug, Clone, Default)]
pub struct BusyTargets(HashMap<Target, BusyKind>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BusyKind {
    /// Being queued.
    Asked(OpId),
    Queued(BatchId),
    /// Not done by its batch; a retry makes it busy again.
    Undone(BatchId),
}

impl BusyTargets {
    pub fn ask(&mut self, op: OpId, targets: impl IntoIterator<Item = Target>) {
        self.0.extend(
            targets
                .into_iter()
                .map(|target| (target, BusyKind::Asked(op))),
        );
    }

    pub fn queued(&mut self, op: OpId, batch: BatchId) {
        self.turn(BusyKind::Asked(op), BusyKind::Queued(batch));
    }

    pub fn refused(&mut self, op: OpId) {
        self.0.retain(|_, work| *work != BusyKind::Asked(op));
    }

    pub fn settled(&mut self, batch: BatchId, target: &Target, is_done: bool) {
        match self.0.get_mut(target) {
            Some(work) if *work == BusyKind::Queued(batch) && !is_done => {
                *work = BusyKind::Undone(batch);
            }
            Some(work) if *work == BusyKind::Queued(batch) => {
                self.0.remove(target);
            }
            _ => {}
        }
    }

    /// Releases everything that the batch still holds.
    pub fn ended(&mut self, batch: BatchId) {
        self.turn(BusyKind::Queued(batch), BusyKind::Undone(batch));
    }

    /// Takes back everything that the batch did not do, for a retry.
    pub fn again(&mut self, batch: BatchId) {
        self.turn(BusyKind::Undone(batch), BusyKind::Queued(batch));
    }

    /// Takes back one entry that the batch did not do, for a retry.
    pub fn again_for(&mut self, batch: BatchId, target: &Target) {
        if let Some(work) = self
            .0
            .get_mut(target)
            .filter(|work| **work == BusyKind::Undone(batch))
        {
            *work = BusyKind::Queued(batch);
        }
    }

    /// Returns `true` while a job changes, moves or deletes the entry.
    pub fn holds(&self, target: &Target) -> bool {
        !self.0.is_empty()
            && matches!(
                self.0.get(target),
                Some(BusyKind::Asked(_) | BusyKind::Queued(_))
            )
    }

    fn turn(&mut self, from: BusyKind, into: BusyKind) {
        for work in self.0.values_mut().filter(|work| **work == from) {
            *work = into;
        }
    }
}
