//! The local implementation of the list's orders: folders first and always by name, then the files.
//! Most orders are the service's own (`contract.md#search`): by stem regardless of case, with the
//! id as the tiebreaker.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::row::Row;
use super::rows::{Rows, Slot};
use crate::api::model::Access;
use crate::engine::message::{Sort, SortKey};

pub(super) fn compare(sort: Sort, a: &Row, b: &Row) -> Ordering {
    let by_key = || match (a.is_file() && b.is_file(), sort.descending) {
        (true, true) => by_key(sort.key, b, a),
        (true, false) => by_key(sort.key, a, b),
        (false, _) => by_name(a, b),
    };
    let by_name_again = || match sort.key {
        // Orders that the service has use the id as the tiebreaker, as its pages do.
        SortKey::Access | SortKey::Expires => by_name(a, b),
        _ => Ordering::Equal,
    };
    a.is_file()
        .cmp(&b.is_file())
        .then_with(by_key)
        .then_with(by_name_again)
        .then_with(|| by_id(a, b))
}

fn by_key(key: SortKey, a: &Row, b: &Row) -> Ordering {
    match key {
        SortKey::Name => by_name(a, b),
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

fn by_name(a: &Row, b: &Row) -> Ordering {
    folded(a.stem()).cmp(folded(b.stem()))
}

fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// Orders by creation: ids are numbers, and a longer one is larger.
pub(super) fn by_id(a: &Row, b: &Row) -> Ordering {
    let (a, b) = (a.target.id(), b.target.id());
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Sorts the slots. Most rows differ in a short prefix of the sort key, so that comparing it is
/// enough.
pub(super) fn sorted(sort: Sort, rows: &Rows, slots: impl Iterator<Item = Slot>) -> Vec<Slot> {
    let mut keyed: Vec<(bool, u128, Slot, &Row)> = slots
        .filter_map(|slot| {
            rows.get(slot)
                .map(|row| (row.is_file(), start(sort, row), slot, row))
        })
        .collect();
    keyed.sort_unstable_by(|a, b| {
        (a.0, a.1)
            .cmp(&(b.0, b.1))
            .then_with(|| compare(sort, a.3, b.3))
    });
    keyed.into_iter().map(|(_, _, slot, _)| slot).collect()
}

/// A number that orders rows of the same type as `compare` does, or is equal for both.
fn start(sort: Sort, row: &Row) -> u128 {
    let name = || {
        let (mut bytes, mut buffer) = ([0; 16], [0; 4]);
        let mut room = bytes.iter_mut();
        for c in folded(row.stem()).take(16) {
            c.encode_utf8(&mut buffer)
                .bytes()
                .zip(&mut room)
                .for_each(|(byte, place)| *place = byte);
        }
        u128::from_be_bytes(bytes)
    };
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
pub(super) fn merge(sort: Sort, rows: &Rows, order: &mut Vec<Slot>, new: &[Slot]) {
    let mut merged = Vec::with_capacity(order.len() + new.len());
    let mut rest = order.as_slice();
    for slot in new {
        let Some(row) = rows.get(*slot) else { continue };
        let comes_first = |other: &Slot| {
            rows.get(*other)
                .is_some_and(|other| compare(sort, other, row).is_le())
        };
        let (before, after) = rest.split_at(rest.partition_point(comes_first));
        merged.extend_from_slice(before);
        merged.push(*slot);
        rest = after;
    }
    merged.extend_from_slice(rest);
    *order = merged;
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
            items in prop::collection::vec((any::<bool>(), "[a-cÀ-ÿA-C]{0,20}", prop::option::of(0_u64..4), any::<u8>()), 0..40),
            key in prop::sample::select(vec![SortKey::Name, SortKey::Size, SortKey::Kind, SortKey::Created, SortKey::Updated, SortKey::Expires, SortKey::Access, SortKey::Content]),
            descending: bool,
            half in 0_usize..40,
        ) {
            let (rows, sort) = (rows(&items), Sort { key, descending });
            let order = sorted(sort, &rows, rows.iter().map(|(slot, _)| slot));
            let mut expected: Vec<Slot> = rows.iter().map(|(slot, _)| slot).collect();
            expected.sort_by(|a, b| compare(sort, rows.get(*a).unwrap(), rows.get(*b).unwrap()));
            prop_assert_eq!(&order, &expected);
            let is_first = |slot: &Slot| (*slot as usize) < half;
            let mut merged = sorted(sort, &rows, rows.iter().map(|(slot, _)| slot).filter(is_first));
            let new = sorted(sort, &rows, rows.iter().map(|(slot, _)| slot).filter(|slot| !is_first(slot)));
            merge(sort, &rows, &mut merged, &new);
            prop_assert_eq!(merged, expected);
        }
    }
}
