//! The order of the object types.

use std::cmp::Ordering;

use super::forecast::growth;
use super::name::subject;
use super::reports::Reports;
use crate::engine::limits::{LimitEntry, Report, Share};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LimitSortKey {
    /// The highest percentage first.
    #[default]
    Pressure,
    /// The least left first.
    Left,
    Name,
    /// The fastest growing first.
    Growth,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LimitOrder {
    pub key: LimitSortKey,
    pub is_reversed: bool,
}

impl LimitOrder {
    pub fn words(self) -> &'static str {
        match (self.key, self.is_reversed) {
            (LimitSortKey::Pressure, false) => "most used first",
            (LimitSortKey::Pressure, true) => "least used first",
            (LimitSortKey::Left, false) => "least left first",
            (LimitSortKey::Left, true) => "most left first",
            (LimitSortKey::Name, false) => "by name",
            (LimitSortKey::Name, true) => "by name, descending",
            (LimitSortKey::Growth, false) => "fastest growing first",
            (LimitSortKey::Growth, true) => "slowest growing first",
        }
    }
}

/// Indices of the object types in their report, sorted; ties keep the service's order.
pub(super) fn sorted(order: LimitOrder, book: &Reports) -> Vec<usize> {
    let entries = book.entries(&Report::CustomProperties).iter().enumerate();
    let mut types: Vec<(usize, (&LimitEntry, Share))> = entries
        .filter(|(_, entry)| entry.object_type().is_some())
        .filter_map(|(at, entry)| Some((at, (entry, entry.share()?))))
        .collect();
    let now = book
        .answer(&Report::CustomProperties)
        .loaded_at
        .unwrap_or_default();
    let growth = |(entry, share): &(&LimitEntry, Share)| {
        growth(*share, book.past(&Report::CustomProperties, entry), now)
            .unwrap_or(f64::NEG_INFINITY)
    };
    let compare = |a: &(&LimitEntry, Share), b: &(&LimitEntry, Share)| -> Ordering {
        let by_key = match order.key {
            LimitSortKey::Pressure => b.1.percentage.total_cmp(&a.1.percentage),
            LimitSortKey::Left => a.1.left().cmp(&b.1.left()),
            LimitSortKey::Name => subject(&a.0.subject)
                .to_lowercase()
                .cmp(&subject(&b.0.subject).to_lowercase()),
            LimitSortKey::Growth => growth(b).total_cmp(&growth(a)),
        };
        if order.is_reversed {
            by_key.reverse()
        } else {
            by_key
        }
    };
    types.sort_by(|(_, a), (_, b)| compare(a, b));
    types.into_iter().map(|(at, _)| at).collect()
}
