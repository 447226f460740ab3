//! Checks the names of local files: the service does not accept all of them.

use std::ffi::OsStr;

use crate::engine::disk_name::NameSystem;

/// The longest name that the service accepts, in bytes.
const LONGEST_NAME: usize = 255;

/// Returns the name that a local one stands for, or the reason why the service does not accept it.
pub(super) fn sendable(name: &OsStr) -> Result<String, &'static str> {
    let name = name.to_str().ok_or("its name is not Unicode text")?;
    let name = NameSystem::OWN.to_remote(name);
    if name.chars().any(char::is_control) {
        Err("its name has control characters")
    } else if name.trim().is_empty() {
        Err("its name is blank")
    } else if name.len() > LONGEST_NAME {
        Err("its name is too long")
    } else {
        Ok(name)
    }
}
