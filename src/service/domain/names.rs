//! Names and paths of files and folders, checked once on input: a valid name can be stored,
//! displayed as data and downloaded. Blobs never have them
//! (`guarantees.md#names-of-files-are-data`).

use serde::{Deserialize, Serialize};

use crate::service::policy;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    #[error("a name must not be empty")]
    Empty,
    #[error("'.' and '..' are not names")]
    Dots,
    #[error("a name must not hold '/'")]
    Slash,
    #[error("a name must not hold control characters")]
    Control,
    #[error("a name must not be longer than {max} bytes", max = policy::MAX_NAME_BYTES)]
    TooLong,
    #[error("a path must not be longer than {max} bytes", max = policy::MAX_PATH_BYTES)]
    PathTooLong,
    #[error("a path must not have more than {max} folders", max = policy::MAX_DEPTH)]
    TooDeep,
}

pub(crate) fn check(name: &str) -> Result<(), NameError> {
    if name.trim().is_empty() {
        return Err(NameError::Empty);
    }
    if name.contains('/') {
        return Err(NameError::Slash);
    }
    if name == "." || name == ".." {
        return Err(NameError::Dots);
    }
    if name.chars().any(char::is_control) {
        return Err(NameError::Control);
    }
    if name.len() > policy::MAX_NAME_BYTES {
        return Err(NameError::TooLong);
    }
    Ok(())
}

/// Returns the text in lower case for "contains" searches, the same for every database.
pub(crate) fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// A file name in two parts. The extension has no dot and may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileName {
    stem: String,
    extension: String,
}

impl FileName {
    /// Splits a name at its last dot; a dot at either end belongs to the stem.
    pub(crate) fn parse(name: &str) -> Result<Self, NameError> {
        check(name)?;
        Ok(match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() && !extension.is_empty() => Self {
                stem: stem.to_owned(),
                extension: extension.to_owned(),
            },
            _ => Self {
                stem: name.to_owned(),
                extension: String::new(),
            },
        })
    }

    pub(crate) fn from_parts(stem: &str, extension: &str) -> Result<Self, NameError> {
        let name = Self {
            stem: stem.to_owned(),
            extension: extension.to_owned(),
        };
        // As in `parse`, where the stem of `..x` is a dot.
        if stem.is_empty() {
            return Err(NameError::Empty);
        }
        check(&name.full())?;
        Ok(name)
    }

    pub(crate) fn or_extension(self, extension: &str) -> Result<Self, NameError> {
        if self.extension.is_empty() {
            Self::from_parts(&self.stem, extension)
        } else {
            Ok(self)
        }
    }

    pub(crate) fn stem(&self) -> &str {
        &self.stem
    }

    pub(crate) fn extension(&self) -> &str {
        &self.extension
    }

    pub(crate) fn full(&self) -> String {
        if self.extension.is_empty() {
            self.stem.clone()
        } else {
            format!("{}.{}", self.stem, self.extension)
        }
    }
}

/// The path of a folder as names from the root down; empty for the root itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct FolderPath(Vec<String>);

impl FolderPath {
    /// Parses `/a/b`, with or without a slash at either end. Empty names between slashes are
    /// refused.
    pub(crate) fn parse(path: &str) -> Result<Self, NameError> {
        if path.len() > policy::MAX_PATH_BYTES {
            return Err(NameError::PathTooLong);
        }
        let inner = path.strip_prefix('/').unwrap_or(path);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let names: Vec<String> = inner.split('/').map(str::to_owned).collect();
        if names.len() > policy::MAX_DEPTH {
            return Err(NameError::TooDeep);
        }
        names.iter().try_for_each(|name| check(name))?;
        Ok(Self(names))
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.0
    }

    /// Returns the parent and the last name; `None` for the root.
    pub(crate) fn split_last(&self) -> Option<(Self, &str)> {
        self.0
            .split_last()
            .map(|(name, parents)| (Self(parents.to_vec()), name.as_str()))
    }
}

/// Writes `/a/b`; nothing for the root, so that a name can be appended after a slash.
impl std::fmt::Display for FolderPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|name| write!(f, "/{name}"))
    }
}

impl From<FolderPath> for String {
    fn from(path: FolderPath) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for FolderPath {
    type Error = NameError;

    fn try_from(path: String) -> Result<Self, NameError> {
        Self::parse(&path)
    }
}

/// The path of a file: its folder, which may be as deep and long as any, and its full name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePath {
    pub(crate) folder: FolderPath,
    pub(crate) name: String,
}

impl FilePath {
    /// Parses `/a/b.txt`, with or without the leading slash.
    pub(crate) fn parse(path: &str) -> Result<Self, NameError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        check(name)?;
        Ok(Self {
            folder: FolderPath::parse(folder)?,
            name: name.to_owned(),
        })
    }
}

impl std::fmt::Display for FilePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.folder, self.name)
    }
}

/// Returns the path of a new or moved folder below `parent` ("" for the root). Fails if it is too
/// long or too deep.
pub(crate) fn child_path(parent: &str, name: &str) -> Result<String, NameError> {
    check(name)?;
    let path = format!("{parent}/{name}");
    if path.len() > policy::MAX_PATH_BYTES {
        return Err(NameError::PathTooLong);
    }
    if path.matches('/').count() > policy::MAX_DEPTH {
        return Err(NameError::TooDeep);
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("logo.png", "logo", "png")]
    #[case::several_dots("backup.tar.gz", "backup.tar", "gz")]
    #[case::leading_dot(".env", ".env", "")]
    #[case::trailing_dot("odd.", "odd.", "")]
    #[case::no_dot("README", "README", "")]
    fn names_split_at_the_last_inner_dot(
        #[case] name: &str,
        #[case] stem: &str,
        #[case] extension: &str,
    ) {
        let parsed = FileName::parse(name).unwrap();
        assert_eq!(
            (parsed.stem(), parsed.extension(), parsed.full().as_str()),
            (stem, extension, name)
        );
    }

    #[rstest]
    #[case::empty("", NameError::Empty)]
    #[case::blank("  ", NameError::Empty)]
    #[case::dot(".", NameError::Dots)]
    #[case::up("..", NameError::Dots)]
    #[case::climbing("../a", NameError::Slash)]
    #[case::nul("a\0b", NameError::Control)]
    #[case::escape("a\u{1b}[2J", NameError::Control)]
    #[case::c1("a\u{9b}", NameError::Control)]
    #[case::long(&"x".repeat(256), NameError::TooLong)]
    fn bad_names_are_refused(#[case] name: &str, #[case] error: NameError) {
        assert_eq!(check(name), Err(error));
    }

    #[test]
    fn paths_are_read_with_and_without_outer_slashes() {
        for path in ["/a/b c", "a/b c", "/a/b c/"] {
            assert_eq!(FolderPath::parse(path).unwrap().to_string(), "/a/b c");
        }
        assert!(FolderPath::parse("/").unwrap().names().is_empty());
        assert_eq!(FolderPath::parse("/a//b"), Err(NameError::Empty));
        assert_eq!(FolderPath::parse("/a/../b"), Err(NameError::Dots));
        assert_eq!(FolderPath::parse(&"/x".repeat(65)), Err(NameError::TooDeep));
    }
}
