//! Checks the names of local files: the service does not accept all of them.

use std::ffi::OsStr;

use crate::engine::disk_name::NameSystem;

/// The longest name that the service accepts, in bytes.
const LONGEST_NAME: usize = 255;

/// Returns the name that a local one stands for, or the reason why the service does not accept it.
pub(super) fn sendable(name: &OsStr) -> Result<String, &'static str> {
    let name = name.to_str().ok_or("its name is not Unicode text")?;
    if name.chars().any(char::is_control) {
        return Err("its name has control characters");
    }
    if name.trim().is_empty() {
        return Err("its name is blank");
    }
    let name = NameSystem::OWN.to_remote(name);
    if name.len() > LONGEST_NAME {
        Err("its name is too long")
    } else {
        Ok(name)
    }
}
