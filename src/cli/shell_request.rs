//! How a shell asks for completions: by a variable that its script sets.

use std::ffi::OsString;

/// The variable by which the script of a shell asks for completions; it holds the name of the shell.
pub const ASKED_BY: &str = "FILEDECK_COMPLETE";

/// Whether a shell asks, and not a person.
pub fn is_asked() -> bool {
    std::env::var_os(ASKED_BY).is_some() && std::env::args_os().nth(1).is_some_and(|word| word == "--")
}

/// The name of the shell, and the words of its line.
pub fn line() -> (OsString, Vec<OsString>) {
    (std::env::var_os(ASKED_BY).unwrap_or_default(), std::env::args_os().collect())
}
