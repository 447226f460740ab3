//! Paths that a comparison leaves alone on both sides, with all below them, each with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::FileType;

use super::ancestors::ancestors;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A pattern or a rule of a `.gitignore` file.
    Pattern,
    /// It is hidden, and would be public once sent.
    Hidden,
    /// The files of a version control system, or of a desktop.
    NeverSent,
    /// A link, a pipe, a device or a socket.
    Special(&'static str),
    /// A link to a folder that it is in.
    Cycle,
    /// A name that the service does not accept.
    Name(&'static str),
    /// It exists, but nobody knows what is in it.
    Unreadable,
}

/// Paths that are left out, from the top of the trees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LeftOut {
    pub paths: BTreeMap<String, Reason>,
}

impl Reason {
    /// Returns the reason why something that is neither a file nor a folder is left out.
    pub fn special(kind: FileType) -> Self {
        Self::Special(if kind.is_symlink() {
            "a link, which is not followed"
        } else {
            "a pipe, a device or a socket"
        })
    }

    /// Returns `true` if the user requested it, so that a count is enough.
    pub fn is_asked_for(self) -> bool {
        self == Self::Pattern
    }

    /// Returns the word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::Hidden => "hidden",
            Self::NeverSent => "never-sent",
            Self::Special(_) => "special",
            Self::Cycle => "cycle",
            Self::Name(_) => "name",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pattern => "left out by a pattern",
            Self::Hidden => "hidden, and would be public: it is sent only where that is asked for",
            Self::NeverSent => {
                "belongs to version control or to the desktop, and is never sent with a folder"
            }
            Self::Special(why) | Self::Name(why) => why,
            Self::Cycle => "a link that leads back to a folder above it",
            Self::Unreadable => "it cannot be read",
        })
    }
}

impl LeftOut {
    /// Adds a path, unless it or one above it is there; an unreadable one is always added.
    pub fn add(&mut self, path: String, reason: Reason) {
        if reason == Reason::Unreadable || !self.covers(&path) {
            self.paths.insert(path, reason);
        }
    }

    /// Returns the reason why a path, or one above it, is left out.
    pub fn reason(&self, path: &str) -> Option<Reason> {
        if self.paths.is_empty() {
            return None;
        }
        [""].into_iter()
            .chain(ancestors(path))
            .chain([path])
            .find_map(|path| self.paths.get(path))
            .copied()
    }

    pub fn covers(&self, path: &str) -> bool {
        self.reason(path).is_some()
    }

    /// Returns `true` if everything was readable. If not, nothing can be said to be gone.
    pub fn is_readable(&self) -> bool {
        !self
            .paths
            .values()
            .any(|reason| *reason == Reason::Unreadable)
    }

    /// Returns the number of files and folders that should have been transferred but cannot be, by
    /// content or by name.
    pub fn unfit(&self) -> usize {
        self.paths
            .values()
            .filter(|reason| matches!(reason, Reason::Unreadable | Reason::Cycle | Reason::Name(_)))
            .count()
    }

    /// Returns the folders that hold something left out, at any depth.
    pub fn folders(&self) -> BTreeSet<&str> {
        self.paths.keys().flat_map(|path| ancestors(path)).collect()
    }

    /// Returns everything that the user did not ask to leave out, by path.
    pub fn named(&self) -> impl Iterator<Item = (&str, Reason)> {
        let named = self
            .paths
            .iter()
            .filter(|(_, reason)| !reason.is_asked_for());
        named.map(|(path, reason)| (path.as_str(), *reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_covers_what_is_below_it_and_no_neighbor() {
        let mut left_out = LeftOut::default();
        left_out.add("a/b".to_owned(), Reason::Pattern);
        left_out.add("a/b/c".to_owned(), Reason::Hidden);
        assert_eq!(left_out.paths.len(), 1);
        assert!(left_out.covers("a/b") && left_out.covers("a/b/c/d"));
        assert!(!left_out.covers("a") && !left_out.covers("a/b.txt") && left_out.is_readable());
        left_out.add("a/b/c".to_owned(), Reason::Unreadable);
        assert_eq!((left_out.unfit(), left_out.named().count()), (1, 1));
        assert_eq!(left_out.folders(), ["a", "a/b"].into());
        left_out.add(String::new(), Reason::Unreadable);
        assert!(left_out.covers("x"));
    }
}
