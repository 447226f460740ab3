//! What has happened in this run: every message that was shown, with the error behind it.

use std::collections::VecDeque;

use jiff::Timestamp;

use super::status::Level;
use crate::api::Error;
use crate::tui::widget::scroll::Stand;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub at: Timestamp,
    pub level: Level,
    /// Safe to show, one line.
    pub text: String,
    /// The error behind it, for the details.
    pub error: Option<Error>,
}

/// The log of a run, newest first.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    entries: VecDeque<Entry>,
    pub cursor: usize,
    pub stand: Stand,
    /// How many warnings and errors came since the log was looked at.
    unseen: usize,
}

/// Older entries are dropped.
const MOST: usize = 1_000;

impl Activity {
    pub fn push(&mut self, entry: Entry) {
        self.unseen += usize::from(!entry.level.is_calm());
        self.entries.push_front(entry);
        self.entries.truncate(MOST);
        if self.cursor > 0 {
            self.cursor = (self.cursor + 1).min(self.entries.len() - 1);
        }
    }

    /// Newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.iter()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn unseen(&self) -> usize {
        self.unseen
    }

    /// The log is on the screen.
    pub fn look(&mut self) {
        self.unseen = 0;
    }

    /// The entry under the cursor.
    pub fn selected(&self) -> Option<&Entry> {
        self.entries.get(self.cursor)
    }
}
