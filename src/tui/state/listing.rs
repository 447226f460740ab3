//! The open folder, or the results of a search: the loaded rows, and the list of them. Holds the
//! engine's answers (`pages`, `full_read_rows`) and the marks (`marking`); sends no requests itself.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use jiff::Timestamp;

use super::details::Details;
use super::duplicate_counts::DuplicateCounts;
use super::full_read::FullRead;
use super::list_state::ListState;
use super::mark_totals::MarkTotals;
use super::name_order::NameOrder;
use super::order::{self, RowOrder};
use super::row::Row;
use super::rows::{Rows, Slot};
use super::stage::{ListPurpose, ListRead, ListStage, Pending};
use crate::api::Error;
use crate::engine::OpId;
use crate::engine::batch::BatchId;
use crate::engine::message::{Collection, Cursor, Entry, Sort, SortKey, Target};
use crate::tui::widget::figures;
use crate::tui::widget::scroll::ListCursor;

#[derive(Debug, Clone)]
pub struct Listing {
    pub of: Collection,
    pub stage: ListStage,
    /// All known rows; a marked row stays known while a new order has no place for it yet.
    pub rows: Rows,
    /// The number of rows per content, in a list of duplicates.
    pub(super) contents: DuplicateCounts,
    pub list: ListState<Slot, FixedBitSet>,
    /// The totals of the marked rows; the functions of `marking` keep them.
    pub marks: MarkTotals,
    /// Listed rows that came with other answers than pages; after each new page they are sorted in
    /// again.
    pub(super) loose: Vec<Slot>,
    /// The order of names once the pages of the service no longer decide it.
    pub names: NameOrder,
    /// The start of the next page; `None` if there is none, or if the rows are not in the service's
    /// order.
    pub next: Option<Cursor>,
    pub pending: Option<Pending>,
    pub(super) full_read: Option<FullRead>,
    /// The time of the last read; `None` if it was never read.
    pub loaded_at: Option<Timestamp>,
    /// The row that the cursor goes to once it is loaded.
    pub seek: Option<Target>,
    /// Set while the cursor stays on the last row as the rest is loaded.
    pub to_end: bool,
    /// Set once the cursor was placed anywhere since the list was opened.
    pub(super) is_moved: bool,
    /// Set when something changed during a read: it is followed by another.
    pub stale: bool,
    /// Running batches that have changed rows: the list is refreshed when they have ended.
    pub touched: BTreeSet<BatchId>,
    /// Changes since the read in progress was sent; its answer may not reflect them.
    pub(super) since_asked: Vec<(Vec<Entry>, BTreeSet<Target>)>,
    pub details: Details,
    pub shape: ListShape,
    /// The distance from the cursor to the end at which the next page is requested.
    pub(super) ahead: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListShape {
    #[default]
    Rows,
    Grid,
}

/// The default distance from the cursor to the end of the loaded rows at which the next page is
/// requested.
pub const AHEAD: usize = 50;
/// The largest such distance, for a cursor that keeps moving.
const FAR_AHEAD: usize = 400;

impl Listing {
    pub fn new(of: Collection, sort: Sort) -> Self {
        let mut list = ListState::default();
        list.sort = sort;
        Self {
            of,
            stage: ListStage::Unread,
            rows: Rows::default(),
            contents: DuplicateCounts::default(),
            list,
            marks: MarkTotals::default(),
            loose: Vec::new(),
            names: NameOrder::default(),
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

    /// The rows that the filter matches, top to bottom.
    pub fn visible(&self) -> &[Slot] {
        self.list.rows()
    }

    pub fn at(&self, index: usize) -> Option<(Slot, &Row)> {
        let slot = *self.visible().get(index)?;
        Some((slot, self.rows.get(slot)?))
    }

    pub fn visible_rows(&self) -> impl Iterator<Item = (Slot, &Row)> {
        self.visible()
            .iter()
            .filter_map(|slot| Some((*slot, self.rows.get(*slot)?)))
    }

    /// The number of listed rows, whether or not the filter matches them.
    pub fn len(&self) -> usize {
        self.list.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.order.is_empty()
    }

    pub fn current(&self) -> Option<&Row> {
        self.at(self.list.cursor.at()).map(|(_, row)| row)
    }

    pub fn row(&self, target: &Target) -> Option<&Row> {
        self.rows.get(self.rows.find(target)?)
    }

    /// The row as an entry: the full one if it is known, else what the row holds.
    pub fn entry(&self, row: &Row) -> Entry {
        self.details
            .of(&row.target)
            .cloned()
            .unwrap_or_else(|| row.entry(self.of.base()))
    }

    /// The rows that an action works on, top to bottom: the marked ones, or the one under the
    /// cursor.
    pub fn chosen(&self) -> Vec<&Row> {
        let slots = order::sorted(self.row_order(), &self.rows, self.list.chosen().into_iter());
        slots
            .into_iter()
            .filter_map(|slot| self.rows.get(slot))
            .collect()
    }

    /// The rows that an action works on, in a few words.
    pub fn in_hand(&self) -> Option<String> {
        match self.marks.len() {
            0 => self.current().map(|row| row.name.to_string()),
            marked => Some(format!("{} marked", figures::number(marked))),
        }
    }

    /// Returns `true` if sorting needs all rows: the service lacks the order, or puts what never
    /// expires first.
    pub fn is_ordered_here(&self) -> bool {
        match self.list.sort.key {
            SortKey::Access => true,
            SortKey::Expires => self.of.folder().is_some(),
            _ => false,
        }
    }

    /// Returns `true` if every entry of the folder is loaded, so that counts are exact.
    pub fn is_whole(&self) -> bool {
        self.stage == ListStage::Whole
    }

    /// The error that stopped the read of the folder or of its rest.
    pub fn problem(&self) -> Option<&Error> {
        match &self.stage {
            ListStage::Failed(error) => Some(error),
            _ => None,
        }
    }

    pub fn ask(&mut self, op: OpId, ask: ListRead) {
        self.pending = Some(Pending { op, ask });
        self.since_asked.clear();
        if ask == ListRead::First && self.is_empty() && self.loaded_at.is_none() {
            self.stage = ListStage::Loading;
        }
    }

    /// The purpose of the read of the whole folder in progress, if any.
    pub fn reading_whole(&self) -> Option<ListPurpose> {
        match self.pending?.ask {
            ListRead::Whole(purpose) => Some(purpose),
            _ => None,
        }
    }

    pub fn wants_page(&self) -> bool {
        let near_end = self.list.cursor.at() + self.ahead >= self.visible().len();
        self.stage == ListStage::Partial
            && self.next.is_some()
            && self.pending.is_none()
            && near_end
    }

    /// Doubles the read-ahead if the cursor kept up while the last page was read, else resets it.
    pub(super) fn pace(&mut self) {
        let has_caught_up = self.list.cursor.at() + self.ahead / 2 >= self.visible().len();
        self.ahead = if has_caught_up {
            (self.ahead * 2).min(FAR_AHEAD)
        } else {
            AHEAD
        };
    }

    /// Moves the cursor, and the end of the range of marks with it.
    pub fn move_cursor(&mut self, change: impl FnOnce(&mut ListCursor)) {
        self.seek = None;
        self.to_end = false;
        self.is_moved = true;
        self.marking(|list| list.move_cursor(change));
    }

    /// Moves the cursor to a visible row, clamped.
    pub fn move_to(&mut self, index: usize) {
        self.move_cursor(|cursor| cursor.go_to(index));
    }

    /// Puts the cursor on the last row, and keeps it on the last one as more are loaded.
    pub fn move_to_end(&mut self) {
        self.move_to(usize::MAX);
        self.to_end = !self.is_whole() && self.problem().is_none();
    }

    /// The number of groups, in a list of duplicates.
    pub fn duplicate_groups(&self) -> usize {
        self.contents.groups()
    }

    /// Returns `true` if an action would work on the folder under the cursor alone.
    pub fn is_on_folder(&self) -> bool {
        self.marks.is_empty() && self.current().is_some_and(|row| !row.is_file())
    }

    /// Puts the cursor on a row, now or once it is loaded.
    pub fn seek(&mut self, target: Target) {
        self.seek = Some(target);
        self.is_moved = true;
        self.try_seek();
    }

    /// The order in effect: while pages of the service follow, names are in its order.
    pub(super) fn row_order(&self) -> RowOrder {
        let names = match self.next {
            Some(_) => NameOrder::ByCharacter,
            None => self.names,
        };
        RowOrder {
            sort: self.list.sort,
            names,
        }
    }

    /// Sorts the loaded rows again; the cursor stays on its row.
    pub fn resort(&mut self) {
        self.keeping_cursor(|listing| {
            let order = listing.list.order.iter().copied();
            listing.list.order = order::sorted(listing.row_order(), &listing.rows, order);
            listing.refilter();
        });
    }

    /// Shows all rows again; the cursor stays on its row.
    pub fn end_filter(&mut self) {
        self.keeping_cursor(|listing| {
            listing.list.filter = None;
            listing.refilter();
        });
    }

    /// Finds the rows that match the filter; the caller puts the cursor back.
    pub(super) fn refilter(&mut self) {
        let rows = &self.rows;
        self.list.refilter(|order, mut search| {
            let matching = rows.among(order);
            let matching = matching.filter(|(_, row)| search.matches(&row.name));
            let matching: FixedBitSet = matching.map(|(slot, _)| slot as usize).collect();
            let order = order.iter().copied();
            order
                .filter(|slot| matching.contains(*slot as usize))
                .collect()
        });
    }

    /// Applies the changed filter. The cursor goes to the first match if its own row is filtered
    /// out.
    pub fn narrow(&mut self) {
        let here = self.list.current().copied();
        self.to_end = false;
        self.refilter();
        self.list.find(here.as_ref());
        if self.list.current() != here.as_ref() {
            self.move_to(0);
        }
    }

    /// Applies a change to the rows and keeps the cursor on its row. If the filter now hides that
    /// row, the cursor returns to it once it is shown.
    pub(super) fn keeping_cursor(&mut self, change: impl FnOnce(&mut Self)) {
        let here = self.list.current().copied();
        change(self);
        self.list.find(here.as_ref());
        if let Some(row) = here.and_then(|slot| self.rows.get(slot))
            && self.seek.is_none()
            && self.hides(&row.target)
        {
            self.seek = Some(row.target.clone());
        }
        self.try_seek();
        if self.to_end {
            self.move_to_end();
        }
    }

    /// Returns `true` if the filter hides a listed row.
    pub fn hides(&self, target: &Target) -> bool {
        let has = |slots: &[Slot], slot| slots.contains(&slot);
        self.list.matching.as_ref().is_some_and(|matching| {
            let slot = self.rows.find(target);
            slot.is_some_and(|slot| !has(matching, slot) && has(&self.list.order, slot))
        })
    }

    pub(super) fn try_seek(&mut self) {
        let Some(target) = &self.seek else { return };
        if self.hides(target) {
            return;
        }
        let slot = self
            .rows
            .find(target)
            .filter(|slot| self.list.order.contains(slot));
        // Changes that came after the request are applied after its answer.
        if slot.is_some() || (self.is_whole() && self.since_asked.is_empty()) {
            self.seek = None;
            self.list.find(slot.as_ref());
        }
    }
}
