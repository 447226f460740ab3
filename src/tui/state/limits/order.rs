//! In which order the object types are shown.

use std::cmp::Ordering;

use super::book::Book;
use super::name::subject;
use super::outlook::growth;
use crate::engine::limits::{Entry, Report, Share};

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Key {
    /// What is fullest.
    #[default]
    Pressure,
    /// What has least left.
    Left,
    Name,
    /// What grows fastest.
    Growth,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Order {
    pub key: Key,
    pub is_reversed: bool,
}

impl Order {
    pub fn words(self) -> &'static str {
        match (self.key, self.is_reversed) {
            (Key::Pressure, false) => "most pressed first",
            (Key::Pressure, true) => "least pressed first",
            (Key::Left, false) => "least left first",
            (Key::Left, true) => "most left first",
            (Key::Name, false) => "by name",
            (Key::Name, true) => "by name, from the end",
            (Key::Growth, false) => "fastest growing first",
            (Key::Growth, true) => "slowest growing first",
        }
    }
}

/// Where the object types stand among the entries of their report, in that order; as the service gives them where that
/// does not tell them apart.
pub(super) fn sorted(order: Order, book: &Book) -> Vec<usize> {
    let entries = book.entries(&Report::CustomProperties).iter().enumerate();
    let mut types: Vec<(usize, (&Entry, Share))> = entries
        .filter(|(_, entry)| entry.object_type().is_some())
        .filter_map(|(at, entry)| Some((at, (entry, entry.share()?))))
        .collect();
    let now = book.answer(&Report::CustomProperties).loaded_at.unwrap_or_default();
    let growth = |(entry, share): &(&Entry, Share)| {
        growth(*share, book.past(&Report::CustomProperties, entry), now).unwrap_or(f64::NEG_INFINITY)
    };
    let compare = |a: &(&Entry, Share), b: &(&Entry, Share)| -> Ordering {
        let by_key = match order.key {
            Key::Pressure => b.1.percentage.total_cmp(&a.1.percentage),
            Key::Left => a.1.left().cmp(&b.1.left()),
            Key::Name => subject(&a.0.subject).to_lowercase().cmp(&subject(&b.0.subject).to_lowercase()),
            Key::Growth => growth(b).total_cmp(&growth(a)),
        };
        if order.is_reversed { by_key.reverse() } else { by_key }
    };
    types.sort_by(|(_, a), (_, b)| compare(a, b));
    types.into_iter().map(|(at, _)| at).collect()
}
