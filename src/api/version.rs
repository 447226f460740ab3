//! The supported versions of the API. Their differences are handled in `paths`, and where the
//! methods here are used.

use strum::{Display, EnumString};

/// A version of the API, as it appears in addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Display, EnumString)]
#[strum(parse_err_ty = UnknownVersion, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum Version {
    /// Supported by the service until September 2027 (`contract.md#versions`).
    #[default]
    #[strum(serialize = "v3")]
    V3,
    /// Has no download endpoint.
    #[strum(serialize = "2026-03")]
    Dated202603,
    /// Has no asynchronous folder update.
    #[strum(serialize = "2026-09")]
    Dated202609,
}

impl Version {
    /// Returns `true` if fields that are optional in v3 are required: `clearExpires` of a file
    /// update, and the duplicate settings and `overwrite` of an import (`contract.md#versions`).
    pub fn is_dated(self) -> bool {
        self != Self::V3
    }

    /// Returns `true` if the version has a download endpoint.
    pub fn has_download(self) -> bool {
        self != Self::Dated202603
    }

    /// Returns `true` if the version has asynchronous folder updates.
    pub fn has_folder_tasks(self) -> bool {
        self != Self::Dated202609
    }
}

/// An unsupported version. The message does not repeat the text, which may be a token in the wrong
/// setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this version of the API is not known; known are v3, 2026-03 and 2026-09")]
pub struct UnknownVersion;

fn unknown(_: &str) -> UnknownVersion {
    UnknownVersion
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_they_are_written() {
        for (version, text) in [
            (Version::V3, "v3"),
            (Version::Dated202603, "2026-03"),
            (Version::Dated202609, "2026-09"),
        ] {
            assert_eq!(
                (version.to_string().as_str(), text.parse()),
                (text, Ok(version))
            );
        }
        assert!("v4".parse::<Version>().is_err());
    }
}
