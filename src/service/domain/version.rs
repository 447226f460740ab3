//! The versions of the API that are served side by side, and their differences
//! (`contract.md#versions`).

use strum::{Display, VariantArray};

use crate::service::policy;

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

    pub(crate) fn has_download(self) -> bool {
        self != Self::March2026 || policy::MARCH_2026_HAS_DOWNLOAD
    }

    pub(crate) fn has_folder_tasks(self) -> bool {
        self != Self::September2026 || policy::SEPTEMBER_2026_HAS_FOLDER_TASKS
    }

    /// Returns `true` if an update of a file must contain `clearExpires`.
    pub(crate) fn needs_clear_expires(self) -> bool {
        self.is_dated() && policy::DATED_UPDATE_NEEDS_CLEAR_EXPIRES
    }

    /// Returns `true` if an import must contain `overwrite` and both duplicate settings.
    pub(crate) fn import_settles_clashes(self) -> bool {
        self == Self::March2026 && policy::MARCH_2026_IMPORT_SETTLES_CLASHES
    }
}
