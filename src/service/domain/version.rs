//! The versions of the API that are served side by side, and their differences
//! (`contract.md#versions`).

use strum::{Display, VariantArray};

/// The version segment of the path (`contract.md#versions`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, VariantArray)]
pub(crate) enum ApiVersion {
    #[strum(serialize = "v3")]
    V3,
    #[strum(serialize = "2026-03")]
    March2026,
    #[strum(serialize = "2026-09")]
    September2026,
}

impl ApiVersion {
    pub(crate) const ALL: &[Self] = Self::VARIANTS;

    pub(crate) fn is_dated(self) -> bool {
        self != Self::V3
    }

    /// Returns `true` if there is a route for the bytes: the description of 2026-03 has none, and
    /// leads to them by signed addresses.
    pub(crate) fn has_download(self) -> bool {
        self != Self::March2026
    }

    /// Returns `true` if folders can be updated by tasks: the live catalog of 2026-09 has none.
    pub(crate) fn has_folder_tasks(self) -> bool {
        self != Self::September2026
    }

    /// Returns `true` if an update of a file must contain `clearExpires`.
    pub(crate) fn needs_clear_expires(self) -> bool {
        self.is_dated()
    }

    /// Returns `true` if an import must contain `overwrite` and both duplicate settings, as the
    /// description of 2026-03 requires; 2026-09 is like v3.
    pub(crate) fn import_settles_clashes(self) -> bool {
        self == Self::March2026
    }
}
