//! A file or folder that may be renamed, and its path and stem under a new name.

use crate::api::paths::join;
use crate::engine::Item;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub item: Item,
    /// The extension of a file, without the dot; may be empty.
    pub extension: String,
}

impl Named {
    pub(in crate::tui::dialog) fn path_as(&self, name: &str) -> String {
        join(
            self.item
                .path
                .rsplit_once('/')
                .map_or("", |(above, _)| above),
            name,
        )
    }

    /// Returns the service's name of a file, which excludes the extension; `None` if the extension
    /// is another one.
    pub(in crate::tui::dialog) fn stem_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        if self.extension.is_empty() {
            return Some(name);
        }
        let stem = name
            .strip_suffix(self.extension.as_str())?
            .strip_suffix('.')?;
        (!stem.trim().is_empty()).then_some(stem)
    }
}
