//! Reads `config.toml` and `accounts.toml`, value by value. An invalid setting yields a warning and
//! the default of that one setting; an invalid account puts that account in doubt
//! (`account_errors.rs`). Neither is an error.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use super::account_entry::{AccountColor, AccountEntry};
use super::account_errors::AccountErrors;
use super::private_file;
use super::settings::{Config, SAMPLE, Setting};
use super::toml_text::{TomlText, Warning, reason};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigFile {
    pub config: Config,
    /// The line numbers of the settings taken from the file, by name.
    pub lines: BTreeMap<&'static str, usize>,
    /// Sorted by line.
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountsFile {
    /// The account to use if none is named.
    pub used: Option<String>,
    pub entries: BTreeMap<String, AccountEntry>,
    pub account_errors: AccountErrors,
    pub warnings: Vec<Warning>,
}

const ACCOUNTS: &str = "accounts";
const ACCOUNT: &str = "account";
const COLOR: &str = "color";

impl ConfigFile {
    /// Reads `config.toml`, or handles the reason that it cannot be read.
    pub fn read(text: Result<Option<TomlText>, Warning>) -> Self {
        match text.and_then(|text| text.as_ref().map(Self::of).transpose()) {
            Ok(found) => found.unwrap_or_default(),
            Err(warning) => {
                let why = Some(warning.to_string());
                let account_errors = AccountErrors {
                    all: why.clone(),
                    default: why,
                    ..AccountErrors::default()
                };
                let warning = Warning {
                    what: format!("{}; the file is ignored", warning.what),
                    ..warning
                };
                let config = Config {
                    account_errors,
                    ..Config::default()
                };
                Self {
                    config,
                    warnings: vec![warning],
                    ..Self::default()
                }
            }
        }
    }

    /// Writes the sample to the path, unless there is a file or a link.
    pub fn create(path: &Path) -> io::Result<()> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                private_file::write(path, SAMPLE.as_bytes())
            }
            found => found.map(drop),
        }
    }

    fn of(text: &TomlText) -> Result<Self, Warning> {
        let mut found = Self::default();
        for (key, value) in text.table()? {
            match (key.get_ref().as_ref(), Setting::named(key.get_ref())) {
                (ACCOUNTS, _) => {
                    let AccountsFile {
                        entries,
                        account_errors,
                        warnings,
                        ..
                    } = accounts(text, &key, value);
                    found.config.accounts = entries;
                    found.config.account_errors = AccountErrors {
                        default: found.config.account_errors.default.take(),
                        ..account_errors
                    };
                    found.warnings.extend(warnings);
                }
                (_, Some(setting)) => found.take(text, setting, &key, value),
                (name, None) => found.warnings.push(unknown(text, &key, name)),
            }
        }
        found.warnings.sort_by_key(|warning| warning.line);
        Ok(found)
    }

    fn take(
        &mut self,
        text: &TomlText,
        setting: Setting,
        key: &Spanned<impl Sized>,
        value: Spanned<DeValue<'_>>,
    ) {
        let (name, shown) = (setting.name, text.shown(&value));
        let what = match setting.may.stranger(&value) {
            Some(stranger) => {
                let what = setting.may.refusal();
                format!(
                    "{name} = {shown} {what}: {} is not one of them",
                    text.shown(stranger)
                )
            }
            None => format!("{name} = {shown} {}", setting.may.refusal()),
        };
        if self.config.set(setting, value) {
            self.lines.insert(name, text.line(&key.span()));
            return;
        }
        let instead = match self.config.toml_of(setting) {
            Some(default) => format!("{} is used", default.trim_matches('"')),
            None => "it is ignored".to_owned(),
        };
        if name == ACCOUNT {
            self.config.account_errors.default =
                Some(text.warning(&key.span(), what.clone()).to_string());
        }
        self.warnings.push(Warning {
            is_of_screen: setting.is_of_screen(),
            ..text.warning(&key.span(), format!("{what}; {instead}"))
        });
    }
}

impl AccountsFile {
    /// Reads `accounts.toml`, or handles the reason that it cannot be read.
    pub fn read(text: Result<Option<TomlText>, Warning>) -> Self {
        match text.and_then(|text| text.as_ref().map(Self::of).transpose()) {
            Ok(found) => found.unwrap_or_default(),
            Err(warning) => Self::in_doubt(warning),
        }
    }

    fn of(text: &TomlText) -> Result<Self, Warning> {
        let (mut found, mut used, mut unknowns) = (Self::default(), None, Vec::new());
        for (key, value) in text.table()? {
            match key.get_ref().as_ref() {
                ACCOUNTS => found = accounts(text, &key, value),
                ACCOUNT => match value.into_inner() {
                    DeValue::String(name) => used = Some(name.into_owned()),
                    _ => {
                        return Err(
                            text.warning(&key.span(), "account must be the name of an account")
                        );
                    }
                },
                name => unknowns.push(unknown(text, &key, name)),
            }
        }
        found.used = used;
        found.warnings.extend(unknowns);
        found.warnings.sort_by_key(|warning| warning.line);
        Ok(found)
    }

    fn in_doubt(warning: Warning) -> Self {
        let account_errors = AccountErrors {
            all: Some(warning.to_string()),
            ..AccountErrors::default()
        };
        let warning = Warning {
            what: format!("{}; its accounts cannot be used", warning.what),
            ..warning
        };
        Self {
            account_errors,
            warnings: vec![warning],
            ..Self::default()
        }
    }
}

fn accounts(
    text: &TomlText,
    key: &Spanned<impl Sized>,
    value: Spanned<DeValue<'_>>,
) -> AccountsFile {
    let DeValue::Table(table) = value.into_inner() else {
        return AccountsFile::in_doubt(text.warning(
            &key.span(),
            "accounts must be tables such as [accounts.acme]",
        ));
    };
    let mut found = AccountsFile::default();
    for (name, value) in table {
        let (at, name) = (name.span(), name.into_inner().into_owned());
        match account(text, value, &mut found.warnings) {
            Ok(entry) => drop(found.entries.insert(name, entry)),
            Err(why) => {
                let warning =
                    text.warning(&at, format!("the account '{name}' cannot be used: {why}"));
                found.account_errors.named.insert(name, warning.to_string());
                found.warnings.push(warning);
            }
        }
    }
    found
}

/// Reads one account. Only an invalid color is harmless: anything else unknown may be what protects
/// the account from changes, or its token from being sent elsewhere. In either file, because a
/// newer filedeck may have written it.
fn account(
    text: &TomlText,
    value: Spanned<DeValue<'_>>,
    warnings: &mut Vec<Warning>,
) -> Result<AccountEntry, String> {
    let span = value.span();
    let DeValue::Table(mut table) = value.into_inner() else {
        return Err("it is not a table".to_owned());
    };
    if let Some((key, color)) = table.iter().find(|(key, _)| key.get_ref() == COLOR)
        && AccountColor::deserialize(ValueDeserializer::from(color.clone())).is_err()
    {
        let (at, shown) = (key.clone(), text.shown(color));
        let what = format!(
            "color = {shown} is not one of blue, green, yellow, red, purple; it is ignored"
        );
        warnings.push(Warning {
            is_of_screen: true,
            ..text.warning(&at.span(), what)
        });
        table.remove(&at);
    }
    let entry = AccountEntry::deserialize(toml::Deserializer::from(Spanned::new(span, table)));
    entry.map_err(|error| match error.span() {
        Some(at) => format!("in line {}, {}", text.line(&at), reason(&error)),
        None => reason(&error),
    })
}

fn unknown(text: &TomlText, key: &Spanned<impl Sized>, name: &str) -> Warning {
    text.warning(&key.span(), format!("unknown key '{name}' is ignored"))
}

#[cfg(test)]
mod tests;
