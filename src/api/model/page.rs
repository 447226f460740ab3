//! A page of search results. The service never says how many there are in all (`contract.md#search`).

use serde::{Deserialize, Serialize};

/// A page of a list or of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Page<T> {
    /// The entries, in the order of the service.
    pub results: Vec<T>,
    /// Where the next page begins; none on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paging: Option<Paging>,
}

/// Where a list continues.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Paging {
    /// The next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextPage>,
}

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct NextPage {
    /// A numeric offset, as text.
    pub after: String,
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl<T> Page<T> {
    /// The `after` of the next page; none on the last one.
    pub fn next_after(&self) -> Option<&str> {
        self.paging.as_ref()?.next.as_ref().map(|next| next.after.as_str())
    }
}
