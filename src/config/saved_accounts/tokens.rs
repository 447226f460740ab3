//! The tokens of the accounts that filedeck creates, each in its own private file or entry of the
//! system's keyring. A token never replaces another one, so a reference to the old one never leads
//! to the new one.

use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::pending_entries::Notes;
use crate::config::account_entry::TokenLocation;
use crate::config::keyring::Keyring;
use crate::config::keyring::error::KeyringError;
use crate::config::paths::create_private_dir;
use crate::config::token::Token;
use crate::secret_file::{self, SecretFileError};

#[derive(Debug, Clone)]
pub(super) struct Tokens {
    dir: PathBuf,
    notes: Notes,
    keyring: Keyring,
}

/// The token operations that failed during a change, which was made nevertheless.
#[derive(Debug, Default)]
pub struct Undone {
    pub refused: Option<KeyringError>,
    pub left: Option<SecretFileError>,
}

const FOLDER: &str = "tokens";
/// Separates the account's name from the suffix that distinguishes its tokens; never part of a
/// name.
const AGAIN: char = '~';

impl Tokens {
    pub(super) fn new(config: &Path, keyring: Keyring) -> Self {
        let dir = config.join(FOLDER);
        Self {
            notes: Notes::new(dir.clone()),
            dir,
            keyring,
        }
    }

    /// Saves a new token, in a file if the keyring fails. Returns its place, and the keyring's
    /// error.
    pub(super) fn put(
        &self,
        name: &str,
        token: &Token,
        wanted: &TokenLocation,
    ) -> Result<(TokenLocation, Option<KeyringError>), SecretFileError> {
        let refused = match wanted {
            TokenLocation::File(_) => None,
            TokenLocation::Keyring(_) => {
                // Other configuration folders share the keyring, so a number might be taken there.
                let entry = format!("{name}{AGAIN}{}", Uuid::new_v4().simple());
                self.note(&entry)?;
                match self.keyring.write(&entry, token.secret()) {
                    Ok(()) => return Ok((TokenLocation::Keyring(entry), None)),
                    // The keyring may still accept it.
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

    /// Writes the account's first unused file. Returns its path relative to the configuration
    /// folder.
    pub(super) fn write_file(&self, name: &str, token: &Token) -> Result<PathBuf, SecretFileError> {
        create_private_dir(&self.dir).map_err(|error| failed(&self.dir, error))?;
        for number in 0_u32.. {
            let file = if number == 0 {
                format!("{name}.token")
            } else {
                format!("{name}{AGAIN}{number}.token")
            };
            match secret_file::create(&self.dir.join(&file), token.secret()) {
                Err(SecretFileError::Io { error, .. })
                    if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return created.map(|()| Path::new(FOLDER).join(file)),
            }
        }
        Err(failed(&self.dir, io::ErrorKind::AlreadyExists.into()))
    }

    /// Records that the token is about to be discarded, so that `sweep` can finish an interrupted
    /// change.
    pub(super) fn give_up(
        &self,
        name: &str,
        goes: Option<&TokenLocation>,
    ) -> Result<(), SecretFileError> {
        own_entry(name, goes).map_or(Ok(()), |entry| self.note(entry))
    }

    /// Removes the account's token files except the one that stays, and its discarded keyring
    /// entry.
    pub(super) fn remove(
        &self,
        name: &str,
        goes: Option<&TokenLocation>,
        stays: Option<&TokenLocation>,
    ) -> Undone {
        if let Some(entry) = own_entry(name, stays) {
            self.notes.remove(entry);
        }
        let refused = own_entry(name, goes).and_then(|entry| self.remove_entry(entry).err());
        Undone {
            refused,
            left: self.remove_files(name, stays).err(),
        }
    }

    /// Returns `true` if keyring entries may still need cleanup.
    pub(super) fn is_noted(&self) -> bool {
        !self.notes.all().is_empty()
    }

    /// Removes the recorded keyring entries, except those that an account names.
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
        self.notes
            .add(entry)
            .map_err(|error| failed(&self.dir, error))
    }

    fn remove_files(
        &self,
        name: &str,
        stays: Option<&TokenLocation>,
    ) -> Result<(), SecretFileError> {
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
                removed =
                    removed.and(std::fs::remove_file(&path).map_err(|error| failed(&path, error)));
            }
        }
        removed
    }
}

/// The keyring entry that filedeck created for the account; `None` for one of the user's own.
fn own_entry<'a>(name: &str, place: Option<&'a TokenLocation>) -> Option<&'a str> {
    match place {
        Some(TokenLocation::Keyring(entry)) if entry.starts_with(&format!("{name}{AGAIN}")) => {
            Some(entry)
        }
        _ => None,
    }
}

fn failed(path: &Path, error: io::Error) -> SecretFileError {
    SecretFileError::Io {
        path: path.to_owned(),
        error,
    }
}
