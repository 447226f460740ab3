//! The usage of CRM limits and the nine reports computed from it (`contract.md#crm-limits`). Pure:
//! no SQL, no HTTP.

pub(crate) mod reports;
pub(crate) mod share;
pub(crate) mod usage;

pub use usage::{Usage, UsageFileError};
