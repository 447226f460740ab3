//! The versions of the API that are served side by side, and what they differ in (`contract.md#versions`).

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

    /// Whether the version is named by a date.
    pub(crate) fn is_dated(self) -> bool {
        self != Self::V3
    }

    pub(crate) fn has_download(self) -> bool {
        self != Self::March2026 || policy::MARCH_2026_HAS_DOWNLOAD
    }

    pub(crate) fn has_folder_tasks(self) -> bool {
        self != Self::September2026 || policy::SEPTEMBER_2026_HAS_FOLDER_TASKS
    }

    /// Whether an update of a file must say `clearExpires`.
    pub(crate) fn needs_clear_expires(self) -> bool {
        self.is_dated() && policy::DATED_UPDATE_NEEDS_CLEAR_EXPIRES
    }

    /// Whether an import must say `overwrite` and both duplicate settings.
    pub(crate) fn import_settles_clashes(self) -> bool {
        self == Self::March2026 && policy::MARCH_2026_IMPORT_SETTLES_CLASHES
    }
}
