//! The values of settings that offer a choice.

use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// Selects the theme that suits the terminal's background.
pub const AUTO: &str = "auto";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SymbolSet {
    /// Unicode if the terminal supports it.
    #[default]
    Auto,
    Unicode,
    Ascii,
    Nerd,
}

/// The default keys, which the user's own keys override.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// Letters, as in vim and the file managers that follow it.
    #[default]
    Vim,
    /// The `Vim` keys plus those of desktop programs.
    Cua,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Column {
    Access,
    Size,
    Type,
    Updated,
    Created,
    Expires,
}

impl Column {
    pub const USUAL: [Self; 5] = [
        Self::Access,
        Self::Size,
        Self::Type,
        Self::Updated,
        Self::Expires,
    ];
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Dates {
    /// The age, or the time left.
    #[default]
    Relative,
    Absolute,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Images {
    /// The best protocol that the terminal reports.
    #[default]
    Auto,
    Kitty,
    Iterm2,
    Sixel,
    /// Block characters, in any terminal with colors.
    Blocks,
    Off,
}

/// The notification of an inattentive user when a long task has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Notify {
    #[default]
    Off,
    Bell,
    Desktop,
}
