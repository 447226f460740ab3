//! Short messages that go away by themselves. What they said stays in the activity log.

use jiff::{SignedDuration, Timestamp};

/// How serious a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
    Error,
}

/// A message on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    pub level: Level,
    /// Safe to show, one line.
    pub text: String,
    pub until: Timestamp,
}

/// The messages now on the screen, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Toasts(Vec<Toast>);

/// More would hide the list.
const MOST: usize = 3;

impl Toasts {
    /// Shows a message: 4 s, an error 8 s. The oldest goes when there are too many.
    pub fn push(&mut self, level: Level, text: String, now: Timestamp) {
        let shown = SignedDuration::from_secs(if level == Level::Error { 8 } else { 4 });
        let until = now.saturating_add(shown).unwrap_or(now);
        self.0.retain(|toast| toast.text != text);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(Toast { level, text, until });
    }

    /// Takes away what has been shown long enough.
    pub fn expire(&mut self, now: Timestamp) {
        self.0.retain(|toast| toast.until > now);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Toast> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// When the next message goes away.
    pub fn next_expiry(&self) -> Option<Timestamp> {
        self.0.iter().map(|toast| toast.until).min()
    }
}

impl<'a> IntoIterator for &'a Toasts {
    type Item = &'a Toast;
    type IntoIter = std::slice::Iter<'a, Toast>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
