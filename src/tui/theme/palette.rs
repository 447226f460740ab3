//! A theme's file: the few colours that a user chooses. Knows nothing of what they are used for.

use ratatui::style::Color;
use serde::{Deserialize, Deserializer};

/// The colours of a theme file; every one must be there, so that a misspelt name is noticed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Palette {
    #[serde(deserialize_with = "color")]
    pub text: Color,
    #[serde(deserialize_with = "color")]
    pub dim: Color,
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
    #[serde(deserialize_with = "color")]
    pub border: Color,
    /// Background of the selected row; `reset` reverses the row instead.
    #[serde(deserialize_with = "color")]
    pub selection: Color,
    pub lines: LineStyle,
}

/// How lines between panes and around dialogs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineStyle {
    Light,
    Ascii,
}

fn color<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(|_| {
        serde::de::Error::custom(format!("\"{name}\" is not a color: use a name, an index from 0 to 255, or #rrggbb"))
    })
}
