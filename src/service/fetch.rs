//! Gets the bytes of an import from an address that somebody else chose, without reaching inside (`reliability.md` D9, D10).
//! Knows nothing of tasks, folders or storage.

mod content;
mod error;
mod fetcher;
mod filename;
mod global;
mod guard;
mod resolve;

pub use content::Content;
pub use error::FetchError;
pub use fetcher::{FetchLimits, Fetcher, check_url};
pub use guard::{AllowedNetwork, Guard};
pub use resolve::{Resolve, SystemResolver};

#[cfg(test)]
mod tests;
