//! A file or folder of this machine, as a list of its folder has it.

use std::ffi::OsString;

use jiff::Timestamp;

/// A file or folder of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalEntry {
    /// As the disk has it, which need not be text.
    pub name: OsString,
    pub is_folder: bool,
    /// Bytes; none of a folder.
    pub size: Option<u64>,
    pub updated_at: Option<Timestamp>,
}

impl LocalEntry {
    /// The name as it is typed: that of a folder ends with `/`. None of a name that is not text.
    pub fn typed(&self) -> Option<String> {
        let name = self.name.to_str()?;
        Some(if self.is_folder { format!("{name}/") } else { name.to_owned() })
    }
}
