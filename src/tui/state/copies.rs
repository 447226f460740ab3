//! Files of the same content side by side, in a list of duplicates: which rows are a group, and what it would free to keep
//! one of each.

use std::collections::HashMap;
use std::ops::Range;

use super::listing::Listing;
use super::row::Row;
use super::rows::Slot;
use crate::engine::message::SortKey;

/// A row's place in its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copies {
    pub is_first: bool,
    pub is_last: bool,
    /// The first of its group that is shown.
    pub leads: bool,
    pub count: usize,
    /// Bytes of all but one, where the size is known.
    pub frees: Option<u64>,
}

impl Listing {
    /// Whether rows of the same content stand side by side.
    pub fn has_groups(&self) -> bool {
        self.of.is_read_whole() && self.sort.key == SortKey::Content
    }

    /// Of a stretch of what is visible, the place of each row in its group. Costs what the groups hold that are in it.
    pub fn copies(&self, shown: Range<usize>) -> Vec<Option<Copies>> {
        let content = |at: usize| self.at(at).and_then(|(_, row)| Some((row.md5()?, row.size)));
        let (mut copies, mut at) = (Vec::with_capacity(shown.len()), shown.start);
        while at < shown.end {
            let Some((md5, size)) = content(at) else {
                copies.push(None);
                at += 1;
                continue;
            };
            let is_same = |other: usize| content(other).is_some_and(|(other, _)| other == md5);
            let first = (0..at).rev().take_while(|other| is_same(*other)).last().unwrap_or(at);
            let end = (at + 1..self.visible().len()).find(|other| !is_same(*other)).unwrap_or(self.visible().len());
            let count = end - first;
            let frees = size.and_then(|size| size.checked_mul(u64::try_from(count - 1).ok()?));
            for place in at..end.min(shown.end) {
                let (is_first, is_last) = (place == first, place + 1 == end);
                copies.push(Some(Copies { is_first, is_last, leads: place == at, count, frees }));
            }
            at = end;
        }
        copies
    }

    /// Listed rows whose content is there no second time.
    pub(super) fn alone(&self) -> Vec<Slot> {
        let content = |slot: Slot| self.rows.get(slot).and_then(Row::md5);
        let mut counts: HashMap<[u8; 16], u32> = HashMap::new();
        for md5 in self.order.iter().filter_map(|slot| content(*slot)) {
            *counts.entry(md5).or_default() += 1;
        }
        let is_alone = |slot: &Slot| content(*slot).is_none_or(|md5| counts.get(&md5) == Some(&1));
        self.order.iter().copied().filter(is_alone).collect()
    }
}
