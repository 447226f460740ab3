//! What a search asks for, typed, and how it is written in a query: repeated keys, pages of 100 (`contract.md#search`).

use jiff::Timestamp;
use url::Url;

use super::ids::{FileId, FolderId};
use super::model::{FileKind, time};

/// The largest page that the service gives.
pub const PAGE: u32 = 100;

/// Offsets end here; past it, continue by `id_from`.
pub const LAST_OFFSET: u32 = 10_000;

/// Inclusive bounds; both open by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds<T> {
    /// The least, if there is a bound.
    pub from: Option<T>,
    /// The greatest, if there is a bound.
    pub to: Option<T>,
}

impl<T: PartialOrd> Bounds<T> {
    /// Whether a value is within both bounds.
    pub fn holds(&self, value: &T) -> bool {
        self.from.as_ref().is_none_or(|from| value >= from) && self.to.as_ref().is_none_or(|to| value <= to)
    }
}

impl<T: Ord> Bounds<T> {
    /// What both hold; nothing where `from` is past `to`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { from: self.from.max(other.from), to: [self.to, other.to].into_iter().flatten().min() }
    }

    /// Whether it can hold anything.
    pub fn is_possible(&self) -> bool {
        self.from.as_ref().zip(self.to.as_ref()).is_none_or(|(from, to)| from <= to)
    }
}

impl<T> Default for Bounds<T> {
    fn default() -> Self {
        Self { from: None, to: None }
    }
}

/// An order: a field of the wire format, and the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortBy {
    /// The name of the field in the query.
    pub field: &'static str,
    /// Whether the greatest comes first.
    pub descending: bool,
}

impl SortBy {
    /// By name.
    pub const NAME: Self = Self { field: "name", descending: false };
    /// By id.
    pub const ID: Self = Self { field: "id", descending: false };
}

/// Filters that files and folders share. The service takes them as wishes: check what comes back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// Only those in one of these folders.
    pub parents: Vec<FolderId>,
    /// Contained in the name. The service refuses 20 characters and more (`contract.md#search`).
    pub name: Option<String>,
    /// Only the one at this path.
    pub path: Option<String>,
    /// From this id on, as a number.
    pub id_from: Option<String>,
    /// When they were created.
    pub created: Bounds<Timestamp>,
    /// When they were last changed.
    pub updated: Bounds<Timestamp>,
    /// The order, the most important field first.
    pub sort: Vec<SortBy>,
    /// Results to leave out, as the last page's `next` gave it.
    pub after: Option<u32>,
    /// `PAGE` when absent.
    pub limit: Option<u32>,
}

/// A search for files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileSearch {
    /// What files and folders are both filtered by.
    pub filter: Filter,
    /// Only these, if there are any.
    pub ids: Vec<FileId>,
    /// Only files with this extension, without a dot.
    pub extension: Option<String>,
    /// Only files of this kind.
    pub kind: Option<FileKind>,
    /// MD5 of the content, lower-case hex.
    pub md5: Option<String>,
    /// Only what anyone can fetch, or only what not.
    pub public: Option<bool>,
    /// Bytes.
    pub size: Bounds<u64>,
    /// Pixels.
    pub width: Bounds<u64>,
    /// Pixels.
    pub height: Bounds<u64>,
    /// When they expire.
    pub expires: Bounds<Timestamp>,
    /// Whether they may be used in content.
    pub usable: Option<bool>,
    /// The plain address of a file.
    pub address: Option<String>,
}

/// A search for folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FolderSearch {
    /// What files and folders are both filtered by.
    pub filter: Filter,
    /// Only these, if there are any.
    pub ids: Vec<FolderId>,
}

impl FileSearch {
    /// Writes the search into an address.
    pub(super) fn apply(&self, url: &mut Url) {
        let mut query = self.filter.query();
        query.extend(self.ids.iter().map(|id| ("ids", id.to_string())));
        query.extend(self.extension.clone().map(|value| ("extension", value)));
        query.extend(self.kind.as_ref().map(|value| ("type", value.to_string())));
        query.extend(self.md5.clone().map(|value| ("fileMd5", value)));
        query.extend(self.public.map(|value| ("allowsAnonymousAccess", value.to_string())));
        query.extend(self.usable.map(|value| ("isUsableInContent", value.to_string())));
        query.extend(self.address.clone().map(|value| ("url", value)));
        query.extend(numbers(self.size, "sizeGte", "sizeLte"));
        query.extend(numbers(self.width, "widthGte", "widthLte"));
        query.extend(numbers(self.height, "heightGte", "heightLte"));
        query.extend(times(self.expires, "expiresAtGte", "expiresAtLte"));
        url.query_pairs_mut().extend_pairs(query);
    }
}

impl FolderSearch {
    /// Writes the search into an address.
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
        query.extend(self.parents.iter().map(|id| ("parentFolderIds", id.to_string())));
        query.extend(self.name.clone().map(|value| ("name", value)));
        query.extend(self.path.clone().map(|value| ("path", value)));
        query.extend(self.id_from.clone().map(|value| ("idGte", value)));
        query.extend(times(self.created, "createdAtGte", "createdAtLte"));
        query.extend(times(self.updated, "updatedAtGte", "updatedAtLte"));
        query
    }
}

fn numbers(range: Bounds<u64>, from: &'static str, to: &'static str) -> impl Iterator<Item = (&'static str, String)> {
    let from = range.from.map(|value| (from, value.to_string()));
    from.into_iter().chain(range.to.map(|value| (to, value.to_string())))
}

fn times(
    range: Bounds<Timestamp>,
    from: &'static str,
    to: &'static str,
) -> impl Iterator<Item = (&'static str, String)> {
    let from = range.from.map(|value| (from, time::to_iso(value)));
    from.into_iter().chain(range.to.map(|value| (to, time::to_iso(value))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_stand_as_repeated_keys() {
        let search = FileSearch {
            filter: Filter {
                parents: vec![FolderId::new("1"), FolderId::new("2")],
                sort: vec![SortBy { field: "updatedAt", descending: true }],
                after: Some(200),
                ..Filter::default()
            },
            public: Some(false),
            size: Bounds { from: Some(10), to: None },
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
