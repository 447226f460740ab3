//! The system's keyring: an entry holds one token. It is asked for nothing but the token of the account at hand, and has
//! two seconds to answer. A build without the feature `keyring` has none.

pub mod error;

#[cfg(not(feature = "keyring"))]
mod absent;
#[cfg(feature = "keyring")]
mod system;

#[cfg(not(feature = "keyring"))]
pub use absent::Keyring;
#[cfg(feature = "keyring")]
pub use system::Keyring;

/// Whether this build can ask it.
pub const IS_BUILT_IN: bool = cfg!(feature = "keyring");
