//! Fetches the bytes of an import from an address that somebody else chose, without reaching
//! internal targets (`guarantees.md#imports-do-not-reach-inside`). Knows nothing of tasks, folders
//! or storage.

mod content;
mod error;
mod fetcher;
mod filename;
mod global;
mod guard;
mod resolve;

pub(crate) use content::FetchedContent;
pub(crate) use error::FetchError;
pub(crate) use fetcher::{FetchLimits, Fetcher, check_url};
pub(crate) use guard::AddressGuard;
pub(crate) use resolve::SystemResolver;

#[cfg(test)]
mod named;
#[cfg(test)]
mod tests;
