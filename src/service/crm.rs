//! What the account uses of its CRM limits: the model, and the nine reports computed from it (`wire.md` §8).
//! Pure: no SQL, no HTTP.

pub mod reports;
pub mod share;
pub mod usage;

pub use usage::{Usage, UsageError};
