//! The limits dashboard: the reports, their order, the cursor, and what is open.

mod forecast;
mod line;
mod name;
mod order;
mod reports;
mod table;

use jiff::{SignedDuration, Timestamp};

use super::cursor_idle::CursorIdle;
use crate::api::model::ObjectTypeName;
use crate::engine::limits::{LimitEntry, Report};
use crate::tui::widget::scroll::CursorOffset;

pub use forecast::{Forecast, forecast};
pub use line::{Flag, LimitLine, LineValue, flags};
pub use name::{gauge, label, subject, title};
pub use order::{LimitOrder, LimitSortKey};
pub use reports::{Crossing, ReportState, Reports};
pub use table::LimitTable;

/// The reports below the object types, each by its worst.
const OTHERS: [Report; 6] = [
    Report::Records,
    Report::Pipelines,
    Report::Labels,
    Report::CalculatedProperties,
    Report::CustomObjectTypes,
    Report::Sources,
];

/// While nobody looks at them.
pub const IN_BACKGROUND: SignedDuration = SignedDuration::from_mins(15);

/// What the limits view and the limits corner of the files view draw.
#[derive(Debug, Clone, Default)]
pub struct LimitsPanel {
    pub book: Reports,
    pub order: LimitOrder,
    /// Counted over the object types, then the other reports.
    pub cursor: usize,
    pub cursor_offset: CursorOffset,
    /// What is looked into, in place of the lists.
    pub inside: Option<OpenTopic>,
    /// First line of the pane that follows the cursor.
    pub scroll: usize,
    /// Whether the keys that move the cursor scroll that pane.
    pub is_scrolling: bool,
    /// The object type to return to from the other reports.
    pub last_type: usize,
    pub rest: CursorIdle<Topic>,
    /// Where the object types stand in their report, in the order that is shown.
    sorted: Vec<usize>,
}

/// What can be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topic {
    Type(ObjectTypeName),
    Report(Report),
}

/// A topic that has the place of the lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTopic {
    pub topic: Topic,
    pub cursor: usize,
    pub cursor_offset: CursorOffset,
}

/// A row of the lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LimitRow<'a> {
    Type(&'a LimitEntry),
    Report(&'a Report),
}

impl LimitsPanel {
    /// The object types in the order that is shown; empty while nothing is loaded.
    pub fn types(&self) -> impl Iterator<Item = &LimitEntry> {
        let entries = self.book.entries(&Report::CustomProperties);
        self.sorted.iter().filter_map(|at| entries.get(*at))
    }

    /// The object types, then the other reports.
    pub fn rows(&self) -> Vec<LimitRow<'_>> {
        self.types().map(LimitRow::Type).chain(OTHERS.iter().map(LimitRow::Report)).collect()
    }

    /// One of them.
    pub fn row(&self, at: usize) -> Option<LimitRow<'_>> {
        match self.sorted.get(at) {
            Some(at) => self.book.entries(&Report::CustomProperties).get(*at).map(LimitRow::Type),
            None => OTHERS.get(at.saturating_sub(self.sorted.len())).map(LimitRow::Report),
        }
    }

    /// How many object types there are, and how many rows in all.
    pub fn counts(&self) -> (usize, usize) {
        (self.sorted.len(), self.sorted.len() + OTHERS.len())
    }

    /// Remembers the object type at `before`, if the cursor has gone from there to the other reports.
    pub fn leave_types(&mut self, before: usize) {
        let types = self.counts().0;
        if before < types && self.cursor >= types {
            self.last_type = before;
        }
    }

    /// What is looked into, else what is under the cursor.
    pub fn topic(&self) -> Option<Topic> {
        match &self.inside {
            Some(inside) => Some(inside.topic.clone()),
            None => self.row(self.cursor).and_then(|row| row.topic()),
        }
    }

    /// The lines of what is looked into, or of what is under the cursor.
    pub fn lines(&self) -> Vec<LimitLine> {
        self.topic().map_or(Vec::new(), |topic| self.lines_of(&topic))
    }

    /// Those of them that the pane beside the lists shows.
    pub fn lines_aside(&self) -> Vec<LimitLine> {
        self.lines().into_iter().filter(|line| line.depth == 0).collect()
    }

    pub fn lines_of(&self, topic: &Topic) -> Vec<LimitLine> {
        match topic {
            Topic::Type(name) => line::of_type(&self.book, name),
            Topic::Report(report) => line::of_report(&self.book, report),
        }
    }

    /// The rows with the cursor: those of what is looked into, if something is.
    pub fn cursor(&mut self) -> (&mut usize, &mut CursorOffset, usize) {
        let lines = if self.inside.is_some() { self.lines().len() } else { self.counts().1 };
        match &mut self.inside {
            Some(inside) => (&mut inside.cursor, &mut inside.cursor_offset, lines),
            None => (&mut self.cursor, &mut self.cursor_offset, lines),
        }
    }

    /// Changes what is known or its order; the cursor stays on its row, and goes to the first type once there are some.
    pub fn change(&mut self, change: impl FnOnce(&mut Self)) {
        let (had_types, before) = (self.counts().0 > 0, self.row(self.cursor).and_then(|row| row.topic()));
        change(self);
        self.sorted = order::sorted(self.order, &self.book);
        let is_same = |row: &LimitRow<'_>| {
            row.topic().as_ref().is_some_and(|topic| Some(topic.id()) == before.as_ref().map(Topic::id))
        };
        let rows = self.rows();
        self.cursor = if had_types { rows.iter().position(is_same).unwrap_or(0) } else { 0 };
        let lines = self.inside.as_ref().map_or(0, |inside| self.lines_of(&inside.topic).len());
        if let Some(inside) = &mut self.inside {
            inside.cursor = inside.cursor.min(lines.saturating_sub(1));
        }
    }

    /// When the reports on the account are to be read again; none while they are being read, or never were.
    pub fn due(&self, every: SignedDuration) -> Option<Timestamp> {
        let asked_at = self.book.asked_at.filter(|_| !self.book.is_reading())?;
        asked_at.checked_add(every).ok()
    }

    /// What is lacking of what is shown: whether it has associations at or near their limit, towards what, how many.
    pub fn lacks(&self) -> Option<Report> {
        match self.topic()? {
            Topic::Type(name) => self.book.lacks(&name.object_type_id),
            Topic::Report(_) => None,
        }
    }
}

impl LimitRow<'_> {
    pub fn topic(&self) -> Option<Topic> {
        match self {
            Self::Type(entry) => entry.object_type().cloned().map(Topic::Type),
            Self::Report(report) => Some(Topic::Report((*report).clone())),
        }
    }
}

impl Topic {
    /// The same after its labels have changed.
    fn id(&self) -> &str {
        match self {
            Self::Type(name) => &name.object_type_id,
            Self::Report(report) => report.name(),
        }
    }

    /// Safe to show.
    pub fn label(&self) -> String {
        match self {
            Self::Type(name) => label(name),
            Self::Report(report) => title(report).to_owned(),
        }
    }
}
