//! What searches ask for and find (`contract.md#search`).

use super::records::FileKey;

/// What numbers and times are compared with, and what results are sorted by.
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

/// Inclusive bounds on one field; equality is both at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldRange {
    pub(crate) field: SortField,
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchOrder {
    pub(crate) field: SortField,
    pub(crate) descending: bool,
}

/// Which part of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) limit: u32,
    pub(crate) offset: u64,
}

/// What a search found.
pub(crate) struct SearchPage<T> {
    pub(crate) rows: Vec<T>,
    /// Whether there is more after the page.
    pub(crate) has_more: bool,
}

/// All that is set must hold; an empty list is not set.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CommonFilter {
    pub(crate) ids: Vec<i64>,
    /// 0 is the root.
    pub(crate) parents: Vec<i64>,
    pub(crate) name_contains: Option<String>,
    /// With a leading slash; empty for the root.
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
    /// Whether anyone with the address may fetch it.
    pub(crate) public: Option<bool>,
    /// The one file that an address named.
    pub(crate) only: Option<FileKey>,
}
