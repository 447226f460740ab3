//! The activity log of this run: every message that was shown, with the error behind it.

use std::collections::VecDeque;

use jiff::Timestamp;

use super::status::MessageLevel;
use crate::api::Error;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug, Clone, PartialEq)]
pub struct ActivityEntry {
    pub at: Timestamp,
    pub level: MessageLevel,
    /// One line, safe to show.
    pub text: String,
    pub error: Option<Error>,
    /// The keys that help after the failure; may be empty.
    pub next: String,
}

/// The log, newest entry first.
#[derive(Debug, Clone, Default)]
pub struct Activity {
    entries: VecDeque<ActivityEntry>,
    cursor: ListCursor,
    /// The number of warnings and errors since the log was last viewed.
    unseen: usize,
}

/// The number of newest entries that are searched for the same failure.
const AGAIN: usize = 8;
/// The most entries kept; older ones are dropped.
const MOST: usize = 1_000;

impl ActivityEntry {
    pub fn failed(at: Timestamp, text: String, error: &Error) -> Self {
        Self {
            error: Some(error.clone()),
            ..Self::new(at, MessageLevel::Error, text)
        }
    }

    pub fn new(at: Timestamp, level: MessageLevel, text: String) -> Self {
        Self {
            at,
            level,
            text,
            error: None,
            next: String::new(),
        }
    }
}

impl Activity {
    /// Adds an entry. A repeated failure or refusal, as while the service is down, replaces the
    /// earlier entry.
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
        // A cursor that is not on the newest entry stays on its own.
        let (at, len) = (self.cursor.at(), self.entries.len());
        let is_below = at > 0 && again.is_none_or(|again| again > at);
        self.cursor = self.cursor.on(at + usize::from(is_below), len);
    }

    /// Returns the entries, newest first.
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

    /// Marks everything as seen.
    pub fn mark_seen(&mut self) {
        self.unseen = 0;
    }

    pub fn selected(&self) -> Option<&ActivityEntry> {
        self.entries.get(self.cursor.at())
    }

    pub fn cursor(&self) -> ListCursor {
        self.cursor
    }

    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        change(&mut self.cursor);
    }
}
