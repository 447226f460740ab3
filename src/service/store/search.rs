//! The filters, orders and results of searches (`contract.md#search`).

use super::records::FileKey;

/// A field that filters compare with numbers and times, and that results are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum SortField {
    Id,
    Name,
    Extension,
    Kind,
    Access,
    Size,
    Height,
    Width,
    CreatedAt,
    UpdatedAt,
    ExpiresAt,
}

/// Inclusive bounds on one field; for equality both are set to the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldRange {
    pub(crate) field: SortField,
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
}

impl FieldRange {
    pub(crate) fn is_exact(&self) -> bool {
        self.from.is_some() && self.from == self.to
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchOrder {
    pub(crate) field: SortField,
    pub(crate) descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) limit: u32,
    pub(crate) offset: u64,
}

pub(crate) struct SearchPage<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) has_more: bool,
}

/// The conditions of a search, all of which must hold; an empty list sets no condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CommonFilter {
    pub(crate) ids: Vec<i64>,
    /// 0 is the root.
    pub(crate) parents: Vec<i64>,
    pub(crate) name_contains: Option<String>,
    /// Has a leading slash; empty for the root.
    pub(crate) path: Option<String>,
    pub(crate) ranges: Vec<FieldRange>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FileFilter {
    pub(crate) common: CommonFilter,
    pub(crate) extension: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) md5: Option<String>,
    pub(crate) usable: Option<bool>,
    /// Set to search for files that anyone with the address may, or may not, fetch.
    pub(crate) public: Option<bool>,
    /// The one file that an address named.
    pub(crate) only: Option<FileKey>,
}
