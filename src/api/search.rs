//! Typed search parameters and their query encoding: repeated keys, pages of 100
//! (`contract.md#search`).

use jiff::Timestamp;
use url::Url;

use super::ids::{FileId, FolderId};
use super::model::{FileKind, time};

/// The largest page size that the service accepts.
pub const PAGE: u32 = 100;

/// The service's highest offset; continue beyond it with `id_from`.
pub const LAST_OFFSET: u32 = 10_000;

/// Inclusive bounds; both open by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds<T> {
    /// The lower bound; `None` if open.
    pub from: Option<T>,
    /// The upper bound; `None` if open.
    pub to: Option<T>,
}

impl<T: PartialOrd> Bounds<T> {
    /// Returns `true` if the value is within both bounds.
    pub fn holds(&self, value: &T) -> bool {
        self.from.as_ref().is_none_or(|from| value >= from)
            && self.to.as_ref().is_none_or(|to| value <= to)
    }
}

impl<T: Ord> Bounds<T> {
    /// The intersection of both; empty if `from` exceeds `to`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            from: self.from.max(other.from),
            to: [self.to, other.to].into_iter().flatten().min(),
        }
    }

    /// Returns `true` unless the range is empty.
    pub fn is_possible(&self) -> bool {
        self.from
            .as_ref()
            .zip(self.to.as_ref())
            .is_none_or(|(from, to)| from <= to)
    }
}

impl<T> Default for Bounds<T> {
    fn default() -> Self {
        Self {
            from: None,
            to: None,
        }
    }
}

/// A sort order: a field of the wire format, and the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortBy {
    /// The name of the field in the query.
    pub field: &'static str,
    /// Set if the greatest value comes first.
    pub descending: bool,
}

impl SortBy {
    /// Ascending order by name.
    pub const NAME: Self = Self {
        field: "name",
        descending: false,
    };
    /// Ascending order by id.
    pub const ID: Self = Self {
        field: "id",
        descending: false,
    };
}

/// Filters that files and folders share. The service treats them as hints: check the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// Only entries in one of these folders.
    pub parents: Vec<FolderId>,
    /// A substring of the name. The service refuses 20 characters and more (`contract.md#search`).
    pub name: Option<String>,
    /// Only the entry at this path.
    pub path: Option<String>,
    /// The lowest id, compared as a number.
    pub id_from: Option<String>,
    /// The time of creation.
    pub created: Bounds<Timestamp>,
    /// The time of the last change.
    pub updated: Bounds<Timestamp>,
    /// The sort order, most significant field first.
    pub sort: Vec<SortBy>,
    /// The number of results to skip: `next` of the previous page.
    pub after: Option<u32>,
    /// The page size; `None` is `PAGE`.
    pub limit: Option<u32>,
}

/// A search for files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileSearch {
    /// The filters that files and folders share.
    pub filter: Filter,
    /// Only these ids, unless empty.
    pub ids: Vec<FileId>,
    /// Only files with this extension, without a dot.
    pub extension: Option<String>,
    /// Only files of this kind.
    pub kind: Option<FileKind>,
    /// MD5 of the content, lower-case hex.
    pub md5: Option<String>,
    /// Only files that anyone can fetch (`true`), or only the others (`false`).
    pub public: Option<bool>,
    /// The size in bytes.
    pub size: Bounds<u64>,
    /// The width in pixels.
    pub width: Bounds<u64>,
    /// The height in pixels.
    pub height: Bounds<u64>,
    /// The expiry time.
    pub expires: Bounds<Timestamp>,
    /// Only files that may be used in content (`true`), or only the others (`false`).
    pub usable: Option<bool>,
    /// The unsigned address of a file.
    pub address: Option<String>,
}

/// A search for folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FolderSearch {
    /// The filters that files and folders share.
    pub filter: Filter,
    /// Only these ids, unless empty.
    pub ids: Vec<FolderId>,
}

impl FileSearch {
    pub(super) fn apply(&self, url: &mut Url) {
        let mut query = self.filter.query();
        query.extend(self.ids.iter().map(|id| ("ids", id.to_string())));
        query.extend(self.extension.clone().map(|value| ("extension", value)));
        query.extend(self.kind.as_ref().map(|value| ("type", value.to_string())));
        query.extend(self.md5.clone().map(|value| ("fileMd5", value)));
        query.extend(
            self.public
                .map(|value| ("allowsAnonymousAccess", value.to_string())),
        );
        query.extend(
            self.usable
                .map(|value| ("isUsableInContent", value.to_string())),
        );
        query.extend(self.address.clone().map(|value| ("url", value)));
        query.extend(numbers(self.size, "sizeGte", "sizeLte"));
        query.extend(numbers(self.width, "widthGte", "widthLte"));
        query.extend(numbers(self.height, "heightGte", "heightLte"));
        query.extend(times(self.expires, "expiresAtGte", "expiresAtLte"));
        url.query_pairs_mut().extend_pairs(query);
    }
}

impl FolderSearch {
    pub(super) fn apply(&self, url: &mut Url) {
        let mut query = self.filter.query();
        query.extend(self.ids.iter().map(|id| ("ids", id.to_string())));
        url.query_pairs_mut().extend_pairs(query);
    }
}

impl Filter {
    fn query(&self) -> Vec<(&'static str, String)> {
        let mut query = vec![("limit", self.limit.unwrap_or(PAGE).to_string())];
        query.extend(self.after.map(|value| ("after", value.to_string())));
        query.extend(self.sort.iter().map(|by| {
            let minus = if by.descending { "-" } else { "" };
            ("sort", format!("{minus}{}", by.field))
        }));
        query.extend(
            self.parents
                .iter()
                .map(|id| ("parentFolderIds", id.to_string())),
        );
        query.extend(self.name.clone().map(|value| ("name", value)));
        query.extend(self.path.clone().map(|value| ("path", value)));
        query.extend(self.id_from.clone().map(|value| ("idGte", value)));
        query.extend(times(self.created, "createdAtGte", "createdAtLte"));
        query.extend(times(self.updated, "updatedAtGte", "updatedAtLte"));
        query
    }
}

fn numbers(
    range: Bounds<u64>,
    from: &'static str,
    to: &'static str,
) -> impl Iterator<Item = (&'static str, String)> {
    let from = range.from.map(|value| (from, value.to_string()));
    from.into_iter()
        .chain(range.to.map(|value| (to, value.to_string())))
}

fn times(
    range: Bounds<Timestamp>,
    from: &'static str,
    to: &'static str,
) -> impl Iterator<Item = (&'static str, String)> {
    let from = range.from.map(|value| (from, time::to_iso(value)));
    from.into_iter()
        .chain(range.to.map(|value| (to, time::to_iso(value))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_stand_as_repeated_keys() {
        let search = FileSearch {
            filter: Filter {
                parents: vec![FolderId::new("1"), FolderId::new("2")],
                sort: vec![SortBy {
                    field: "updatedAt",
                    descending: true,
                }],
                after: Some(200),
                ..Filter::default()
            },
            public: Some(false),
            size: Bounds {
                from: Some(10),
                to: None,
            },
            ..FileSearch::default()
        };
        let mut url = Url::parse("http://h/s").unwrap();
        search.apply(&mut url);
        assert_eq!(
            url.query(),
            Some(
                "limit=100&after=200&sort=-updatedAt&parentFolderIds=1&parentFolderIds=2&allowsAnonymousAccess=false&sizeGte=10"
            )
        );
    }
}
