//! The limits dashboard: the reports, their order, the cursor, and the open topic.

mod account_reading;
mod forecast;
mod line;
mod name;
mod order;
mod reports;
mod table;
mod topic;

use jiff::{SignedDuration, Timestamp};

use super::cursor_idle::CursorIdle;
use crate::engine::limits::{LimitEntry, Report};
use crate::tui::widget::scroll::ListCursor;

pub use account_reading::AccountReading;
pub use forecast::{Forecast, forecast};
pub use line::{Flag, LimitLine, LineValue, flags};
pub use name::{gauge, label, subject, title};
pub use order::{LimitOrder, LimitSortKey};
pub use reports::{Crossing, ReportState, Reports};
pub use table::LimitTable;
pub use topic::Topic;

/// The reports below the object types, each ranked by its worst limit.
const OTHERS: [Report; 6] = [
    Report::Records,
    Report::Pipelines,
    Report::Labels,
    Report::CalculatedProperties,
    Report::CustomObjectTypes,
    Report::Sources,
];

/// The refresh interval while the reports are not on the screen.
pub const IN_BACKGROUND: SignedDuration = SignedDuration::from_mins(15);

/// The state of the limits view and of the limits corner in the files view.
#[derive(Debug, Clone, Default)]
pub struct LimitsPanel {
    pub book: Reports,
    pub order: LimitOrder,
    /// The cursor over the object types, then the other reports.
    pub cursor: ListCursor,
    /// The topic that is open in place of the lists.
    pub inside: Option<OpenTopic>,
    /// The first line shown in the pane that follows the cursor.
    pub scroll: usize,
    /// Set while the cursor keys scroll that pane.
    pub is_scrolling: bool,
    /// The object type to return to from the other reports.
    pub last_type: usize,
    pub rest: CursorIdle<Topic>,
    /// Indices of the object types in their report, in the order shown.
    sorted: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTopic {
    pub topic: Topic,
    pub cursor: ListCursor,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LimitRow<'a> {
    Type(&'a LimitEntry),
    Report(&'a Report),
}

impl LimitsPanel {
    /// The object types in the order shown; empty while nothing is loaded.
    pub fn types(&self) -> impl Iterator<Item = &LimitEntry> {
        let entries = self.book.entries(&Report::CustomProperties);
        self.sorted.iter().filter_map(|at| entries.get(*at))
    }

    /// The object types, then the other reports.
    pub fn rows(&self) -> Vec<LimitRow<'_>> {
        self.types()
            .map(LimitRow::Type)
            .chain(OTHERS.iter().map(LimitRow::Report))
            .collect()
    }

    pub fn row(&self, at: usize) -> Option<LimitRow<'_>> {
        match self.sorted.get(at) {
            Some(at) => self
                .book
                .entries(&Report::CustomProperties)
                .get(*at)
                .map(LimitRow::Type),
            None => OTHERS
                .get(at.saturating_sub(self.sorted.len()))
                .map(LimitRow::Report),
        }
    }

    /// The number of object types, and of all rows.
    pub fn counts(&self) -> (usize, usize) {
        (self.sorted.len(), self.sorted.len() + OTHERS.len())
    }

    /// Remembers the object type at `before` if the cursor has moved from there to the other
    /// reports.
    fn leave_types(&mut self, before: usize) {
        let types = self.counts().0;
        if before < types && self.cursor.at() >= types {
            self.last_type = before;
        }
    }

    /// The open topic, else the one under the cursor.
    pub fn topic(&self) -> Option<Topic> {
        match &self.inside {
            Some(inside) => Some(inside.topic.clone()),
            None => self.row(self.cursor.at()).and_then(|row| row.topic()),
        }
    }

    pub fn lines(&self) -> Vec<LimitLine> {
        self.topic()
            .map_or(Vec::new(), |topic| self.lines_of(&topic))
    }

    /// The lines that the pane beside the lists shows.
    pub fn lines_aside(&self) -> Vec<LimitLine> {
        self.lines()
            .into_iter()
            .filter(|line| line.depth == 0)
            .collect()
    }

    pub fn lines_of(&self, topic: &Topic) -> Vec<LimitLine> {
        match topic {
            Topic::Type(name) => line::of_type(&self.book, name),
            Topic::Report(report) => line::of_report(&self.book, report),
        }
    }

    /// Moves the cursor of the open topic, or that of the lists.
    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        let lines = self.lines().len();
        self.scroll = 0;
        if let Some(inside) = &mut self.inside {
            inside.cursor = inside.cursor.among(lines);
            change(&mut inside.cursor);
        } else {
            let mut cursor = self.cursor.among(self.counts().1);
            change(&mut cursor);
            let before = std::mem::replace(&mut self.cursor, cursor).at();
            self.leave_types(before);
        }
    }

    /// Applies a change; the cursor stays on its row, or goes to the first type once types appear.
    pub fn change(&mut self, change: impl FnOnce(&mut Self)) {
        let (had_types, before) = (
            self.counts().0 > 0,
            self.row(self.cursor.at()).and_then(|row| row.topic()),
        );
        change(self);
        self.sorted = order::sorted(self.order, &self.book);
        let is_same = |row: &LimitRow<'_>| {
            row.topic()
                .as_ref()
                .is_some_and(|topic| Some(topic.id()) == before.as_ref().map(Topic::id))
        };
        let rows = self.rows();
        let same = rows.iter().position(is_same).filter(|_| had_types);
        self.cursor = self.cursor.on(same.unwrap_or(0), rows.len());
        let lines = self.lines().len();
        if let Some(inside) = &mut self.inside {
            inside.cursor = inside.cursor.among(lines);
        }
    }

    /// The time at which the account's reports are next read; `None` while they are being read, or
    /// if they never were.
    pub fn due(&self, every: SignedDuration) -> Option<Timestamp> {
        let asked_at = self.book.asked_at.filter(|_| !self.book.is_reading())?;
        asked_at.checked_add(every).ok()
    }

    /// The next report missing for the current topic: if it has associations near a limit, with
    /// what, and how many.
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
