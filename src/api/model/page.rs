//! A page of search results. The service never gives the total (`contract.md#search`).

use serde::{Deserialize, Serialize};

/// A page of a list or of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Page<T> {
    /// The entries, in the order of the service.
    pub results: Vec<T>,
    /// The position of the next page. Absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paging: Option<Paging>,
}

/// The position at which a list continues.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Paging {
    /// The next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextPage>,
}

/// The start of the next page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct NextPage {
    /// A numeric offset, as text.
    pub after: String,
    /// The address of the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl<T> Page<T> {
    /// Returns the `after` of the next page; `None` on the last page.
    pub fn next_after(&self) -> Option<&str> {
        self.paging
            .as_ref()?
            .next
            .as_ref()
            .map(|next| next.after.as_str())
    }
}
