//! The sizes of panes: dragged ones, kept in a small file in the state directory, or configured
//! ones.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::private_file;
use super::toml_text::{TomlText, Warning, reason};

/// In cells; `None` for the default size. A screen with less room shows less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PaneSizes {
    pub tree: Option<u16>,
    pub details: Option<u16>,
    pub strip: Option<u16>,
}

impl PaneSizes {
    /// Fills in missing sizes from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            tree: self.tree.or(other.tree),
            details: self.details.or(other.details),
            strip: self.strip.or(other.strip),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneSizesFile(PathBuf);

impl PaneSizesFile {
    pub fn new(dir: &Path) -> Self {
        Self(dir.join("panes.toml"))
    }

    pub fn read(&self) -> Result<PaneSizes, Warning> {
        let text = TomlText::read(&self.0, self.0.parent().unwrap_or(&self.0))?.unwrap_or_default();
        let sizes = PaneSizes::deserialize(toml::Deserializer::from(toml::Spanned::new(
            0..0,
            text.table()?,
        )));
        sizes.map_err(|error| text.warning(&error.span().unwrap_or_default(), reason(&error)))
    }

    pub fn write(&self, sizes: PaneSizes) -> io::Result<()> {
        let text = toml::to_string(&sizes).map_err(io::Error::other)?;
        private_file::write(&self.0, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_dragged_is_there_again() {
        let dir = tempfile::tempdir().unwrap();
        let file = PaneSizesFile::new(dir.path());
        assert_eq!(file.read(), Ok(PaneSizes::default()));
        let sizes = PaneSizes {
            tree: Some(30),
            details: None,
            strip: Some(9),
        };
        file.write(sizes).unwrap();
        assert_eq!(file.read(), Ok(sizes));
        std::fs::write(dir.path().join("panes.toml"), "tree = \"wide\"").unwrap();
        assert!(file.read().is_err());
    }
}
