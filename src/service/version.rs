//! The versions of the API that are served side by side.

/// The version segment of the path (`wire.md` §12).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiVersion {
    V3,
    March2026,
    September2026,
}

impl ApiVersion {
    pub(crate) const ALL: [Self; 3] = [Self::V3, Self::March2026, Self::September2026];

    /// Whether the version is named by a date: those ask for fields that v3 leaves open.
    pub(crate) fn is_dated(self) -> bool {
        self != Self::V3
    }
}

impl std::fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::V3 => "v3",
            Self::March2026 => "2026-03",
            Self::September2026 => "2026-09",
        })
    }
}
