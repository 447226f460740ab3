//! Pictures of a grid that are asked for: those in sight once it stands still, then those close below.

use jiff::{SignedDuration, Timestamp};

use super::previews::PreviewKey;
use crate::engine::OpId;
use crate::engine::message::Target;

/// A grid that is scrolled past asks for nothing.
const AFTER: SignedDuration = SignedDuration::from_millis(100);
/// Pictures asked for at a time.
const MOST_ASKED: usize = 6;

/// The asking of one grid.
#[derive(Debug, Clone, Default)]
pub struct Gallery {
    /// What stands first in sight, and since when.
    top: Option<(Target, usize)>,
    since: Option<Timestamp>,
    asked: Vec<(PreviewKey, OpId)>,
    /// Whether something in sight has not been asked for.
    lacks: bool,
}

impl Gallery {
    /// Takes note of what is in sight: the first of so many rows.
    pub fn at(&mut self, top: Option<(Target, usize)>, now: Timestamp) {
        if self.top != top {
            (self.top, self.since) = (top, Some(now));
        }
    }

    /// Whether it stands still.
    pub fn is_at_rest(&self, now: Timestamp) -> bool {
        self.at_rest().is_some_and(|at| at <= now)
    }

    fn at_rest(&self) -> Option<Timestamp> {
        self.since?.checked_add(AFTER).ok()
    }

    /// When it will stand still, if there is something to ask for then.
    pub fn due(&self) -> Option<Timestamp> {
        self.at_rest().filter(|_| self.lacks)
    }

    /// Takes note of whether something in sight has not been asked for.
    pub fn lack(&mut self, lacks: bool) {
        self.lacks = lacks;
    }

    pub fn is_asked(&self, key: &PreviewKey) -> bool {
        self.asked.iter().any(|(asked, _)| asked == key)
    }

    /// How many more may be asked for now.
    pub fn room(&self) -> usize {
        MOST_ASKED.saturating_sub(self.asked.len())
    }

    pub fn ask(&mut self, key: PreviewKey, op: OpId) {
        self.asked.push((key, op));
    }

    /// The picture that an answer is of, if it is still wanted.
    pub fn take(&mut self, op: OpId) -> Option<PreviewKey> {
        let at = self.asked.iter().position(|(_, asked)| *asked == op)?;
        Some(self.asked.swap_remove(at).0)
    }

    /// Gives up those that are not wanted anymore.
    pub fn give_up(&mut self, is_wanted: impl Fn(&PreviewKey) -> bool) -> Vec<OpId> {
        self.asked.extract_if(.., |(key, _)| !is_wanted(key)).map(|(_, op)| op).collect()
    }
}
