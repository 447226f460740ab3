//! `accounts.toml`: the accounts that filedeck creates, next to `config.toml`, which it never
//! writes and which takes precedence. Their tokens are elsewhere (`tokens.rs`). Each change rereads
//! the file and replaces it as a whole.

mod pending_entries;
mod tokens;

use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use tokens::Tokens;
pub use tokens::Undone;

use super::account_entry::{AccountEntry, Origin, TokenLocation};
use super::account_errors::AccountErrors;
use super::file::AccountsFile;
use super::file_lock::alone;
use super::keyring::Keyring;
use super::paths::Paths;
use super::private_file;
use super::settings::Config;
use super::token::Token;
use super::toml_text::TomlText;
use crate::secret_file::SecretFileError;

#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub name: String,
    /// Set if the name must be unused; otherwise the account must exist.
    pub is_new: bool,
    /// Only the kind of its token location counts: the name is assigned when the account is saved.
    pub entry: AccountEntry,
    /// `None` keeps the existing token in its place.
    pub token: Option<Token>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum AccountChange {
    Keep(Draft),
    Forget(String),
}

impl AccountChange {
    fn name(&self) -> &str {
        match self {
            Self::Keep(draft) => &draft.name,
            Self::Forget(name) => name,
        }
    }
}

#[derive(Debug, Clone)]
pub struct SavedAccounts {
    path: PathBuf,
    tokens: Tokens,
}

#[derive(Debug, thiserror::Error)]
pub enum SavedAccountsError {
    /// Rewriting the file would drop what is not understood.
    #[error("{0}; it is left as it is")]
    Unreadable(String),
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{path}: {error}")]
    Unwritable {
        path: PathBuf,
        error: toml::ser::Error,
    },
    #[error(transparent)]
    Token(#[from] SecretFileError),
    #[error("Account {0} exists already")]
    Taken(String),
    #[error("Account {0} no longer exists: another filedeck has removed it")]
    Gone(String),
    #[error("The token of {0} is for another address: type it again")]
    OtherAddress(String),
    #[error("{path} was not written by filedeck: accounts is not a table")]
    NoTable { path: PathBuf },
}

const FIRST_LINE: &str =
    "# Written by filedeck; comments are not kept. Add your own accounts to config.toml.\n";
/// Characters allowed in account names besides letters and digits of any script.
const IN_NAMES: [char; 3] = ['-', '_', '.'];
const LONGEST_NAME: usize = 64;

impl SavedAccounts {
    pub fn new(paths: &Paths, keyring: Keyring) -> Self {
        Self {
            path: paths.config.join("accounts.toml"),
            tokens: Tokens::new(&paths.config, keyring),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn read(&self) -> AccountsFile {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let mut found = AccountsFile::read(TomlText::read(&self.path, dir));
        for entry in found.entries.values_mut() {
            entry.origin = Origin::Own;
        }
        found
    }

    /// Changes the current content of the file; refuses if it, or the account, is not understood.
    /// Returns failed token operations.
    pub fn change(&self, change: &AccountChange) -> Result<Undone, SavedAccountsError> {
        let _alone = alone(&self.path).map_err(|error| SavedAccountsError::Io {
            path: self.path.clone(),
            error,
        })?;
        let found = self.read();
        if let Some(why) = found.account_errors.of(change.name()) {
            return Err(SavedAccountsError::Unreadable(why.to_owned()));
        }
        match change {
            AccountChange::Keep(draft) => self.keep(draft, &found),
            AccountChange::Forget(name) => {
                let token = found.entries.get(name).map(|entry| &entry.token);
                self.tokens.give_up(name, token)?;
                self.edit(|accounts| {
                    accounts.remove(name);
                    Ok(())
                })?;
                if found.used.as_ref() == Some(name) {
                    self.write_used(None)?;
                }
                Ok(self.tokens.remove(name, token, None))
            }
        }
    }

    /// Sets the account to use if none is named, or clears it.
    pub fn choose(&self, name: Option<&str>) -> Result<(), SavedAccountsError> {
        let _alone = alone(&self.path).map_err(|error| SavedAccountsError::Io {
            path: self.path.clone(),
            error,
        })?;
        match self.read().account_errors.all {
            Some(why) => Err(SavedAccountsError::Unreadable(why)),
            None => self.write_used(name),
        }
    }

    fn write_used(&self, name: Option<&str>) -> Result<(), SavedAccountsError> {
        self.edit_file(|content| {
            content.remove("account");
            content.extend(name.map(|name| ("account".to_owned(), name.into())));
            Ok(())
        })
    }

    /// Removes leftovers of interrupted changes from the keyring, unless an account, including one
    /// of the user's own, now names them. Does nothing while any account is in doubt.
    pub fn sweep(&self, config: &Config) -> Result<(), SavedAccountsError> {
        if !self.tokens.is_noted() {
            return Ok(());
        }
        let _alone = alone(&self.path).map_err(|error| SavedAccountsError::Io {
            path: self.path.clone(),
            error,
        })?;
        let AccountsFile {
            entries,
            account_errors,
            ..
        } = self.read();
        if account_errors == AccountErrors::default()
            && config.account_errors == AccountErrors::default()
        {
            let all = || entries.values().chain(config.accounts.values());
            self.tokens.sweep(|entry| {
                all().any(|known| known.token == TokenLocation::Keyring(entry.to_owned()))
            });
        }
        Ok(())
    }

    /// A new token gets a place of its own, which the entry names from then on, so that address and
    /// token belong together even if this is interrupted.
    fn keep(&self, draft: &Draft, there: &AccountsFile) -> Result<Undone, SavedAccountsError> {
        let Draft {
            name,
            is_new,
            entry,
            token,
        } = draft;
        let names = there
            .entries
            .keys()
            .chain(there.account_errors.named.keys());
        // Some file systems do not distinguish names that differ only in case.
        let is_taken = || {
            names
                .clone()
                .any(|known| known.to_lowercase() == name.to_lowercase())
        };
        let before = there.entries.get(name);
        let (place, refused) = match (before, token) {
            _ if *is_new && is_taken() => return Err(SavedAccountsError::Taken(name.clone())),
            (None, _) if !is_new => return Err(SavedAccountsError::Gone(name.clone())),
            (_, Some(token)) => {
                self.tokens
                    .give_up(name, before.map(|before| &before.token))?;
                self.tokens.put(name, token, &entry.token)?
            }
            (Some(before), None) if before.has_origin_of(entry) => (before.token.clone(), None),
            (_, None) => return Err(SavedAccountsError::OtherAddress(name.clone())),
        };
        let entry = AccountEntry {
            token: place,
            ..entry.clone()
        };
        let edited = self.edit(|accounts| {
            accounts.insert(name.clone(), toml::Value::try_from(&entry)?);
            Ok(())
        });
        if token.is_none() {
            return edited.map(|()| Undone::default());
        }
        let (new, old) = (Some(&entry.token), before.map(|before| &before.token));
        let (goes, stays) = if edited.is_ok() {
            (old, new)
        } else {
            (new, old)
        };
        let undone = self.tokens.remove(name, goes, stays);
        edited?;
        Ok(Undone {
            refused: refused.or(undone.refused),
            ..undone
        })
    }

    /// Other keys are preserved: they may belong to a newer filedeck.
    fn edit(
        &self,
        edit: impl FnOnce(&mut toml::Table) -> Result<(), toml::ser::Error>,
    ) -> Result<(), SavedAccountsError> {
        self.edit_file(|content| {
            let accounts = content
                .entry("accounts")
                .or_insert_with(|| toml::Table::new().into());
            let accounts = accounts.as_table_mut().ok_or_else(|| self.no_table())?;
            edit(accounts).map_err(|error| self.unwritable(error))
        })
    }

    fn no_table(&self) -> SavedAccountsError {
        SavedAccountsError::NoTable {
            path: self.path.clone(),
        }
    }

    fn unwritable(&self, error: toml::ser::Error) -> SavedAccountsError {
        SavedAccountsError::Unwritable {
            path: self.path.clone(),
            error,
        }
    }

    fn edit_file(
        &self,
        edit: impl FnOnce(&mut toml::Table) -> Result<(), SavedAccountsError>,
    ) -> Result<(), SavedAccountsError> {
        let mut content: toml::Table = self.text()?.parse().map_err(|_| self.no_table())?;
        edit(&mut content)?;
        let text = format!(
            "{FIRST_LINE}\n{}",
            toml::to_string(&content).map_err(|error| self.unwritable(error))?
        );
        private_file::write(&self.path, text.as_bytes()).map_err(|error| SavedAccountsError::Io {
            path: self.path.clone(),
            error,
        })
    }

    fn text(&self) -> Result<String, SavedAccountsError> {
        match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(|error| SavedAccountsError::Io {
                path: self.path.clone(),
                error,
            }),
        }
    }
}

/// Rejects a name that cannot be a file name or an account on the command line; the reason is a
/// sentence.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    let is_taken_by_us = ["local", "demo", "environment"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known));
    match name {
        "" => Err("Type a name."),
        _ if is_taken_by_us => Err("An account with this name already exists."),
        _ if name.len() > LONGEST_NAME => Err("The name is too long."),
        _ if name.starts_with(IN_NAMES)
            || !name
                .chars()
                .all(|c| c.is_alphanumeric() || IN_NAMES.contains(&c)) =>
        {
            Err("A name has letters and digits; after the first one also - _ and .")
        }
        _ => Ok(()),
    }
}

impl Config {
    /// Adds the accounts that filedeck created; returns the names of those that `config.toml`
    /// overrides.
    pub fn add_own(&mut self, own: AccountsFile) -> Vec<String> {
        self.accounts
            .retain(|_, entry| entry.origin == Origin::Config);
        self.saved_account_errors = own.account_errors;
        self.saved_account = own.used;
        let mut hidden = Vec::new();
        for (name, entry) in own.entries {
            match self.accounts.entry(name) {
                Entry::Occupied(configured) => hidden.push(configured.key().clone()),
                Entry::Vacant(free) => drop(free.insert(entry)),
            }
        }
        hidden
    }
}

#[cfg(test)]
mod tests;
