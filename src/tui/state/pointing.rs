//! What the mouse has begun: a click that may become a double click, a splitter or a scrollbar that is being dragged.

use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Position;

use super::panes::{Pane, Splitter};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pointing {
    /// The last press, unless it was the second of two.
    last: Option<(Position, Timestamp)>,
    /// Follows the mouse until its button is let go.
    pub held: Option<Drag>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    Splitter(Splitter),
    Scrollbar(Scrolled),
}

/// What has rows and a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scrolled {
    Tree,
    Local,
    List,
    Comparison,
    Tasks,
    Limits,
    Activity,
}

impl Scrolled {
    /// Which pane of the files view they are.
    pub fn pane(self) -> Option<Pane> {
        match self {
            Self::Tree => Some(Pane::Tree),
            Self::Local => Some(Pane::Local),
            Self::List => Some(Pane::List),
            Self::Comparison | Self::Tasks | Self::Limits | Self::Activity => None,
        }
    }
}

/// Two presses within this time are one double click.
const DOUBLE: SignedDuration = SignedDuration::from_millis(400);

impl Pointing {
    /// Takes note of a press; whether it is the second one of a double click.
    pub fn press(&mut self, at: Position, now: Timestamp) -> bool {
        let before = self.last.take();
        let is_double = before.is_some_and(|(place, then)| place == at && now.duration_since(then) <= DOUBLE);
        self.last = (!is_double).then_some((at, now));
        is_double
    }
}
