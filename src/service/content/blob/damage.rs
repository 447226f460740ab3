//! The failure of a read whose bytes are not those that were stored, as an error of the place that they lie in.

use std::io;

/// The bytes are not those that were stored.
#[derive(Debug, thiserror::Error)]
#[error("the stored bytes are damaged")]
struct Damaged;

/// Nothing else is of this kind.
pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Damaged)
}

/// Whether the bytes could be read and are not those that were stored.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}
