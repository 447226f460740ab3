//! Groups of files with the same content in a list of duplicates, and the bytes freed by keeping
//! one of each.

use std::ops::Range;

use super::listing::Listing;
use super::row::Row;
use super::rows::Slot;
use crate::engine::message::SortKey;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateGroup {
    /// Set on the first row of the group that the filter matches.
    pub is_first: bool,
    pub is_last: bool,
    /// Set on the first row of its group on the screen.
    pub leads: bool,
    /// The number of rows in the group, including those that the filter hides.
    pub count: usize,
    /// The bytes of all copies but one; `None` if the size is unknown.
    pub frees: Option<u64>,
}

impl Listing {
    /// Returns `true` if rows of the same content are adjacent.
    pub fn has_groups(&self) -> bool {
        self.of.is_read_whole() && self.list.sort.key == SortKey::Content
    }

    /// The place of each row in its group, for a range of visible rows. Looks only at these rows
    /// and their neighbors.
    pub fn copies(&self, shown: Range<usize>) -> Vec<Option<DuplicateGroup>> {
        let content = |at: usize| self.at(at).and_then(|(_, row)| row.md5());
        let start = shown.start;
        let copies = |at: usize| {
            let (_, row) = self.at(at)?;
            let md5 = row.md5()?;
            let is_same = |other: Option<usize>| other.and_then(content) == Some(md5);
            let is_first = !is_same(at.checked_sub(1));
            let count = self.contents.count(&md5);
            let others = u64::try_from(count.saturating_sub(1)).ok();
            Some(DuplicateGroup {
                is_first,
                is_last: !is_same(at.checked_add(1)),
                leads: is_first || at == start,
                count,
                frees: row
                    .size
                    .zip(others)
                    .and_then(|(size, others)| size.checked_mul(others)),
            })
        };
        shown.map(copies).collect()
    }

    /// The bytes of all copies but one of each group, where the sizes are known.
    pub fn freed_by_groups(&self) -> u64 {
        let groups = self.copies(0..self.visible().len()).into_iter().flatten();
        groups
            .filter(|copies| copies.is_first)
            .filter_map(|copies| copies.frees)
            .fold(0, u64::saturating_add)
    }

    /// The listed rows whose content occurs only once.
    pub(super) fn alone(&self) -> Vec<Slot> {
        let content = |slot: Slot| self.rows.get(slot).and_then(Row::md5);
        let is_alone =
            |slot: &Slot| content(*slot).is_none_or(|md5| self.contents.count(&md5) == 1);
        self.list.order.iter().copied().filter(is_alone).collect()
    }
}
