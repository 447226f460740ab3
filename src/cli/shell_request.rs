//! A shell's request for completions, recognized by a variable that its script sets.

use std::ffi::OsString;

/// The variable with which a shell's script requests completions; it holds the shell's name.
pub const ASKED_BY: &str = "FILEDECK_COMPLETE";

/// Returns `true` if a shell's script, not a person, started the program.
pub fn is_asked() -> bool {
    std::env::var_os(ASKED_BY).is_some()
        && std::env::args_os().nth(1).is_some_and(|word| word == "--")
}

pub fn line() -> (OsString, Vec<OsString>) {
    (
        std::env::var_os(ASKED_BY).unwrap_or_default(),
        std::env::args_os().collect(),
    )
}
