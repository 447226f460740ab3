//! The versions of the API that filedeck speaks. What differs between them is in `paths` and where a request says so.

use std::fmt;
use std::str::FromStr;

/// A version of the API, as the address names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Version {
    /// Supported by the service until September 2027 (`wire.md` §12).
    #[default]
    V3,
    /// Has no download endpoint.
    Dated202603,
    /// Has no asynchronous folder update.
    Dated202609,
}

impl Version {
    pub const ALL: [Self; 3] = [Self::V3, Self::Dated202603, Self::Dated202609];

    /// The version as it stands in paths and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V3 => "v3",
            Self::Dated202603 => "2026-03",
            Self::Dated202609 => "2026-09",
        }
    }

    /// Whether fields that v3 leaves out at will are required: `clearExpires` of a file update, and the duplicate
    /// settings and `overwrite` of an import (`wire.md` §12).
    pub fn is_dated(self) -> bool {
        self != Self::V3
    }

    pub fn has_download(self) -> bool {
        self != Self::Dated202603
    }

    pub fn has_folder_tasks(self) -> bool {
        self != Self::Dated202609
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no version that filedeck speaks. It is not repeated: it may be a token in the wrong setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this version of the API is not known; known are v3, 2026-03 and 2026-09")]
pub struct UnknownVersion;

impl FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|version| version.as_str() == text).ok_or(UnknownVersion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_they_are_written() {
        for version in Version::ALL {
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        assert!("v4".parse::<Version>().is_err());
    }
}
