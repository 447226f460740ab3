//! The local implementation of the list's orders: folders first and always by name, then the files.
//! Most orders are the service's own (`contract.md#search`): by stem regardless of case, with the
//! id as the tiebreaker. Names in natural order are not.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::name_order::NameOrder;
use super::row::Row;
use super::rows::{Rows, Slot};
use crate::api::model::Access;
use crate::engine::message::{Sort, SortKey};

/// The order of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowOrder {
    pub(super) sort: Sort,
    pub(super) names: NameOrder,
}

pub(super) fn compare(order: RowOrder, a: &Row, b: &Row) -> Ordering {
    let RowOrder { sort, names } = order;
    let by_name = || names.compare(a.stem(), b.stem());
    let by_key = || match (a.is_file() && b.is_file(), sort.descending) {
        (true, true) => by_key(order, b, a),
        (true, false) => by_key(order, a, b),
        (false, _) => by_name(),
    };
    let by_name_again = || match sort.key {
        // Orders that the service has use the id as the tiebreaker, as its pages do.
        SortKey::Access | SortKey::Expires => by_name(),
        _ => Ordering::Equal,
    };
    a.is_file()
        .cmp(&b.is_file())
        .then_with(by_key)
        .then_with(by_name_again)
        .then_with(|| by_id(a, b))
}

fn by_key(order: RowOrder, a: &Row, b: &Row) -> Ordering {
    match order.sort.key {
        SortKey::Name => order.names.compare(a.stem(), b.stem()),
        SortKey::Size => a.size.cmp(&b.size),
        SortKey::Kind => kind(a).cmp(kind(b)),
        SortKey::Created => a.created().cmp(&b.created()),
        SortKey::Updated => a.updated().cmp(&b.updated()),
        SortKey::Expires => end(a).cmp(&end(b)),
        SortKey::Access => openness(a).cmp(&openness(b)),
        SortKey::Content => a.size.cmp(&b.size).then_with(|| a.md5().cmp(&b.md5())),
    }
}

/// Puts what never expires last.
fn end(row: &Row) -> (bool, Option<Timestamp>) {
    (row.expires().is_none(), row.expires())
}

/// Puts the most public first and the unknown last.
fn openness(row: &Row) -> u8 {
    match &row.access {
        Some(Access::PublicIndexable) => 0,
        Some(Access::PublicNotIndexable) => 1,
        Some(Access::Private) => 2,
        Some(_) => 3,
        None => 4,
    }
}

fn kind(row: &Row) -> &str {
    row.kind.as_ref().map_or("", |kind| kind.as_str())
}

/// Orders by creation: ids are numbers, and a longer one is larger.
pub(super) fn by_id(a: &Row, b: &Row) -> Ordering {
    let (a, b) = (a.target.id(), b.target.id());
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Sorts the slots. Most rows differ in a short prefix of the sort key, so that comparing it is
/// enough.
pub(super) fn sorted(order: RowOrder, rows: &Rows, slots: impl Iterator<Item = Slot>) -> Vec<Slot> {
    let mut keyed: Vec<(bool, u128, Slot, &Row)> = slots
        .filter_map(|slot| {
            rows.get(slot)
                .map(|row| (row.is_file(), start(order, row), slot, row))
        })
        .collect();
    keyed.sort_unstable_by(|a, b| {
        (a.0, a.1)
            .cmp(&(b.0, b.1))
            .then_with(|| compare(order, a.3, b.3))
    });
    keyed.into_iter().map(|(_, _, slot, _)| slot).collect()
}

/// A number that orders rows of the same type as `compare` does, or is equal for both.
fn start(order: RowOrder, row: &Row) -> u128 {
    let RowOrder { sort, names } = order;
    let name = || names.start(row.stem());
    if !row.is_file() {
        return name();
    }
    let millis = |time: Option<Timestamp>| {
        // `None` comes first, and flipping the sign bit keeps the order of signed numbers.
        time.map_or(0, |time| {
            i128::from(time.as_millisecond())
                .saturating_sub(i128::from(i64::MIN))
                .unsigned_abs()
                + 1
        })
    };
    let key = match sort.key {
        SortKey::Name => name(),
        SortKey::Size | SortKey::Content => row.size.map_or(0, |size| u128::from(size) + 1),
        SortKey::Kind => 0,
        SortKey::Created => millis(row.created()),
        SortKey::Updated => millis(row.updated()),
        SortKey::Expires => row.expires().map_or(u128::MAX, |time| millis(Some(time))),
        SortKey::Access => u128::from(openness(row)),
    };
    if sort.descending { !key } else { key }
}

/// Merges sorted rows into others that are sorted, or nearly so.
pub(super) fn merge(order: RowOrder, rows: &Rows, slots: &mut Vec<Slot>, new: &[Slot]) {
    let mut merged = Vec::with_capacity(slots.len() + new.len());
    let mut rest = slots.as_slice();
    for slot in new {
        let Some(row) = rows.get(*slot) else { continue };
        let comes_first = |other: &Slot| {
            rows.get(*other)
                .is_some_and(|other| compare(order, other, row).is_le())
        };
        let (before, after) = rest.split_at(rest.partition_point(comes_first));
        merged.extend_from_slice(before);
        merged.push(*slot);
        rest = after;
    }
    merged.extend_from_slice(rest);
    *slots = merged;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::engine::message::{Entry, FolderRef};

    fn rows(items: &[(bool, String, Option<u64>, u8)]) -> Rows {
        let mut rows = Rows::default();
        for (id, (is_file, name, size, kind)) in items.iter().enumerate() {
            let kind = ["IMG", "DOCUMENT"][usize::from(*kind % 2)];
            let access = ["PRIVATE", "PUBLIC_INDEXABLE"][usize::from(*is_file)];
            let expires = size.filter(|size| *size > 1);
            let value = json!({
                "id": id.to_string(), "name": name, "size": size, "type": kind, "createdAt": size,
                "expiresAt": expires, "access": access,
            });
            let entry = if *is_file {
                Entry::File(serde_json::from_value(value).unwrap())
            } else {
                Entry::Folder(serde_json::from_value(value).unwrap())
            };
            rows.put(Row::new(&entry, &FolderRef::root()));
        }
        rows
    }

    proptest! {
        // The short keys and the merge must agree with the plain comparison.
        #[test]
        fn sorting_and_merging_follow_the_comparison(
            items in prop::collection::vec((any::<bool>(), "[a-cÀ-ÿA-C0-2]{0,20}", prop::option::of(0_u64..4), any::<u8>()), 0..40),
            key in prop::sample::select(vec![SortKey::Name, SortKey::Size, SortKey::Kind, SortKey::Created, SortKey::Updated, SortKey::Expires, SortKey::Access, SortKey::Content]),
            descending: bool,
            names in prop::sample::select(vec![NameOrder::Natural, NameOrder::ByCharacter]),
            half in 0_usize..40,
        ) {
            let (rows, by) = (rows(&items), RowOrder { sort: Sort { key, descending }, names });
            let order = sorted(by, &rows, rows.iter().map(|(slot, _)| slot));
            let mut expected: Vec<Slot> = rows.iter().map(|(slot, _)| slot).collect();
            expected.sort_by(|a, b| compare(by, rows.get(*a).unwrap(), rows.get(*b).unwrap()));
            prop_assert_eq!(&order, &expected);
            let is_first = |slot: &Slot| (*slot as usize) < half;
            let mut merged = sorted(by, &rows, rows.iter().map(|(slot, _)| slot).filter(is_first));
            let new = sorted(by, &rows, rows.iter().map(|(slot, _)| slot).filter(|slot| !is_first(slot)));
            merge(by, &rows, &mut merged, &new);
            prop_assert_eq!(merged, expected);
        }
    }
}
