//! What has happened in this run: every message that was shown, with the error behind it.

use std::collections::VecDeque;

use jiff::Timestamp;

use super::status::MessageLevel;
use crate::api::Error;
use crate::tui::widget::scroll::CursorOffset;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityEntry {
    pub at: Timestamp,
    pub level: MessageLevel,
    /// Safe to show, one line.
    pub text: String,
    /// The error behind it, for the details.
    pub error: Option<Error>,
    /// Which keys lead on from the failure; may be empty.
    pub next: String,
}

/// The log of a run, newest first.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    entries: VecDeque<ActivityEntry>,
    pub cursor: usize,
    pub cursor_offset: CursorOffset,
    /// How many warnings and errors came since the log was looked at.
    unseen: usize,
}

/// So many of the newest entries are looked at for the same failure.
const AGAIN: usize = 8;
/// Older entries are dropped.
const MOST: usize = 1_000;

impl ActivityEntry {
    /// An error, whose details the log can show.
    pub fn failed(at: Timestamp, text: String, error: &Error) -> Self {
        Self { error: Some(error.clone()), ..Self::new(at, MessageLevel::Error, text) }
    }

    /// A message without an error.
    pub fn new(at: Timestamp, level: MessageLevel, text: String) -> Self {
        Self { at, level, text, error: None, next: String::new() }
    }
}

impl Activity {
    /// The same failure or refusal again, as of a service that is away, is not told twice: it moves up.
    pub fn push(&mut self, entry: ActivityEntry) {
        let may_come_again = entry.error.is_some() || entry.level == MessageLevel::Hint;
        let is_again = |known: &ActivityEntry| may_come_again && known.text == entry.text;
        let again = self.entries.iter().take(AGAIN).position(is_again);
        match again {
            Some(at) => drop(self.entries.remove(at)),
            None => self.unseen += usize::from(!entry.level.is_calm()),
        }
        self.entries.push_front(entry);
        self.entries.truncate(MOST);
        // A cursor that is not on the newest stays on its entry.
        if self.cursor > 0 && again.is_none_or(|at| at > self.cursor) {
            self.cursor = (self.cursor + 1).min(self.entries.len() - 1);
        }
    }

    /// Newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ActivityEntry> {
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
    pub fn selected(&self) -> Option<&ActivityEntry> {
        self.entries.get(self.cursor)
    }
}
