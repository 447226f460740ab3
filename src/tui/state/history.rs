//! The visited folders and searches, for going back and forward.

use super::row::moved;
use crate::engine::message::{Collection, Target};

/// A visited folder or search, and the row that the cursor was on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    pub of: Collection,
    pub at: Option<Target>,
}

/// Two stacks around the open folder.
#[derive(Debug, Clone, Default)]
pub struct History {
    back: Vec<Visit>,
    forth: Vec<Visit>,
}

const MOST: usize = 100;

impl History {
    /// Records that the user went somewhere new; the forward stack is cleared.
    pub fn leave(&mut self, here: Visit) {
        self.forth.clear();
        if self.back.len() == MOST {
            self.back.remove(0);
        }
        self.back.push(here);
    }

    pub fn repath(&mut self, from: &str, to: &str) {
        for visit in self.back.iter_mut().chain(&mut self.forth) {
            if let Collection::Folder(place) = &mut visit.of
                && let Some(path) = moved(&place.path, from, to)
            {
                place.path = path;
            }
        }
    }

    pub fn back(&mut self, here: Visit) -> Option<Visit> {
        let there = self.back.pop()?;
        self.forth.push(here);
        Some(there)
    }

    pub fn forth(&mut self, here: Visit) -> Option<Visit> {
        let there = self.forth.pop()?;
        self.back.push(here);
        Some(there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::message::FolderRef;

    fn visit(path: &str) -> Visit {
        Visit {
            of: FolderRef {
                id: None,
                path: path.to_owned(),
            }
            .into(),
            at: None,
        }
    }

    #[test]
    fn back_and_forth_lead_over_the_same_folders() {
        let mut history = History::default();
        history.leave(visit("/a"));
        history.leave(visit("/b"));
        assert_eq!(history.back(visit("/c")), Some(visit("/b")));
        assert_eq!(history.back(visit("/b")), Some(visit("/a")));
        assert_eq!(history.back(visit("/a")), None);
        assert_eq!(history.forth(visit("/a")), Some(visit("/b")));
        history.leave(visit("/b"));
        assert_eq!(
            history.forth(visit("/d")),
            None,
            "going somewhere new forgets the way forth"
        );
    }
}
