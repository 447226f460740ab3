//! `config.toml`: its shape, its defaults and its complaints. Unknown keys are warned of, so that a file written for a
//! newer filedeck still works; a known key with a wrong value is an error with its line.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::account_entry::AccountEntry;

/// The file with its defaults filled in. `assets/config.toml` is the annotated sample of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Name of a theme, or `auto`.
    pub theme: String,
    pub symbols: SymbolSet,
    pub images: Images,
    pub notify: Notify,
    /// Whether clicks and the wheel are for filedeck.
    pub mouse: bool,
    /// Lines of text for a screen reader, without boxes and colours.
    pub plain: bool,
    /// Key bindings over the defaults, instead of `keys.toml`; relative to the configuration folder.
    pub keys: Option<PathBuf>,
    /// The account to use when neither flag nor environment names one.
    pub account: Option<String>,
    /// Seconds without a byte after which an operation ends.
    pub stall_timeout: NonZeroU32,
    /// Seconds for which the service is asked what came of an upload whose answer was lost.
    pub settle_time: NonZeroU32,
    /// Seconds after which the limits are read again while they are on the screen.
    pub limits_refresh: NonZeroU32,
    pub accounts: BTreeMap<String, AccountEntry>,
}

impl Default for Config {
    fn default() -> Self {
        let seconds = |value| NonZeroU32::new(value).unwrap_or(NonZeroU32::MIN);
        Self {
            theme: AUTO.to_owned(),
            symbols: SymbolSet::default(),
            images: Images::default(),
            notify: Notify::default(),
            mouse: true,
            plain: false,
            keys: None,
            account: None,
            stall_timeout: seconds(120),
            settle_time: seconds(30),
            limits_refresh: seconds(60),
            accounts: BTreeMap::new(),
        }
    }
}

/// The theme that suits the terminal's background.
pub const AUTO: &str = "auto";

/// Which characters stand for things on the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolSet {
    /// Unicode where the terminal has it.
    #[default]
    Auto,
    Unicode,
    Ascii,
    Nerd,
}

/// How pictures are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Images {
    /// As finely as the terminal says that it can.
    #[default]
    Auto,
    Kitty,
    Iterm2,
    Sixel,
    /// Two dots a cell, in any terminal with colours.
    Blocks,
    Off,
}

/// How the end of long work is told to a user who looks elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notify {
    #[default]
    Off,
    Bell,
    Desktop,
}

const KEYS: [&str; 12] = [
    "theme",
    "symbols",
    "images",
    "notify",
    "mouse",
    "plain",
    "keys",
    "account",
    "stall_timeout",
    "settle_time",
    "limits_refresh",
    "accounts",
];

/// A key that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub line: usize,
    pub key: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: unknown key '{}' is passed over", self.line, self.key)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{path}, line {line}: {message}")]
    Invalid { path: PathBuf, line: usize, message: String },
}

impl Config {
    /// Reads the file; the defaults where there is none.
    pub fn load(path: &Path) -> Result<(Self, Vec<Warning>), ConfigError> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Self::default(), Vec::new())),
            Err(error) => Err(ConfigError::Io { path: path.to_owned(), error }),
        }
    }

    /// Reads TOML text; `path` is for the messages.
    pub fn parse(text: &str, path: &Path) -> Result<(Self, Vec<Warning>), ConfigError> {
        read(text, path, &KEYS)
    }
}

/// Reads TOML text with these keys, and accounts among them; `path` is for the messages.
pub(super) fn read<T: DeserializeOwned>(
    text: &str,
    path: &Path,
    keys: &[&str],
) -> Result<(T, Vec<Warning>), ConfigError> {
    let invalid = |error: toml::de::Error| ConfigError::Invalid {
        path: path.to_owned(),
        line: error.span().map_or(1, |span| line_at(text, span.start)),
        message: without_value(error.message()),
    };
    let mut table = DeTable::parse(text).map_err(invalid)?;
    let warnings = take_unknown_keys(table.get_mut(), keys, text);
    let value = T::deserialize(toml::Deserializer::from(table)).map_err(invalid)?;
    Ok((value, warnings))
}

fn take_unknown_keys(table: &mut DeTable<'_>, keys: &[&str], text: &str) -> Vec<Warning> {
    let mut warnings = take_keys_outside(table, keys, "", text);
    for (key, value) in table.iter_mut() {
        if key.get_ref() != "accounts" {
            continue;
        }
        let DeValue::Table(accounts) = value.get_mut() else { continue };
        for (name, account) in accounts.iter_mut() {
            let DeValue::Table(account) = account.get_mut() else { continue };
            let prefix = format!("accounts.{}.", name.get_ref());
            warnings.extend(take_keys_outside(account, &AccountEntry::KEYS, &prefix, text));
        }
    }
    warnings.sort_by_key(|warning| warning.line);
    warnings
}

fn take_keys_outside(table: &mut DeTable<'_>, known: &[&str], prefix: &str, text: &str) -> Vec<Warning> {
    let unknown: Vec<Spanned<_>> =
        table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())).cloned().collect();
    unknown
        .into_iter()
        .map(|key| {
            table.remove(&key);
            Warning { line: line_at(text, key.span().start), key: format!("{prefix}{}", key.get_ref()) }
        })
        .collect()
}

/// The message, but for the value that it repeats: it may be a token in the wrong setting.
fn without_value(message: &str) -> String {
    match message.split_once(", expected ") {
        Some((_, expected)) => format!("this value cannot be taken, expected {expected}"),
        None => message.to_owned(),
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests;
