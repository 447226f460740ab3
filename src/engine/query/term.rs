//! The parsed words of a search: each is a filter, and all of them must hold.

use jiff::Timestamp;

use crate::api::model::FileKind;
use crate::api::search::Bounds;
use crate::engine::paging::{Sort, SortKey};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    /// A part of the name, in any case.
    Name(String),
    /// Somewhere below this folder; absolute, without a slash at its end.
    Below(String),
    Kind(FileKind),
    /// An extension without the dot, in lowercase.
    Extension(String),
    /// In bytes.
    Size(Bound<u64>),
    /// In pixels.
    Width(Bound<u64>),
    /// In pixels.
    Height(Bound<u64>),
    Time(TimeField, Bound<Timestamp>),
    Access(AccessTerm),
    Usable(bool),
    /// The MD5 of the content, in lowercase hex.
    Md5(String),
    /// The plain URL of one file.
    Address(String),
    Only(EntryKind),
    /// Files whose content exists more than once.
    Duplicates,
    Order(Sort),
    /// Several values of one filter, of which one must hold.
    Any(Vec<Term>),
    Not(Box<Term>),
}

impl Term {
    /// Returns the term without negation, and the first one of several.
    pub(super) fn plain(&self) -> &Self {
        match self {
            Self::Any(terms) => terms.first().map_or(self, Self::plain),
            Self::Not(term) => term.plain(),
            _ => self,
        }
    }

    /// Returns the path of the folder that it is about; `None` for the root folder.
    pub(super) fn folder(&mut self) -> Option<&mut String> {
        match self {
            Self::Below(path) if !path.is_empty() => Some(path),
            Self::Not(term) => term.folder(),
            _ => None,
        }
    }

    /// Returns the filter's name, if a line may have it only once.
    pub(super) fn stands_once(&self) -> Option<&'static str> {
        if matches!(self, Self::Not(_)) {
            return None;
        }
        Some(match self.plain() {
            Self::Below(_) => "in",
            Self::Kind(_) => "type",
            Self::Extension(_) => "ext",
            Self::Access(_) => "access",
            Self::Usable(_) => "usable",
            Self::Md5(_) => "md5",
            Self::Address(_) => "url",
            Self::Only(_) | Self::Duplicates => "is",
            Self::Order(_) => "sort",
            _ => return None,
        })
    }

    /// Returns the sort key whose values the term compares.
    pub(super) fn key(&self) -> Option<SortKey> {
        Some(match self.plain() {
            Self::Kind(_) | Self::Extension(_) => SortKey::Kind,
            Self::Size(_) => SortKey::Size,
            Self::Access(_) => SortKey::Access,
            Self::Time(TimeField::Created, _) => SortKey::Created,
            Self::Time(TimeField::Updated, _) => SortKey::Updated,
            Self::Time(TimeField::Expires, _) => SortKey::Expires,
            _ => return None,
        })
    }

    /// Returns `true` if folders have nothing of the sort.
    pub(super) fn is_of_files(&self) -> bool {
        match self.plain() {
            Self::Name(_) | Self::Below(_) | Self::Only(_) | Self::Order(_) => false,
            Self::Time(moment, _) => *moment == TimeField::Expires,
            _ => true,
        }
    }
}

/// A range of numbers or times, with its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound<T> {
    pub(super) range: Bounds<T>,
    /// For example, `larger than 1 MB`.
    pub(super) description: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeField {
    Created,
    Updated,
    Expires,
}

/// The access to a file, in filedeck's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessTerm {
    Public,
    Unlisted,
    /// For nobody without a signed URL.
    Private,
}

impl AccessTerm {
    pub(super) const ALL: [Self; 3] = [Self::Public, Self::Unlisted, Self::Private];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Files,
    Folders,
}
