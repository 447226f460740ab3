//! Care for a data directory from outside, whether a service is using it or not: verification and backup.

mod backup;
mod error;
mod verify;

pub use backup::{Copied, backup};
pub use error::CareError;
pub use verify::{Damage, DamagedFile, Verification, verify};
