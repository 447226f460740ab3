//! The colors of a theme file. Knows nothing of their uses.

use ratatui::style::Color;
use serde::{Deserialize, Deserializer};

/// The colors of a theme file, all required, so that a misspelled name is noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThemeColors {
    /// The background, the text on bright colors, and the color that everything behind a dialog
    /// fades to.
    #[serde(deserialize_with = "color")]
    pub base: Color,
    #[serde(deserialize_with = "color")]
    pub text: Color,
    #[serde(deserialize_with = "color")]
    pub dim: Color,
    #[serde(deserialize_with = "color")]
    pub faint: Color,
    /// The background of the header and dialogs.
    #[serde(deserialize_with = "color")]
    pub panel: Color,
    /// The background of keys, buttons and the open tab.
    #[serde(deserialize_with = "color")]
    pub raised: Color,
    /// The background of the row under the cursor; `reset` reverses the row instead.
    #[serde(deserialize_with = "color")]
    pub row: Color,
    /// The empty part of a gauge.
    #[serde(deserialize_with = "color")]
    pub track: Color,
    #[serde(deserialize_with = "color")]
    pub accent: Color,
    #[serde(deserialize_with = "color")]
    pub folder: Color,
    #[serde(deserialize_with = "color")]
    pub good: Color,
    #[serde(deserialize_with = "color")]
    pub warn: Color,
    #[serde(deserialize_with = "color")]
    pub bad: Color,
    #[serde(deserialize_with = "color")]
    pub mark: Color,
    /// The background of urgent warnings.
    #[serde(deserialize_with = "color")]
    pub danger: Color,
    /// Set if the background is painted; otherwise it is left to the terminal.
    pub paint: bool,
    #[serde(default)]
    pub code: CodeColors,
}

/// The colors of code. One that is missing follows from those of the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CodeColors {
    #[serde(deserialize_with = "some_color")]
    pub keyword: Option<Color>,
    #[serde(deserialize_with = "some_color")]
    pub string: Option<Color>,
    /// Numbers, escapes and constants of the language.
    #[serde(deserialize_with = "some_color")]
    pub number: Option<Color>,
    #[serde(deserialize_with = "some_color")]
    pub comment: Option<Color>,
    #[serde(deserialize_with = "some_color")]
    pub function: Option<Color>,
    /// Types, keys and attributes.
    #[serde(deserialize_with = "some_color")]
    pub r#type: Option<Color>,
}

impl ThemeColors {
    #[must_use]
    pub fn map(self, change: impl Fn(Color) -> Color) -> Self {
        Self {
            base: change(self.base),
            text: change(self.text),
            dim: change(self.dim),
            faint: change(self.faint),
            panel: change(self.panel),
            raised: change(self.raised),
            row: change(self.row),
            track: change(self.track),
            accent: change(self.accent),
            folder: change(self.folder),
            good: change(self.good),
            warn: change(self.warn),
            bad: change(self.bad),
            mark: change(self.mark),
            danger: change(self.danger),
            paint: self.paint,
            code: CodeColors {
                keyword: self.code.keyword.map(&change),
                string: self.code.string.map(&change),
                number: self.code.number.map(&change),
                comment: self.code.comment.map(&change),
                function: self.code.function.map(&change),
                r#type: self.code.r#type.map(&change),
            },
        }
    }
}

fn some_color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
    color(deserializer).map(Some)
}

fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(|_| {
        serde::de::Error::custom(format!(
            "\"{name}\" is not a color: use a name, a number from 0 to 255, or #rrggbb"
        ))
    })
}
