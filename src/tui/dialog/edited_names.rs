//! The names of several files and folders, as the user edits them.

mod name_list;
mod named;

use std::collections::BTreeSet;

use crate::engine::SessionId;
pub use named::Named;

/// Names being edited: the items, and the text for the editor or from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The session they belong to: they mean nothing in another account.
    pub session: SessionId,
    pub all: Vec<Named>,
    pub text: String,
}

impl Names {
    /// Writes the current names into a text.
    pub fn new(session: SessionId, all: Vec<Named>) -> Self {
        let text = name_list::written(all.iter().map(|named| &named.item));
        Self { session, all, text }
    }

    /// Reads the new names; the error says what is wrong with the lines.
    pub(super) fn read(&self) -> Result<Vec<String>, String> {
        name_list::read(
            &self.text,
            &self.all.iter().map(|named| &named.item).collect::<Vec<_>>(),
        )
    }

    /// Returns the paths under the new names, as far as those can be read.
    pub fn wanted(&self) -> BTreeSet<String> {
        let names = self.read().unwrap_or_default();
        self.all
            .iter()
            .zip(names)
            .map(|(named, name)| named.path_as(&name))
            .collect()
    }
}
