//! An account as it stands in a file: in `config.toml`, which the user writes, or in `accounts.toml`, which filedeck does.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use url::Url;

/// `[accounts.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountEntry {
    #[serde(default = "AccountEntry::default_base_url")]
    pub base_url: String,
    #[serde(default = "AccountEntry::default_version")]
    pub version: String,
    #[serde(default)]
    pub read_only: bool,
    #[serde(default)]
    pub production: bool,
    /// What its name is shown in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<AccountColor>,
    /// Relative to the configuration folder.
    pub token_file: PathBuf,
    #[serde(skip)]
    pub origin: Origin,
}

/// Which file an account stands in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// `config.toml`: never written.
    #[default]
    Config,
    /// `accounts.toml`.
    Own,
}

/// Colours of a theme that tell accounts apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccountColor {
    Blue,
    Green,
    Yellow,
    Red,
    Purple,
}

impl AccountColor {
    pub const ALL: [Self; 5] = [Self::Blue, Self::Green, Self::Yellow, Self::Red, Self::Purple];
}

impl AccountEntry {
    pub const DEFAULT_BASE_URL: &str = "https://api.hubapi.com";
    pub const DEFAULT_VERSION: &str = "v3";

    /// Whether both are at the same scheme, host and port: a token is for no other.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        let origin = |entry: &Self| Url::parse(entry.base_url.trim()).ok().map(|url| url.origin());
        origin(self).is_some_and(|own| own.is_tuple() && Some(own) == origin(other))
    }

    fn default_base_url() -> String {
        Self::DEFAULT_BASE_URL.to_owned()
    }

    fn default_version() -> String {
        Self::DEFAULT_VERSION.to_owned()
    }
}
