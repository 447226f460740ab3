//! The start of a page of a listing and of the next one: the rules that lead past offset 10,000
//! (`contract.md#search`).

use super::error::{Error, Kind};
use super::search::{Filter, LAST_OFFSET, SortBy};
use super::text::visible;

/// The number of consecutive empty pages that ends a listing.
const MOST_EMPTY_PAGES: u32 = 5;

/// The start of a page: an offset in the requested order or, in order of id, an id and an offset
/// from there. Offsets end at 10,000; beyond that a listing continues in order of id, and the reader
/// skips entries that it has already returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// The number of entries before it.
    pub offset: u32,
    /// The id that the listing begins with, in order of id.
    pub from_id: Option<u64>,
}

pub(crate) const FIRST_ID: u64 = 1;

/// The facts about a page that determine the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageEnd {
    /// The next offset that the service names; `None` on the last page.
    next: Option<String>,
    is_empty: bool,
    /// `None` if no id on the page is a number.
    highest: Option<u64>,
    /// Set if the highest id is the last one.
    is_in_order: bool,
    only_repeats: bool,
}

impl PageEnd {
    /// Summarizes a page with these ids. `next` is the next offset that the service names; `None`
    /// on the last page.
    pub(crate) fn of<'a>(ids: impl Iterator<Item = &'a str>, next: Option<String>) -> Self {
        let (mut is_empty, mut highest, mut last) = (true, None, None);
        for id in ids {
            (is_empty, last) = (false, id.parse::<u64>().ok());
            highest = highest.max(last);
        }
        Self {
            next,
            is_empty,
            highest,
            is_in_order: last == highest,
            only_repeats: false,
        }
    }

    /// Set if the page has entries, and all of them were returned before.
    pub(crate) fn only_repeats(self, only_repeats: bool) -> Self {
        Self {
            only_repeats,
            ..self
        }
    }
}

impl Position {
    /// Creates the start of a listing in order of id that begins with this one.
    pub fn from_id(id: u64) -> Self {
        Self {
            offset: 0,
            from_id: Some(id),
        }
    }

    /// Completes the filter for the page that begins here. `order` is the sort order for offsets.
    pub(crate) fn applied(self, filter: Filter, order: Vec<SortBy>) -> Filter {
        let sort = if self.from_id.is_some() {
            vec![SortBy::ID]
        } else {
            order
        };
        let id_from = self.from_id.map(|id| id.to_string()).or(filter.id_from);
        Filter {
            sort,
            after: (self.offset > 0).then_some(self.offset),
            id_from,
            ..filter
        }
    }

    /// Returns the position of the next page; `None` at the end. `lowest` is the first id of a
    /// listing in order of id. Fails if the listing makes no progress.
    pub(crate) fn after(self, page: PageEnd, lowest: u64) -> Result<Option<Self>, Error> {
        let Some(next) = page.next else {
            return Ok(None);
        };
        Ok(match self.from_id {
            None => {
                let offset: u32 = next.parse().map_err(|_| no_offset(&next))?;
                if offset <= self.offset || page.only_repeats {
                    return Err(stands_still());
                }
                // Entries that were already returned in another order are skipped as they come
                // again.
                Some(if offset < LAST_OFFSET {
                    Self {
                        offset,
                        from_id: None,
                    }
                } else {
                    Self::from_id(lowest)
                })
            }
            // Without entries there is no id to continue from.
            Some(_) if page.is_empty => return Err(only_empty_pages()),
            Some(from) => {
                let next = page
                    .highest
                    .and_then(|id| id.checked_add(1))
                    .ok_or_else(no_numbers)?;
                if next <= from {
                    return Err(stands_still());
                }
                // Ids lower than one on this page would never be requested.
                if !page.is_in_order {
                    return Err(out_of_order());
                }
                Some(Self::from_id(next))
            }
        })
    }
}

/// Fails after several consecutive empty pages that name a next one: such a list may not end, and
/// is not empty.
pub(crate) fn check_empty_pages(in_a_row: u32) -> Result<(), Error> {
    if in_a_row < MOST_EMPTY_PAGES {
        Ok(())
    } else {
        Err(only_empty_pages())
    }
}

fn no_offset(next: &str) -> Error {
    let next = visible(next);
    Error::new(
        Kind::Decode,
        format!(
            "The service names {next} as the offset of the next page, so the list cannot continue"
        ),
    )
}

fn no_numbers() -> Error {
    Error::new(
        Kind::Decode,
        "The ids are not numbers, so the list cannot continue",
    )
}

fn out_of_order() -> Error {
    Error::new(
        Kind::Decode,
        "The service does not list by id as it was asked to, so the list may be incomplete",
    )
}

fn only_empty_pages() -> Error {
    let message = "The service sends empty pages, each with a link to another one, so the list may be incomplete; refresh it, and report the problem to the service if it persists";
    Error::new(Kind::Decode, message)
}

pub(crate) fn stands_still() -> Error {
    let message =
        "The service repeats the same page or the same entries, so the list may be incomplete";
    Error::new(Kind::Decode, message)
}
