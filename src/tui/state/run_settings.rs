//! The settings of this run: their values, which can change on the screen, and the terminal's
//! capabilities for them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::name_order::NameOrder;
use super::previews::PictureSupport;
use crate::config::{Config, Images, InForce, PRESET, Setting, SymbolSet, TomlText};
use crate::tui::dialog::Dialog;
use crate::tui::style::symbols::Symbols;
use crate::tui::style::theme::{Depth, Theme};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSettings {
    pub config: Config,
    /// The rows of the settings page, one per setting.
    pub rows: Vec<InForce>,
    /// The path of `config.toml`, whether or not it exists.
    pub file: PathBuf,
    pub own_themes: Vec<String>,
    /// The user's key file.
    pub keys: TomlText,
    pub depth: Depth,
    /// Set if the terminal can show more than ASCII.
    pub utf8: bool,
    pub pictures: PictureSupport,
    /// Set if the terminal says that it takes copied text.
    pub confirms_copies: bool,
}

impl Default for RunSettings {
    fn default() -> Self {
        let config = Config::default();
        Self {
            rows: config.in_force(&BTreeMap::new(), &BTreeMap::new()),
            config,
            file: "config.toml".into(),
            own_themes: Vec::new(),
            keys: TomlText::default(),
            depth: Depth::default(),
            utf8: true,
            pictures: PictureSupport::default(),
            confirms_copies: true,
        }
    }
}

impl RunSettings {
    /// Returns `true` if nobody has chosen the keys.
    pub fn has_default_keys(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| row.setting.name == PRESET && row.origin().is_none())
    }

    /// The available themes, except the one that follows the terminal's background.
    pub fn themes(&self) -> Vec<String> {
        let shipped = Theme::names()
            .map(str::to_owned)
            .filter(|name| !self.own_themes.contains(name));
        shipped.chain(self.own_themes.iter().cloned()).collect()
    }

    /// The theme to draw with; while the user chooses one, the one under the cursor.
    pub fn theme<'a>(&'a self, dialogs: &'a [Dialog]) -> &'a str {
        match dialogs.last() {
            Some(Dialog::Themes(themes)) => themes.chosen(),
            _ => &self.config.theme,
        }
    }

    /// The symbols to draw with, except for screen readers.
    pub fn symbols(&self) -> Symbols {
        match self.config.symbols {
            SymbolSet::Auto if self.utf8 => Symbols::Unicode,
            SymbolSet::Auto | SymbolSet::Ascii => Symbols::Ascii,
            SymbolSet::Unicode => Symbols::Unicode,
            SymbolSet::Nerd => Symbols::Nerd,
        }
    }

    /// The picture support in effect. Blocks are colored characters, so they need colors and
    /// Unicode.
    pub fn picture_support(&self) -> PictureSupport {
        let lacks_blocks = self.depth == Depth::Mono || self.symbols() == Symbols::Ascii;
        match self.config.images {
            Images::Off => PictureSupport::None,
            Images::Auto | Images::Blocks if lacks_blocks => PictureSupport::None,
            _ => self.pictures,
        }
    }

    pub fn name_order(&self) -> NameOrder {
        if self.config.natural_order {
            NameOrder::Natural
        } else {
            NameOrder::ByCharacter
        }
    }

    /// Returns the participle of a message on copied text: a terminal that does not say that it has a
    /// clipboard may ignore the text.
    pub fn copied(&self) -> &'static str {
        if self.confirms_copies {
            "copied"
        } else {
            "sent to the terminal"
        }
    }

    pub fn why_no_pictures(&self) -> &'static str {
        const NO_COLOR: &str = "NO_COLOR";
        let is_mono = self.depth == Depth::Mono;
        match () {
            () if self.config.images == Images::Off => "Pictures are off in the settings",
            () if is_mono && self.rows.iter().any(|row| row.from == NO_COLOR) => {
                "NO_COLOR turns pictures off"
            }
            () if is_mono => "Without colors there are no pictures",
            () if self.symbols() == Symbols::Ascii => "Without Unicode there are no pictures",
            () => "This terminal shows no pictures",
        }
    }

    /// Changes a setting to a TOML value. Returns `None` if that is not allowed, else whether it
    /// lasts beyond this run.
    pub fn change(&mut self, setting: Setting, value: &str) -> Option<bool> {
        if !self.config.choose(setting, value) {
            return None;
        }
        let row = self.rows.iter_mut().find(|row| row.setting == setting);
        Some(row.is_none_or(|row| row.change(value)))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::off(Images::Off, Depth::Mono, false, "Pictures are off in the settings")]
    #[case::no_colors(
        Images::Auto,
        Depth::Mono,
        true,
        "Without colors there are no pictures"
    )]
    #[case::no_unicode(
        Images::Auto,
        Depth::True,
        false,
        "Without Unicode there are no pictures"
    )]
    #[case::none_of_these(Images::Auto, Depth::True, true, "This terminal shows no pictures")]
    fn the_reason_why_there_are_no_pictures_is_the_true_one(
        #[case] images: Images,
        #[case] depth: Depth,
        #[case] utf8: bool,
        #[case] expected: &str,
    ) {
        let mut settings = RunSettings {
            depth,
            utf8,
            pictures: PictureSupport::None,
            ..RunSettings::default()
        };
        settings.config.images = images;
        assert_eq!(
            (settings.picture_support(), settings.why_no_pictures()),
            (PictureSupport::None, expected)
        );
    }

    #[test]
    fn a_variable_that_takes_the_colors_is_named() {
        let mut settings = RunSettings {
            depth: Depth::Mono,
            ..RunSettings::default()
        };
        if let Some(row) = settings.rows.first_mut() {
            row.from = "NO_COLOR".into();
        }
        assert_eq!(settings.why_no_pictures(), "NO_COLOR turns pictures off");
    }
}
