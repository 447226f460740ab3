//! What settings choose from.

use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// The theme that suits the terminal's background.
pub const AUTO: &str = "auto";

/// Which characters are used as symbols on the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SymbolSet {
    /// Unicode where the terminal has it.
    #[default]
    Auto,
    Unicode,
    Ascii,
    Nerd,
}

/// The keys that the user's own go over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Preset {
    /// Letters, as in vim and the file managers after it.
    #[default]
    Vim,
    /// Those, and the keys of desktop programs.
    Cua,
}

/// A column of the list beside the name.
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
    /// Those that are there without being asked for.
    pub const USUAL: [Self; 5] = [Self::Access, Self::Size, Self::Type, Self::Updated, Self::Expires];
}

/// How times of files are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Dates {
    /// How long ago, how long until.
    #[default]
    Relative,
    /// The day.
    Absolute,
}

/// How pictures are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Images {
    /// As finely as the terminal says that it can.
    #[default]
    Auto,
    Kitty,
    Iterm2,
    Sixel,
    /// Two dots a cell, in any terminal with colors.
    Blocks,
    Off,
}

/// How a user who looks elsewhere learns that long work has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Notify {
    #[default]
    Off,
    Bell,
    Desktop,
}
