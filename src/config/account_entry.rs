//! An account in a file: in `config.toml`, written by the user, or in `accounts.toml`, written by
//! filedeck.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use url::Url;

/// `[accounts.NAME]`. An unknown key invalidates the account, because it may be what protects the
/// account from changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawEntry", into = "RawEntry")]
pub struct AccountEntry {
    pub base_url: String,
    pub version: String,
    pub read_only: bool,
    pub production: bool,
    pub color: Option<AccountColor>,
    pub token: TokenLocation,
    pub kind: CredentialKind,
    /// Additional trusted certificate authorities; relative to the configuration folder.
    pub ca_cert: Option<PathBuf>,
    pub origin: Origin,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CredentialKind {
    /// A permanent token.
    #[default]
    Token,
    /// A refresh token with the client id and secret of its app.
    Oauth,
}

/// The location of an account's token or OAuth credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenLocation {
    /// A private file; relative to the configuration folder.
    File(PathBuf),
    /// The entry of this name in the system's keyring.
    Keyring(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    #[serde(default = "AccountEntry::default_base_url")]
    base_url: String,
    #[serde(default = "AccountEntry::default_version")]
    version: String,
    #[serde(default)]
    read_only: bool,
    #[serde(default)]
    production: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<AccountColor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token_file: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keyring: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    oauth_file: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    oauth_keyring: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ca_cert: Option<PathBuf>,
}

impl TryFrom<RawEntry> for AccountEntry {
    type Error = &'static str;

    fn try_from(written: RawEntry) -> Result<Self, Self::Error> {
        let RawEntry {
            base_url,
            version,
            read_only,
            production,
            color,
            ca_cert,
            ..
        } = written;
        let places = [
            written
                .token_file
                .map(|file| (CredentialKind::Token, TokenLocation::File(file))),
            written
                .keyring
                .map(|entry| (CredentialKind::Token, TokenLocation::Keyring(entry))),
            written
                .oauth_file
                .map(|file| (CredentialKind::Oauth, TokenLocation::File(file))),
            written
                .oauth_keyring
                .map(|entry| (CredentialKind::Oauth, TokenLocation::Keyring(entry))),
        ];
        let mut places = places.into_iter().flatten();
        let (kind, token) = match (places.next(), places.next()) {
            (Some(place), None) => place,
            (None, _) => {
                return Err(
                    "it does not say where its token is: token_file, keyring or oauth_file",
                );
            }
            (Some(_), Some(_)) => {
                return Err(
                    "its token can be in one place only: token_file, keyring or oauth_file",
                );
            }
        };
        Ok(Self {
            base_url,
            version,
            read_only,
            production,
            color,
            token,
            kind,
            ca_cert,
            origin: Origin::default(),
        })
    }
}

impl From<AccountEntry> for RawEntry {
    fn from(entry: AccountEntry) -> Self {
        let AccountEntry {
            base_url,
            version,
            read_only,
            production,
            color,
            token,
            kind,
            ca_cert,
            origin: _,
        } = entry;
        let (file, keyring) = match token {
            TokenLocation::File(file) => (Some(file), None),
            TokenLocation::Keyring(entry) => (None, Some(entry)),
        };
        let raw = |token_file, keyring, oauth_file, oauth_keyring| Self {
            base_url,
            version,
            read_only,
            production,
            color,
            token_file,
            keyring,
            oauth_file,
            oauth_keyring,
            ca_cert,
        };
        match kind {
            CredentialKind::Token => raw(file, keyring, None, None),
            CredentialKind::Oauth => raw(None, None, file, keyring),
        }
    }
}

impl TokenLocation {
    pub fn is_keyring(&self) -> bool {
        matches!(self, Self::Keyring(_))
    }

    /// Makes a file path absolute.
    #[must_use]
    pub fn within(&self, config: &Path) -> Self {
        match self {
            Self::File(file) => Self::File(config.join(file)),
            Self::Keyring(entry) => Self::Keyring(entry.clone()),
        }
    }
}

/// The file that an account is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// `config.toml`, which filedeck never writes.
    #[default]
    Config,
    Own,
}

/// Theme colors to tell accounts apart.
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
    pub const ALL: [Self; 5] = [
        Self::Blue,
        Self::Green,
        Self::Yellow,
        Self::Red,
        Self::Purple,
    ];
}

impl AccountEntry {
    pub const DEFAULT_BASE_URL: &str = "https://api.hubapi.com";
    pub const DEFAULT_VERSION: &str = "v3";

    /// Returns `true` if both have the same scheme, host and port: a token must not be sent
    /// anywhere else.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        let origin = |entry: &Self| {
            Url::parse(entry.base_url.trim())
                .ok()
                .map(|url| url.origin())
        };
        origin(self).is_some_and(|own| own.is_tuple() && Some(own) == origin(other))
    }

    fn default_base_url() -> String {
        Self::DEFAULT_BASE_URL.to_owned()
    }

    fn default_version() -> String {
        Self::DEFAULT_VERSION.to_owned()
    }
}
