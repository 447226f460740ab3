//! The open folder: its rows as far as they are loaded, the cursor, the marks and the filter.
//! Holds what the engine answered; asks for nothing itself.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::filter::Filter;
use super::row::{Row, RowState};
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::message::{Cursor, Entry, Place, Sort, Target};

/// The list of the open folder.
#[derive(Debug, Clone)]
pub struct Listing {
    pub place: Place,
    /// What is loaded, in the service's order.
    pub rows: Vec<Row>,
    /// Indices into `rows` that the filter lets through, in order.
    pub visible: Vec<usize>,
    /// Index into `visible`; 0 when nothing is visible.
    pub cursor: usize,
    pub marks: BTreeSet<Target>,
    /// Where a range of marks began, while one is drawn up.
    pub range: Option<Range>,
    pub sort: Sort,
    pub filter: Option<Filter>,
    /// Where the next page starts; none when everything is loaded, or nothing yet.
    pub next: Option<Cursor>,
    /// The page that is being asked for.
    pub awaiting: Option<OpId>,
    /// Why the last page did not come.
    pub problem: Option<Error>,
    /// When the first page came; none while the folder has never been read.
    pub loaded_at: Option<Timestamp>,
    /// Put the cursor here as soon as it is loaded.
    pub seek: Option<Target>,
    /// The cursor stays on the last row while the rest is loaded.
    pub to_end: bool,
    /// Something changed while a page was on its way: read again after it.
    pub stale: bool,
    /// A refresh under way: its rows so far. The old rows stay on the screen until it has caught up.
    pub fresh: Option<Vec<Row>>,
}

/// A range of marks: from `anchor` to the cursor, on top of what was marked before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub anchor: Target,
    pub before: BTreeSet<Target>,
}

/// The next page is asked for when the cursor is this close to the end of what is loaded.
pub const AHEAD: usize = 50;

impl Listing {
    /// A folder of which nothing is known yet.
    pub fn new(place: Place, sort: Sort) -> Self {
        Self {
            place,
            rows: Vec::new(),
            visible: Vec::new(),
            cursor: 0,
            marks: BTreeSet::new(),
            range: None,
            sort,
            filter: None,
            next: None,
            awaiting: None,
            problem: None,
            loaded_at: None,
            seek: None,
            to_end: false,
            stale: false,
            fresh: None,
        }
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&Row> {
        self.rows.get(*self.visible.get(self.cursor)?)
    }

    pub fn row(&self, target: &Target) -> Option<&Row> {
        self.rows.iter().find(|row| row.target == *target)
    }

    /// The rows that the filter lets through.
    pub fn visible_rows(&self) -> impl Iterator<Item = &Row> {
        self.visible.iter().filter_map(|index| self.rows.get(*index))
    }

    /// What an action works on: the marked rows, or the one under the cursor. Rows at work are left out.
    pub fn chosen(&self) -> Vec<&Row> {
        let rows: Vec<&Row> = if self.marks.is_empty() {
            self.current().into_iter().collect()
        } else {
            self.rows.iter().filter(|row| self.marks.contains(&row.target)).collect()
        };
        rows.into_iter().filter(|row| !row.is_busy()).collect()
    }

    /// Whether a text field has the focus.
    pub fn is_typing(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.editing)
    }

    /// Whether every entry of the folder is loaded, so that counts are true.
    pub fn is_complete(&self) -> bool {
        self.loaded_at.is_some() && self.next.is_none()
    }

    /// Whether the next page should be asked for now.
    pub fn wants_page(&self) -> bool {
        let near_end = self.cursor + AHEAD >= self.visible.len();
        self.next.is_some()
            && self.awaiting.is_none()
            && self.problem.is_none()
            && (near_end || self.to_end || self.seek.is_some() || self.unread_marks() > 0)
    }

    /// How many items are marked whose rows are not loaded: after a new order, or a refresh, of a long folder.
    pub fn unread_marks(&self) -> usize {
        let read = self.rows.iter().filter(|row| self.marks.contains(&row.target)).count();
        self.marks.len().saturating_sub(read)
    }

    /// Moves the cursor to an index of `visible`, clamped; extends a range of marks.
    pub fn move_to(&mut self, index: usize) {
        self.cursor = index.min(self.visible.len().saturating_sub(1));
        self.seek = None;
        self.to_end = false;
        self.extend_range();
    }

    /// Puts the cursor on the last row of the folder: now, and on later ones as they are loaded.
    pub fn move_to_end(&mut self) {
        self.move_to(usize::MAX);
        self.to_end = !self.is_complete() && self.problem.is_none();
    }

    /// Puts the cursor on a row, now or when it is loaded.
    pub fn seek(&mut self, target: Target) {
        self.seek = Some(target);
        self.try_seek();
    }

    /// Takes the first page of a folder that was not on the screen, or the next page of the one that is.
    pub fn append(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) {
        let known: BTreeSet<&Target> = self.rows.iter().map(|row| &row.target).collect();
        let new: Vec<Row> = entries.into_iter().map(Row::new).filter(|row| !known.contains(&row.target)).collect();
        self.rows.extend(new);
        self.next = next;
        self.problem = None;
        self.loaded_at.get_or_insert(now);
        self.forget_gone_marks();
        self.refilter();
        self.try_seek();
        self.follow_end();
    }

    /// Takes a page of a refresh. Says whether the fresh rows have caught up and are on the screen now.
    pub fn take_fresh(&mut self, entries: Vec<Entry>, next: Option<Cursor>, now: Timestamp) -> bool {
        let mut fresh = self.fresh.take().unwrap_or_default();
        fresh.extend(entries.into_iter().map(Row::new));
        self.problem = None;
        let here = self.current().map(|row| row.target.clone());
        let has_cursor = here.as_ref().is_none_or(|here| fresh.iter().any(|row| row.target == *here));
        let depth = self.visible.get(self.cursor).copied().unwrap_or(0);
        let is_deep_enough = fresh.len() > depth.saturating_add(AHEAD) || fresh.len() >= self.rows.len();
        if next.is_some() && !(has_cursor && fresh.len() > depth) && !is_deep_enough {
            self.fresh = Some(fresh);
            self.next = next;
            return false;
        }
        self.rows = fresh;
        self.next = next;
        self.loaded_at = Some(now);
        self.forget_gone_marks();
        self.refilter();
        if let Some(here) = here {
            self.put_cursor_on(&here);
        }
        self.try_seek();
        self.follow_end();
        true
    }

    /// Adds or replaces a row where the order by name would have it, for the moment until a fresh page comes.
    pub fn upsert(&mut self, entry: Entry) {
        let here = self.current().map(|row| row.target.clone());
        let row = Row::new(entry);
        if let Some(old) = self.rows.iter_mut().find(|old| old.target == row.target) {
            *old = row;
        } else {
            let key = |row: &Row| (row.file().is_some(), row.name.to_lowercase());
            let wanted = key(&row);
            let at = self.rows.iter().position(|old| key(old) > wanted).unwrap_or(self.rows.len());
            self.rows.insert(at, row);
        }
        self.refilter();
        if let Some(here) = here {
            self.put_cursor_on(&here);
        }
        self.try_seek();
    }

    /// Takes rows away; the cursor stays on its row, or goes to the next one.
    pub fn remove(&mut self, targets: &BTreeSet<Target>) {
        let is_kept = |index: &usize| self.rows.get(*index).is_some_and(|row| !targets.contains(&row.target));
        let here = self.visible.get(self.cursor..).unwrap_or_default().iter().find(|index| is_kept(index));
        let here = here.and_then(|index| self.rows.get(*index)).map(|row| row.target.clone());
        self.rows.retain(|row| !targets.contains(&row.target));
        self.marks.retain(|mark| !targets.contains(mark));
        self.refilter();
        match here {
            Some(here) => self.put_cursor_on(&here),
            None => self.cursor = self.visible.len().saturating_sub(1),
        }
    }

    /// Marks rows as being worked on.
    pub fn set_busy(&mut self, targets: &BTreeSet<Target>, op: OpId) {
        if targets.is_empty() {
            return;
        }
        for row in self.rows.iter_mut().filter(|row| targets.contains(&row.target)) {
            row.state = RowState::Busy(op);
        }
    }

    /// Gives the rows of an operation back.
    pub fn release(&mut self, op: OpId) {
        for row in self.rows.iter_mut().filter(|row| row.state == RowState::Busy(op)) {
            row.state = RowState::Normal;
        }
    }

    /// Works out which rows are visible; the cursor stays on its row if that is still among them.
    pub fn refilter(&mut self) {
        let here = self.current().map(|row| row.target.clone());
        self.visible = match &self.filter {
            Some(filter) => filter.matching(self.rows.iter().map(|row| row.name.as_str())),
            None => (0..self.rows.len()).collect(),
        };
        self.cursor = self.cursor.min(self.visible.len().saturating_sub(1));
        if let Some(here) = here {
            self.put_cursor_on(&here);
        }
    }

    /// Once the whole folder is loaded, marks without a row are of items that are gone.
    fn forget_gone_marks(&mut self) {
        if self.is_complete() && !self.marks.is_empty() {
            let there: BTreeSet<&Target> = self.rows.iter().map(|row| &row.target).collect();
            self.marks.retain(|mark| there.contains(mark));
        }
    }

    fn follow_end(&mut self) {
        if self.to_end {
            self.move_to_end();
        }
    }

    fn try_seek(&mut self) {
        if let Some(target) = self.seek.take() {
            let is_there = self.rows.iter().any(|row| row.target == target);
            if is_there {
                self.put_cursor_on(&target);
            } else if self.loaded_at.is_none() || self.next.is_some() || self.awaiting.is_some() {
                self.seek = Some(target);
            }
        }
    }

    fn put_cursor_on(&mut self, target: &Target) {
        let at = self.visible.iter().position(|index| self.rows.get(*index).is_some_and(|row| row.target == *target));
        if let Some(at) = at {
            self.cursor = at;
        }
    }

    fn extend_range(&mut self) {
        let Some(range) = &self.range else { return };
        let anchor = self.visible_rows().position(|row| row.target == range.anchor).unwrap_or(self.cursor);
        let (from, to) = (anchor.min(self.cursor), anchor.max(self.cursor));
        let spanned: Vec<Target> =
            self.visible_rows().skip(from).take(to + 1 - from).map(|row| row.target.clone()).collect();
        let mut marks = range.before.clone();
        marks.extend(spanned);
        self.marks = marks;
    }
}
