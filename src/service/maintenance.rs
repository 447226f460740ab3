//! Care for a data directory from outside, whether a service is using it or not: verification and backup; and
//! recovery, where none is.

mod backup;
mod copy;
mod copy_source;
mod error;
mod place;
mod recover;
mod sources;
mod verify;

pub use backup::{Copied, backup, backup_with_bucket};
pub use copy::copy;
pub use copy_source::CopySource;
pub use error::MaintenanceError;
pub use recover::{Recovered, RecoveredFile, recover};
pub use verify::{Damage, DamagedFile, Verification, verify, verify_with_bucket};
