//! A theme's file: the few colors that a user chooses. Knows nothing of what they are used for.

use ratatui::style::Color;
use serde::{Deserialize, Deserializer};

/// The colors of a theme file; every one must be there, so that a misspelled name is noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThemeColors {
    /// The ground, ink on bright colors, and what lies behind a dialog fades into it.
    #[serde(deserialize_with = "color")]
    pub base: Color,
    #[serde(deserialize_with = "color")]
    pub text: Color,
    #[serde(deserialize_with = "color")]
    pub dim: Color,
    /// Lines.
    #[serde(deserialize_with = "color")]
    pub faint: Color,
    /// The ground of header and dialogs.
    #[serde(deserialize_with = "color")]
    pub panel: Color,
    /// The ground of keys, buttons and the open tab.
    #[serde(deserialize_with = "color")]
    pub raised: Color,
    /// The ground of the row under the cursor; `reset` reverses the row instead.
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
    /// The ground of what must be noticed before it is too late.
    #[serde(deserialize_with = "color")]
    pub danger: Color,
    /// Whether the ground is painted, or left to the terminal.
    pub paint: bool,
    #[serde(default)]
    pub code: CodeColors,
}

/// The colors of what is read as code. One that is left out follows from those of the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CodeColors {
    #[serde(deserialize_with = "some_color")]
    pub keyword: Option<Color>,
    #[serde(deserialize_with = "some_color")]
    pub string: Option<Color>,
    /// Escapes and constants of the language, too.
    #[serde(deserialize_with = "some_color")]
    pub number: Option<Color>,
    #[serde(deserialize_with = "some_color")]
    pub comment: Option<Color>,
    #[serde(deserialize_with = "some_color")]
    pub function: Option<Color>,
    /// Keys and attributes, too.
    #[serde(deserialize_with = "some_color")]
    pub r#type: Option<Color>,
}

impl ThemeColors {
    /// The palette with each color put through `change`.
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
        serde::de::Error::custom(format!("\"{name}\" is not a color: use a name, a number from 0 to 255, or #rrggbb"))
    })
}
