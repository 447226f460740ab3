//! The state of mouse gestures: a click that may become a double click, and a splitter or scrollbar
//! being dragged.

use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Position;

use super::panes::{Pane, Splitter};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pointing {
    /// The last press, unless it was the second of a double click.
    last: Option<(Position, Timestamp)>,
    /// The drag in progress, until the button is released.
    pub held: Option<Drag>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    Splitter(Splitter),
    Scrollbar(Pane),
}

/// The longest time between the two presses of a double click.
const DOUBLE: SignedDuration = SignedDuration::from_millis(400);

impl Pointing {
    /// Records a press; returns `true` if it completes a double click.
    pub fn press(&mut self, at: Position, now: Timestamp) -> bool {
        let before = self.last.take();
        let is_double =
            before.is_some_and(|(place, then)| place == at && now.duration_since(then) <= DOUBLE);
        self.last = (!is_double).then_some((at, now));
        is_double
    }
}
