//! What the account uses of its CRM limits: the model, and the nine reports computed from it (`wire.md` §8).
//! Pure: no SQL, no HTTP.

pub(crate) mod reports;
pub(crate) mod share;
pub(crate) mod usage;

pub use usage::{Usage, UsageError};
