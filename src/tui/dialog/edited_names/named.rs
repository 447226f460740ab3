//! A file or folder that may be renamed, and what a name makes of it.

use crate::api::paths::join;
use crate::engine::Item;

/// What may be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub item: Item,
    /// A file's, without the dot; may be empty.
    pub extension: String,
}

impl Named {
    /// Where it would be under that name.
    pub(in crate::tui::dialog) fn path_as(&self, name: &str) -> String {
        join(self.item.path.rsplit_once('/').map_or("", |(above, _)| above), name)
    }

    /// What the service calls the name of a file: without its extension. None if that is another one.
    pub(in crate::tui::dialog) fn stem_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        if self.extension.is_empty() {
            return Some(name);
        }
        let stem = name.strip_suffix(self.extension.as_str())?.strip_suffix('.')?;
        (!stem.trim().is_empty()).then_some(stem)
    }
}
