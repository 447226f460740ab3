//! The words of a search, read: each is a filter, and all of them must hold.

use jiff::Timestamp;

use crate::api::model::FileKind;
use crate::api::search::Bounds;
use crate::engine::paging::Sort;

/// One filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    /// Contained in the name, case aside.
    Name(String),
    /// Somewhere below this folder; absolute, without a slash at its end.
    Below(String),
    Kind(FileKind),
    /// Without the dot, lower-case.
    Extension(String),
    /// Bytes.
    Size(Bound<u64>),
    /// Pixels.
    Width(Bound<u64>),
    /// Pixels.
    Height(Bound<u64>),
    Time(TimeField, Bound<Timestamp>),
    Access(AccessTerm),
    Usable(bool),
    /// MD5 of the content, lower-case hex.
    Md5(String),
    /// The plain address of one file.
    Address(String),
    Only(EntryKind),
    /// Files whose content is there more than once.
    Duplicates,
    Order(Sort),
}

impl Term {
    /// The filter's name, if it is allowed in a line once only.
    pub(super) fn stands_once(&self) -> Option<&'static str> {
        Some(match self {
            Self::Name(_) | Self::Size(_) | Self::Width(_) | Self::Height(_) | Self::Time(..) => return None,
            Self::Below(_) => "in",
            Self::Kind(_) => "type",
            Self::Extension(_) => "ext",
            Self::Access(_) => "access",
            Self::Usable(_) => "usable",
            Self::Md5(_) => "md5",
            Self::Address(_) => "url",
            Self::Only(_) | Self::Duplicates => "is",
            Self::Order(_) => "sort",
        })
    }

    /// Whether folders have nothing of the sort.
    pub(super) fn is_of_files(&self) -> bool {
        match self {
            Self::Name(_) | Self::Below(_) | Self::Only(_) | Self::Order(_) => false,
            Self::Time(moment, _) => *moment == TimeField::Expires,
            _ => true,
        }
    }
}

/// Numbers or times between two ends, and how that is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound<T> {
    pub(super) range: Bounds<T>,
    /// `larger than 1 MB`.
    pub(super) said: String,
}

/// What a time is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeField {
    Created,
    Updated,
    Expires,
}

/// Who may fetch a file, as filedeck calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessTerm {
    Public,
    Unlisted,
    /// Nobody without a signed address.
    Private,
}

/// What is looked for at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Files,
    Folders,
}
