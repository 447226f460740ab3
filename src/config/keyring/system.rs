//! Accesses the system's keyring. Each request has its own thread and connection, so an unanswered
//! one blocks nothing.

use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::time::Duration;

#[cfg(target_os = "macos")]
use apple_native_keyring_store::keychain::Store;
use keyring_core::{CredentialStore, Entry, Error};
use secrecy::{ExposeSecret, SecretString};
#[cfg(windows)]
use windows_native_keyring_store::Store;
#[cfg(all(unix, not(target_os = "macos")))]
use zbus_secret_service_keyring_store::Store;

use super::error::KeyringError;
use crate::config::token::Token;

/// Identifies filedeck's entries, together with their own names.
const SERVICE: &str = "filedeck";

/// A user may be waiting for the account.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy)]
pub struct Keyring {
    connect: ConnectStore,
    patience: Duration,
}

type ConnectStore = fn() -> keyring_core::Result<Arc<CredentialStore>>;

impl Default for Keyring {
    fn default() -> Self {
        Self {
            connect: || Ok(Store::new()?),
            patience: PATIENCE,
        }
    }
}

impl Keyring {
    pub fn read(self, entry: &str) -> Result<SecretString, KeyringError> {
        let held = self.ask(
            entry,
            |entry| entry.get_password().map(SecretString::from),
            |_| (),
        )?;
        match Token::new(held.expose_secret()) {
            Some(token) if token.is_one_line() => Ok(token.secret().clone()),
            _ => Err(KeyringError::Failed(
                "the entry is not one line of text".to_owned(),
            )),
        }
    }

    /// Writes a token to a new entry. Removes it again if that takes too long, because it is saved
    /// elsewhere by then.
    pub fn write(self, entry: &str, token: &SecretString) -> Result<(), KeyringError> {
        let token = token.clone();
        self.ask(
            entry,
            move |entry| entry.set_password(token.expose_secret()),
            take_back,
        )
    }

    /// Removes an entry; a missing one counts as removed.
    pub fn remove(self, entry: &str) -> Result<(), KeyringError> {
        match self.ask(entry, Entry::delete_credential, |_| ()) {
            Err(KeyringError::NoEntry) => Ok(()),
            removed => removed,
        }
    }

    /// Sends a request about an entry; `too_late` runs if it succeeds after the time limit.
    fn ask<T: Send + 'static>(
        self,
        entry: &str,
        question: impl FnOnce(&Entry) -> keyring_core::Result<T> + Send + 'static,
        too_late: impl FnOnce(&Entry) + Send + 'static,
    ) -> Result<T, KeyringError> {
        // Without a buffer, an answer is either received or known to be too late.
        let (tell, answers) = mpsc::sync_channel(0);
        let (entry, connect) = (entry.to_owned(), self.connect);
        std::thread::spawn(move || answer(connect, &entry, question, &tell, too_late));
        answers
            .recv_timeout(self.patience)
            .unwrap_or(Err(KeyringError::NoAnswer(self.patience.as_secs())))
    }
}

fn answer<T>(
    connect: ConnectStore,
    entry: &str,
    question: impl FnOnce(&Entry) -> keyring_core::Result<T>,
    tell: &SyncSender<Result<T, KeyringError>>,
    too_late: impl FnOnce(&Entry),
) {
    let there = connect().and_then(|store| store.build(SERVICE, entry, None));
    let entry = match there {
        Ok(entry) => entry,
        Err(error) => {
            tracing::warn!("no system keyring: {}", cause(&error));
            // Nothing is lost if nobody is waiting.
            let _ = tell.send(Err(KeyringError::NotHere));
            return;
        }
    };
    let answer = question(&entry).map_err(|error| failed(&error));
    let was_done = answer.is_ok();
    if tell.send(answer).is_err() && was_done {
        too_late(&entry);
    }
}

fn take_back(entry: &Entry) {
    // Nobody is waiting for the result.
    let _ = entry.delete_credential();
}

fn failed(error: &Error) -> KeyringError {
    match error {
        Error::NoEntry => KeyringError::NoEntry,
        Error::NoStorageAccess(_) => KeyringError::Locked,
        error => KeyringError::Failed(cause(error)),
    }
}

/// The platform's message. Other errors may contain secrets.
fn cause(error: &Error) -> String {
    match error {
        Error::PlatformFailure(cause) | Error::NoStorageAccess(cause) => cause.to_string(),
        Error::Ambiguous(entries) => format!("{} entries have this name", entries.len()),
        Error::BadEncoding(_) => "the entry is not text".to_owned(),
        _ => "it does not support that".to_owned(),
    }
}

#[cfg(test)]
mod tests;
