//! TLS client configuration, with its own cryptography provider: a process-wide one may be somebody
//! else's. A server's certificate must lead to an authority of the system, or to one that the user
//! adds. This cannot be bypassed.

mod client_config;
mod distrust;
mod extra_roots;
mod verifier;

pub(crate) use client_config::without_authorities;
pub(crate) use distrust::Distrust;
#[cfg(feature = "client")]
pub(crate) use distrust::tls_error;
pub use extra_roots::ExtraRoots;
