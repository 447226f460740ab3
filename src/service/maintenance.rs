//! Maintenance of a data directory from outside: verification and backup, even while a service is
//! using it, and recovery and copies while none is.

#[cfg(feature = "s3")]
mod adopt;
mod backup;
mod bucket_wait;
mod copy;
mod copy_news;
mod error;
mod place;
mod recover;
mod shared_rows;
mod signing_key;
mod sources;
mod store_source;
mod take_over;
mod verify;

#[cfg(feature = "s3")]
pub use adopt::{Adopted, adopt};
pub use backup::{Copied, backup};
pub use copy::copy;
pub use copy_news::{CopyNews, Extent};
pub use error::MaintenanceError;
pub use recover::{Recovered, RecoveredFile, recover};
pub use signing_key::rotate_key;
pub use store_source::StoreSource;
pub use verify::{Damage, DamagedFile, Verification, verify};
