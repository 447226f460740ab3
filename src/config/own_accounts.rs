//! `accounts.toml`: the accounts that filedeck makes, beside `config.toml`, which it never writes and which wins. Their
//! tokens are in files of their own. Each change is made to what the file holds then, and replaces it whole.

use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use super::account_entry::{AccountEntry, Origin};
use super::file::Accounts;
use super::paths::Paths;
use super::secret_file::{self, SecretFileError};
use super::settings::Config;
use super::token::Token;
use super::toml_text::TomlText;

/// An account as it is to be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub name: String,
    pub entry: AccountEntry,
    /// None keeps the one that it has.
    pub token: Option<Token>,
}

/// What is done to `accounts.toml`.
#[derive(Debug, Clone, PartialEq)]
pub enum AccountChange {
    Keep(Draft),
    Forget(String),
}

/// The file and the folder of its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAccounts {
    path: PathBuf,
    tokens: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum OwnAccountsError {
    /// It would be written anew without what is not understood.
    #[error("{0}; it is left as it is")]
    Unreadable(String),
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{path}: {error}")]
    Unwritable { path: PathBuf, error: toml::ser::Error },
    #[error(transparent)]
    Token(#[from] SecretFileError),
    #[error("{path} is not what filedeck wrote: accounts is no table")]
    NoTable { path: PathBuf },
}

const FIRST_LINE: &str =
    "# Written by filedeck; comments are not kept. Accounts of your own hand go into config.toml.\n";
/// What an account's name may have, besides letters and digits of any script.
const IN_NAMES: [char; 3] = ['-', '_', '.'];
const LONGEST_NAME: usize = 64;

impl OwnAccounts {
    pub fn new(paths: &Paths) -> Self {
        Self { path: paths.config.join("accounts.toml"), tokens: paths.config.join(TOKENS) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The accounts of the file; none where there is no file.
    pub fn read(&self) -> Accounts {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let mut found = Accounts::read(TomlText::read(&self.path, dir));
        for entry in found.entries.values_mut() {
            entry.origin = Origin::Own;
        }
        found
    }

    /// Makes a change. A file that is not understood is left as it is.
    pub fn change(&self, change: &AccountChange) -> Result<(), OwnAccountsError> {
        if let Some(why) = self.read().doubts.any() {
            return Err(OwnAccountsError::Unreadable(why.to_owned()));
        }
        match change {
            AccountChange::Keep(Draft { name, entry, token }) => {
                if let Some(token) = token {
                    secret_file::replace(&self.token_file(name), token.secret())?;
                }
                self.edit(|accounts| {
                    accounts.insert(name.clone(), toml::Value::try_from(entry)?);
                    Ok(())
                })
            }
            AccountChange::Forget(name) => {
                self.edit(|accounts| {
                    accounts.remove(name);
                    Ok(())
                })?;
                let path = self.token_file(name);
                match std::fs::remove_file(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => Err(OwnAccountsError::Io { path, error }),
                    _ => Ok(()),
                }
            }
        }
    }

    fn token_file(&self, name: &str) -> PathBuf {
        self.tokens.join(token_file_name(name))
    }

    /// What other keys there are stays: they may be those of a newer filedeck.
    fn edit(
        &self,
        edit: impl FnOnce(&mut toml::Table) -> Result<(), toml::ser::Error>,
    ) -> Result<(), OwnAccountsError> {
        let no_table = || OwnAccountsError::NoTable { path: self.path.clone() };
        let unwritable = |error| OwnAccountsError::Unwritable { path: self.path.clone(), error };
        let mut content: toml::Table = self.text()?.parse().map_err(|_| no_table())?;
        let accounts = content.entry("accounts").or_insert_with(|| toml::Table::new().into());
        edit(accounts.as_table_mut().ok_or_else(no_table)?).map_err(unwritable)?;
        let text = format!("{FIRST_LINE}\n{}", toml::to_string(&content).map_err(unwritable)?);
        secret_file::write_private(&self.path, text.as_bytes())
            .map_err(|error| OwnAccountsError::Io { path: self.path.clone(), error })
    }

    fn text(&self) -> Result<String, OwnAccountsError> {
        match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(|error| OwnAccountsError::Io { path: self.path.clone(), error }),
        }
    }
}

/// Where the token of an account of that name is, relative to the configuration folder.
pub fn token_file(name: &str) -> PathBuf {
    Path::new(TOKENS).join(token_file_name(name))
}

const TOKENS: &str = "tokens";

fn token_file_name(name: &str) -> String {
    format!("{name}.token")
}

/// Refuses a name that cannot name a file, or an account on the command line; the reason is a sentence.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    let is_taken_by_us = ["local", "demo", "environment"].iter().any(|known| name.eq_ignore_ascii_case(known));
    match name {
        "" => Err("Type a name."),
        _ if is_taken_by_us => Err("filedeck has an account of this name already."),
        _ if name.len() > LONGEST_NAME => Err("A shorter name, please."),
        _ if name.starts_with(IN_NAMES) || !name.chars().all(|c| c.is_alphanumeric() || IN_NAMES.contains(&c)) => {
            Err("A name has letters and digits, and after the first one - _ and . too.")
        }
        _ => Ok(()),
    }
}

impl Config {
    /// Adds the accounts that filedeck made, but for those that stand in `config.toml`: gives the names of these.
    pub fn add_own(&mut self, own: Accounts) -> Vec<String> {
        self.accounts.retain(|_, entry| entry.origin == Origin::Config);
        self.own_doubts = own.doubts;
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
