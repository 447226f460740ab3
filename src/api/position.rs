//! Where a page of a listing begins, and where the next one does: the rule that leads past offset 10,000
//! (`contract.md#search`).

use super::error::{Error, Kind};
use super::search::{Filter, LAST_OFFSET, SortBy};

/// So many empty pages in a row end a listing.
const MOST_EMPTY_PAGES: u32 = 5;

/// At an offset in the order that was asked for; or at an id, in order of id. Offsets end at 10,000: past that, a listing
/// continues in order of id, and who reads it leaves out what it has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    pub(crate) offset: u32,
    pub(crate) from_id: Option<u64>,
}

/// What a page says of where the listing continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageEnd {
    /// The offset that the service names; none on the last page.
    pub(crate) next: Option<u32>,
    pub(crate) is_empty: bool,
    /// The highest id on it; none if no id is a number.
    pub(crate) highest: Option<u64>,
    /// There is something on it, and all of that was had before.
    pub(crate) only_repeats: bool,
}

impl Position {
    pub(crate) fn from_id(id: u64) -> Self {
        Self { offset: 0, from_id: Some(id) }
    }

    /// The filter that asks for the page which begins here. `order` is that of offsets.
    pub(crate) fn applied(self, filter: Filter, order: Vec<SortBy>) -> Filter {
        let sort = if self.from_id.is_some() { vec![SortBy::ID] } else { order };
        let id_from = self.from_id.map(|id| id.to_string()).or(filter.id_from);
        Filter { sort, after: (self.offset > 0).then_some(self.offset), id_from, ..filter }
    }

    /// Where the page after this one begins; none at the end. `lowest` is the id that a listing in order of id begins with. A
    /// list that does not continue is an error.
    pub(crate) fn after(self, page: PageEnd, lowest: u64) -> Result<Option<Self>, Error> {
        Ok(match (self.from_id, page.next) {
            (_, None) => None,
            (None, Some(offset)) if offset <= self.offset || page.only_repeats => return Err(stands_still()),
            (None, Some(offset)) if offset < LAST_OFFSET => Some(Self { offset, from_id: None }),
            // What was given in another order is left out as it comes by.
            (None, Some(_)) => Some(Self::from_id(lowest)),
            // Nothing says where an empty page in order of id would continue.
            (Some(_), Some(_)) if page.is_empty => return Err(only_empty_pages()),
            (Some(from), Some(_)) => {
                let next = page.highest.and_then(|id| id.checked_add(1)).ok_or_else(no_numbers)?;
                if next <= from {
                    return Err(stands_still());
                }
                Some(Self::from_id(next))
            }
        })
    }
}

/// Fails after some pages in a row that are empty and name a next one: such a list may never end, and is none that can be
/// called empty.
pub(crate) fn check_empty_pages(in_a_row: u32) -> Result<(), Error> {
    if in_a_row < MOST_EMPTY_PAGES { Ok(()) } else { Err(only_empty_pages()) }
}

fn no_numbers() -> Error {
    Error::new(Kind::Decode, "The ids are not numbers, so the list cannot continue")
}

fn only_empty_pages() -> Error {
    let message = "The service sends empty pages, each with a link to another one, so the list may be incomplete; refresh it, and report the problem to the service if it persists";
    Error::new(Kind::Decode, message)
}

pub(crate) fn stands_still() -> Error {
    let message = "The service repeats the same page or the same entries, so the list may be incomplete";
    Error::new(Kind::Decode, message)
}
