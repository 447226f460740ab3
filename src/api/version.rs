//! The versions of the API that filedeck speaks. What differs between them is in `paths` and where a request says so.

use strum::{Display, EnumString};

/// A version of the API, as the address names it.
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
    /// Whether fields that v3 leaves out at will are required: `clearExpires` of a file update, and the duplicate
    /// settings and `overwrite` of an import (`contract.md#versions`).
    pub fn is_dated(self) -> bool {
        self != Self::V3
    }

    /// Whether it has an endpoint for downloads.
    pub fn has_download(self) -> bool {
        self != Self::Dated202603
    }

    /// Whether folders are updated by tasks of the service.
    pub fn has_folder_tasks(self) -> bool {
        self != Self::Dated202609
    }
}

/// The text names no version that filedeck speaks. It is not repeated: it may be a token in the wrong setting.
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
        for (version, text) in
            [(Version::V3, "v3"), (Version::Dated202603, "2026-03"), (Version::Dated202609, "2026-09")]
        {
            assert_eq!((version.to_string().as_str(), text.parse()), (text, Ok(version)));
        }
        assert!("v4".parse::<Version>().is_err());
    }
}
