//! The open folder, or what a search has found: how much of it is known, in which order it is shown, where the cursor
//! stands.
//! Holds what the engine answered (`pages`, `whole`) and what was marked (`marking`); asks for nothing itself.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use jiff::Timestamp;

use super::details::Details;
use super::duplicate_counts::DuplicateCounts;
use super::filter::ListFilter;
use super::full_read::FullRead;
use super::marks::Marks;
use super::order;
use super::row::Row;
use super::rows::{Rows, Slot};
use super::stage::{ListPurpose, ListRead, ListStage, Pending};
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::batch::BatchId;
use crate::engine::message::{Collection, Cursor, Entry, Sort, SortKey, Target};
use crate::tui::widget::scroll::CursorOffset;

/// The list.
#[derive(Debug, Clone)]
pub struct Listing {
    pub of: Collection,
    pub stage: ListStage,
    /// All rows that are known; one that is marked stays known while a new order has no place for it yet.
    pub rows: Rows,
    /// Of a list of duplicates, how many of them are the same.
    pub(super) contents: DuplicateCounts,
    /// What is listed, top to bottom.
    pub(super) order: Vec<Slot>,
    /// What other answers than pages brought of it: each page puts them behind itself, as far as they belong there.
    pub(super) loose: Vec<Slot>,
    /// What the filter lets through of it; none without a filter.
    pub(super) matching: Option<Vec<Slot>>,
    /// Index into what is visible; 0 when nothing is.
    pub cursor: usize,
    pub cursor_offset: CursorOffset,
    pub marks: Marks,
    /// Where a range of marks began, while one is drawn up.
    pub range: Option<MarkedRange>,
    pub sort: Sort,
    pub filter: Option<ListFilter>,
    /// Where the next page starts; none when there is none, or when the rows are not in the service's order.
    pub next: Option<Cursor>,
    /// The read that is under way.
    pub pending: Option<Pending>,
    /// The read of all of it that is under way.
    pub(super) full_read: Option<FullRead>,
    /// When it was last read; none while it has never been.
    pub loaded_at: Option<Timestamp>,
    /// Put the cursor here as soon as it is loaded.
    pub seek: Option<Target>,
    /// The cursor stays on the last row while the rest is loaded.
    pub to_end: bool,
    /// Whether the cursor was put somewhere since this was opened.
    pub(super) is_moved: bool,
    /// Something changed while a read was on its way: look again after it.
    pub stale: bool,
    /// Batches that continue and have changed rows of it: look again when they have ended.
    pub touched: BTreeSet<BatchId>,
    /// What was changed since the read under way was sent, which may not know of it.
    pub(super) since_asked: Vec<(Vec<Entry>, BTreeSet<Target>)>,
    pub details: Details,
    pub shape: ListShape,
    /// The next page is asked for when the cursor is this close to the end.
    pub(super) ahead: usize,
}

/// How the list is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListShape {
    #[default]
    Rows,
    /// A grid of pictures.
    Grid,
}

/// A range of marks: from `anchor` to the cursor, on top of what was marked before.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkedRange {
    pub anchor: Slot,
    pub before: Marks,
}

/// The next page is asked for when the cursor is this close to the end of what is loaded.
pub const AHEAD: usize = 50;
/// A cursor that does not rest is read ahead of by this much at most.
const FAR_AHEAD: usize = 400;

impl Listing {
    /// Something of which nothing is known yet.
    pub fn new(of: Collection, sort: Sort) -> Self {
        Self {
            of,
            stage: ListStage::Unread,
            rows: Rows::default(),
            contents: DuplicateCounts::default(),
            order: Vec::new(),
            loose: Vec::new(),
            matching: None,
            cursor: 0,
            cursor_offset: CursorOffset::default(),
            marks: Marks::default(),
            range: None,
            sort,
            filter: None,
            next: None,
            pending: None,
            full_read: None,
            loaded_at: None,
            seek: None,
            to_end: false,
            is_moved: false,
            stale: false,
            touched: BTreeSet::new(),
            since_asked: Vec::new(),
            details: Details::default(),
            shape: ListShape::default(),
            ahead: AHEAD,
        }
    }

    /// What the filter lets through, top to bottom.
    pub fn visible(&self) -> &[Slot] {
        self.matching.as_deref().unwrap_or(&self.order)
    }

    /// The visible row at an index.
    pub fn at(&self, index: usize) -> Option<(Slot, &Row)> {
        let slot = *self.visible().get(index)?;
        Some((slot, self.rows.get(slot)?))
    }

    pub fn visible_rows(&self) -> impl Iterator<Item = (Slot, &Row)> {
        self.visible().iter().filter_map(|slot| Some((*slot, self.rows.get(*slot)?)))
    }

    /// How many rows are listed, whether the filter lets them through or not.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&Row> {
        self.at(self.cursor).map(|(_, row)| row)
    }

    pub fn row(&self, target: &Target) -> Option<&Row> {
        self.rows.get(self.rows.find(target)?)
    }

    /// The row as an entry: with all that is known of it, or as far as the row goes.
    pub fn entry(&self, row: &Row) -> Entry {
        self.details.of(&row.target).cloned().unwrap_or_else(|| row.entry(self.of.base()))
    }

    /// What an action works on, top to bottom: the marked rows, or the one under the cursor.
    pub fn chosen(&self) -> Vec<&Row> {
        let slots: Vec<Slot> = if self.marks.is_empty() {
            self.visible().get(self.cursor).copied().into_iter().collect()
        } else {
            order::sorted(self.sort, &self.rows, self.marks.slots())
        };
        slots.into_iter().filter_map(|slot| self.rows.get(slot)).collect()
    }

    /// Whether a text field has the focus.
    pub fn is_typing(&self) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.editing)
    }

    /// Whether the service has no such order, or begins it with what never expires: all rows are read for it.
    pub fn is_ordered_here(&self) -> bool {
        match self.sort.key {
            SortKey::Access => true,
            SortKey::Expires => self.of.folder().is_some(),
            _ => false,
        }
    }

    /// Whether every entry of the folder is loaded, so that counts are true.
    pub fn is_whole(&self) -> bool {
        self.stage == ListStage::Whole
    }

    /// Why the folder, or the rest of it, was not read.
    pub fn problem(&self) -> Option<&Error> {
        match &self.stage {
            ListStage::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// Takes note of a read that was sent.
    pub fn ask(&mut self, op: OpId, ask: ListRead) {
        self.pending = Some(Pending { op, ask });
        self.since_asked.clear();
        if ask == ListRead::First && self.is_empty() && self.loaded_at.is_none() {
            self.stage = ListStage::Loading;
        }
    }

    /// Whether the read of the whole folder is under way, and why.
    pub fn reading_whole(&self) -> Option<ListPurpose> {
        match self.pending?.ask {
            ListRead::Whole(purpose) => Some(purpose),
            _ => None,
        }
    }

    /// Whether the next page should be asked for now.
    pub fn wants_page(&self) -> bool {
        let near_end = self.cursor + self.ahead >= self.visible().len();
        self.stage == ListStage::Partial && self.next.is_some() && self.pending.is_none() && near_end
    }

    /// Reads further ahead of a cursor that has come along while the last page was read.
    pub(super) fn pace(&mut self) {
        let has_caught_up = self.cursor + self.ahead / 2 >= self.visible().len();
        self.ahead = if has_caught_up { (self.ahead * 2).min(FAR_AHEAD) } else { AHEAD };
    }

    /// Moves the cursor to an index of what is visible, clamped; extends a range of marks.
    pub fn move_to(&mut self, index: usize) {
        self.cursor = index.min(self.visible().len().saturating_sub(1));
        self.seek = None;
        self.to_end = false;
        self.is_moved = true;
        self.extend_range();
    }

    /// Puts the cursor on the last row of the folder: now, and on later ones as they are loaded.
    pub fn move_to_end(&mut self) {
        self.move_to(usize::MAX);
        self.to_end = !self.is_whole() && self.problem().is_none();
    }

    /// Of a list of duplicates, how many contents there are.
    pub fn duplicate_groups(&self) -> usize {
        self.contents.groups()
    }

    /// Whether the folder under the cursor is all that is chosen.
    pub fn is_on_folder(&self) -> bool {
        self.marks.is_empty() && self.current().is_some_and(|row| !row.is_file())
    }

    /// Puts the cursor on a row, now or when it is loaded.
    pub fn seek(&mut self, target: Target) {
        self.seek = Some(target);
        self.is_moved = true;
        self.try_seek();
    }

    /// Orders what is loaded again; the cursor stays on its row.
    pub fn resort(&mut self) {
        self.keeping_cursor(|listing| {
            listing.order = order::sorted(listing.sort, &listing.rows, listing.order.iter().copied());
            listing.refilter();
        });
    }

    /// Works out which rows are visible; the cursor stays on its row if that is still among them.
    pub fn refilter(&mut self) {
        let here = self.visible().get(self.cursor).copied();
        self.matching = self.filter.as_ref().filter(|filter| !filter.input.is_empty()).map(|filter| {
            let mut search = filter.search();
            let matching = self.rows.among(&self.order).filter(|(_, row)| search.matches(&row.name));
            let matching: FixedBitSet = matching.map(|(slot, _)| slot as usize).collect();
            self.order.iter().copied().filter(|slot| matching.contains(*slot as usize)).collect()
        });
        self.put_cursor(here);
    }

    /// Changes rows and leaves the cursor on its own.
    pub(super) fn keeping_cursor(&mut self, change: impl FnOnce(&mut Self)) {
        let here = self.visible().get(self.cursor).copied();
        change(self);
        self.put_cursor(here);
        self.try_seek();
        if self.to_end {
            self.move_to_end();
        }
    }

    fn put_cursor(&mut self, slot: Option<Slot>) {
        let at = slot.and_then(|slot| self.visible().iter().position(|other| *other == slot));
        self.cursor = at.unwrap_or_else(|| self.cursor.min(self.visible().len().saturating_sub(1)));
    }

    pub(super) fn try_seek(&mut self) {
        let Some(target) = &self.seek else { return };
        let slot = self.rows.find(target).filter(|slot| self.order.contains(slot));
        // What came since the read was asked for is put in after its answer.
        if slot.is_some() || (self.is_whole() && self.since_asked.is_empty()) {
            self.seek = None;
            self.put_cursor(slot);
        }
    }
}
