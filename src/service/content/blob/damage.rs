//! The error of a read whose bytes are not those that were stored.

use std::io;

#[derive(Debug, thiserror::Error)]
#[error("the stored bytes are damaged")]
struct Damaged;

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Damaged)
}

/// Returns `true` if the bytes could be read but are not those that were stored. No other read
/// error has this kind.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}
