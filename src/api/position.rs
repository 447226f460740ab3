//! Where a page of a listing begins, and where the next one does: the rule that leads past offset 10,000
//! (`contract.md#search`).

use super::error::{Error, Kind};
use super::search::{Filter, LAST_OFFSET, SortBy};
use super::text::visible;

/// So many empty pages in a row end a listing.
const MOST_EMPTY_PAGES: u32 = 5;

/// At an offset in the order that was asked for; or at an id, in order of id. Offsets end at 10,000: past that, a listing
/// continues in order of id, and the reader skips entries that it has already seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    pub(crate) offset: u32,
    pub(crate) from_id: Option<u64>,
}

/// What an order of id begins with.
pub(crate) const FIRST_ID: u64 = 1;

/// What a page says of where the listing continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageEnd {
    /// The offset that the service names; none on the last page.
    next: Option<String>,
    is_empty: bool,
    /// The highest id on it; none if no id is a number.
    highest: Option<u64>,
    /// The highest id is the last one.
    is_in_order: bool,
    only_repeats: bool,
}

impl PageEnd {
    /// Of a page with these ids; `next` is the offset that the service names, none on the last page.
    pub(crate) fn of<'a>(ids: impl Iterator<Item = &'a str>, next: Option<String>) -> Self {
        let (mut is_empty, mut highest, mut last) = (true, None, None);
        for id in ids {
            (is_empty, last) = (false, id.parse::<u64>().ok());
            highest = highest.max(last);
        }
        Self { next, is_empty, highest, is_in_order: last == highest, only_repeats: false }
    }

    /// The page has entries, and all of them were seen before.
    pub(crate) fn only_repeats(self, only_repeats: bool) -> Self {
        Self { only_repeats, ..self }
    }
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
        let Some(next) = page.next else { return Ok(None) };
        Ok(match self.from_id {
            None => {
                let offset: u32 = next.parse().map_err(|_| no_offset(&next))?;
                if offset <= self.offset || page.only_repeats {
                    return Err(stands_still());
                }
                // What was given in another order is left out as it comes by.
                Some(if offset < LAST_OFFSET { Self { offset, from_id: None } } else { Self::from_id(lowest) })
            }
            // Nothing says where an empty page in order of id would continue.
            Some(_) if page.is_empty => return Err(only_empty_pages()),
            Some(from) => {
                let next = page.highest.and_then(|id| id.checked_add(1)).ok_or_else(no_numbers)?;
                if next <= from {
                    return Err(stands_still());
                }
                // What has a lower id than one on this page would never be asked for.
                if !page.is_in_order {
                    return Err(out_of_order());
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

fn no_offset(next: &str) -> Error {
    let next = visible(next);
    Error::new(
        Kind::Decode,
        format!("The service names {next} as the offset of the next page, so the list cannot continue"),
    )
}

fn no_numbers() -> Error {
    Error::new(Kind::Decode, "The ids are not numbers, so the list cannot continue")
}

fn out_of_order() -> Error {
    Error::new(Kind::Decode, "The service does not list by id as it was asked to, so the list may be incomplete")
}

fn only_empty_pages() -> Error {
    let message = "The service sends empty pages, each with a link to another one, so the list may be incomplete; refresh it, and report the problem to the service if it persists";
    Error::new(Kind::Decode, message)
}

pub(crate) fn stands_still() -> Error {
    let message = "The service repeats the same page or the same entries, so the list may be incomplete";
    Error::new(Kind::Decode, message)
}
