//! A file or folder of this machine, as listed in its folder.

use std::ffi::OsString;

use jiff::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalEntry {
    /// The name on the disk, which need not be text.
    pub name: OsString,
    pub is_folder: bool,
    /// In bytes; `None` for a folder.
    pub size: Option<u64>,
    pub updated_at: Option<Timestamp>,
}

impl LocalEntry {
    /// Returns the name as it is typed: a folder's ends with `/`. `None` for a name that is not
    /// text.
    pub fn typed(&self) -> Option<String> {
        let name = self.name.to_str()?;
        Some(if self.is_folder {
            format!("{name}/")
        } else {
            name.to_owned()
        })
    }
}
