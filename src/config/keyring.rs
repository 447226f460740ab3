//! The system's keyring, in which an entry holds one token. Only the token of the account in use is
//! requested, with a limit of two seconds. A build without the feature `keyring` has none.

pub mod error;

#[cfg(not(feature = "keyring"))]
mod absent;
#[cfg(feature = "keyring")]
mod system;

#[cfg(not(feature = "keyring"))]
pub use absent::Keyring;
#[cfg(feature = "keyring")]
pub use system::Keyring;

pub const IS_BUILT_IN: bool = cfg!(feature = "keyring");
