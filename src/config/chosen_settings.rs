//! The settings chosen on the screen: a small file in the state directory, which `config.toml`
//! overrides.

use std::io;
use std::path::{Path, PathBuf};

use super::file::ConfigFile;
use super::file_lock::alone;
use super::private_file;
use super::toml_text::TomlText;
use super::typed_file;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenSettings(PathBuf);

impl ChosenSettings {
    pub const NAME: &str = "settings.toml";

    pub fn new(dir: &Path) -> Self {
        Self(dir.join(Self::NAME))
    }

    pub fn read(&self) -> ConfigFile {
        ConfigFile::read(TomlText::read(&self.0, self.0.parent().unwrap_or(&self.0)))
    }

    /// Saves one choice, a value in TOML. A file that cannot be read is replaced.
    pub fn keep(&self, name: &str, value: &str) -> io::Result<()> {
        let _alone = alone(&self.0)?;
        let known = typed_file::read(&self.0).unwrap_or_default();
        let mut table: toml::Table = known.parse().unwrap_or_default();
        let chosen: toml::Table = format!("{name} = {value}")
            .parse()
            .map_err(io::Error::other)?;
        table.extend(chosen);
        let text = toml::to_string(&table).map_err(io::Error::other)?;
        private_file::write(&self.0, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Dates;

    #[test]
    fn choices_are_there_again_and_each_leaves_the_others() {
        let dir = tempfile::tempdir().unwrap();
        let file = ChosenSettings::new(dir.path());
        assert_eq!(file.read(), ConfigFile::default());
        file.keep("theme", "\"nord\"").unwrap();
        file.keep("dates", "\"absolute\"").unwrap();
        file.keep("theme", "\"gruvbox\"").unwrap();
        let found = file.read();
        assert_eq!(
            (found.config.theme.as_str(), found.config.dates),
            ("gruvbox", Dates::Absolute)
        );
        assert_eq!(
            found.lines.keys().copied().collect::<Vec<_>>(),
            ["dates", "theme"]
        );
        std::fs::write(dir.path().join(ChosenSettings::NAME), "theme = ").unwrap();
        assert_eq!(file.read().warnings.len(), 1);
        file.keep("theme", "\"nord\"").unwrap();
        assert_eq!(file.read().config.theme, "nord");
    }
}
