//! The tokens of the accounts that filedeck makes: each in a private file of its own, or in an entry of the system's
//! keyring. None ever takes the place of another, so that what names the old one never leads to the new one.

use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::pending_entries::Notes;
use crate::config::account_entry::TokenLocation;
use crate::config::keyring::Keyring;
use crate::config::keyring::error::KeyringError;
use crate::config::paths::create_private_dir;
use crate::config::secret_file::{self, SecretFileError};
use crate::config::token::Token;

/// Where they are.
#[derive(Debug, Clone)]
pub(super) struct Tokens {
    dir: PathBuf,
    notes: Notes,
    keyring: Keyring,
}

/// What of a change could not be done to tokens. The change itself is made all the same.
#[derive(Debug, Default)]
pub struct Undone {
    /// Why the keyring did not do its part.
    pub refused: Option<KeyringError>,
    /// Why a file with a token of before is still there.
    pub left: Option<SecretFileError>,
}

/// In the configuration folder.
const FOLDER: &str = "tokens";
/// Behind the account's name, before what tells its tokens apart; no name has it.
const AGAIN: char = '~';

impl Tokens {
    /// Those of the configuration folder `config`.
    pub(super) fn new(config: &Path, keyring: Keyring) -> Self {
        let dir = config.join(FOLDER);
        Self { notes: Notes::new(dir.clone()), dir, keyring }
    }

    /// Keeps a new token of the account `name` in a place of that sort: in a file where the keyring does not take it.
    /// Gives the place, and why it is not the keyring.
    pub(super) fn put(
        &self,
        name: &str,
        token: &Token,
        wanted: &TokenLocation,
    ) -> Result<(TokenLocation, Option<KeyringError>), SecretFileError> {
        let refused = match wanted {
            TokenLocation::File(_) => None,
            TokenLocation::Keyring(_) => {
                // Other configuration folders share the keyring: a number could be taken there.
                let entry = format!("{name}{AGAIN}{}", Uuid::new_v4().simple());
                self.note(&entry)?;
                match self.keyring.write(&entry, token.secret()) {
                    Ok(()) => return Ok((TokenLocation::Keyring(entry), None)),
                    // It may take it yet.
                    Err(why @ KeyringError::NoAnswer(_)) => Some(why),
                    Err(why) => {
                        self.notes.remove(&entry);
                        Some(why)
                    }
                }
            }
        };
        Ok((TokenLocation::File(self.write_file(name, token)?), refused))
    }

    /// Into the first file of the account's that is not there yet. Gives its path from the configuration folder.
    pub(super) fn write_file(&self, name: &str, token: &Token) -> Result<PathBuf, SecretFileError> {
        create_private_dir(&self.dir).map_err(|error| failed(&self.dir, error))?;
        for number in 0_u32.. {
            let file = if number == 0 { format!("{name}.token") } else { format!("{name}{AGAIN}{number}.token") };
            match secret_file::create(&self.dir.join(&file), token.secret()) {
                Err(SecretFileError::Io { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return created.map(|()| Path::new(FOLDER).join(file)),
            }
        }
        Err(failed(&self.dir, io::ErrorKind::AlreadyExists.into()))
    }

    /// The account's token is about to be given up: what breaks off before that is done is made up for by `sweep`.
    pub(super) fn give_up(&self, name: &str, goes: Option<&TokenLocation>) -> Result<(), SecretFileError> {
        own_entry(name, goes).map_or(Ok(()), |entry| self.note(entry))
    }

    /// Removes the account's tokens: its files but for the one that stays, and what goes out of the keyring.
    pub(super) fn remove(&self, name: &str, goes: Option<&TokenLocation>, stays: Option<&TokenLocation>) -> Undone {
        if let Some(entry) = own_entry(name, stays) {
            self.notes.remove(entry);
        }
        let refused = own_entry(name, goes).and_then(|entry| self.remove_entry(entry).err());
        Undone { refused, left: self.remove_files(name, stays).err() }
    }

    /// Whether something may be left to do about entries of the keyring.
    pub(super) fn is_noted(&self) -> bool {
        !self.notes.all().is_empty()
    }

    /// Removes the entries of the keyring that are noted, but for those that an account names.
    pub(super) fn sweep(&self, is_named: impl Fn(&str) -> bool) {
        for entry in self.notes.all() {
            if is_named(&entry) {
                self.notes.remove(&entry);
            } else if let Err(error) = self.remove_entry(&entry) {
                tracing::warn!(%error, "an unused token is still in the keyring");
            }
        }
    }

    fn remove_entry(&self, entry: &str) -> Result<(), KeyringError> {
        self.keyring.remove(entry)?;
        self.notes.remove(entry);
        Ok(())
    }

    fn note(&self, entry: &str) -> Result<(), SecretFileError> {
        self.notes.add(entry).map_err(|error| failed(&self.dir, error))
    }

    fn remove_files(&self, name: &str, stays: Option<&TokenLocation>) -> Result<(), SecretFileError> {
        let kept = match stays {
            Some(TokenLocation::File(file)) => file.file_name(),
            Some(TokenLocation::Keyring(_)) | None => None,
        };
        let entries = match std::fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|error| failed(&self.dir, error))?,
        };
        let mut removed = Ok(());
        for entry in entries {
            let file = entry.map_err(|error| failed(&self.dir, error))?.file_name();
            let stem = file.to_str().and_then(|file| file.strip_suffix(".token"));
            let of = stem.map(|stem| stem.split_once(AGAIN).map_or(stem, |(name, _)| name));
            if of == Some(name) && Some(file.as_os_str()) != kept {
                let path = self.dir.join(file);
                removed = removed.and(std::fs::remove_file(&path).map_err(|error| failed(&path, error)));
            }
        }
        removed
    }
}

/// The entry of the keyring that filedeck has made for the account; one of the user's own is none.
fn own_entry<'a>(name: &str, place: Option<&'a TokenLocation>) -> Option<&'a str> {
    match place {
        Some(TokenLocation::Keyring(entry)) if entry.starts_with(&format!("{name}{AGAIN}")) => Some(entry),
        _ => None,
    }
}

fn failed(path: &Path, error: io::Error) -> SecretFileError {
    SecretFileError::Io { path: path.to_owned(), error }
}
