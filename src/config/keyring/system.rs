//! Asks the system's keyring. Each question has a thread and a line of its own: one that gets no answer holds up nothing.

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

/// What entries of filedeck are found by, beside their own names.
const SERVICE: &str = "filedeck";

/// Somebody waits for the account meanwhile.
const PATIENCE: Duration = Duration::from_secs(2);

/// The way to it.
#[derive(Debug, Clone, Copy)]
pub struct Keyring {
    connect: ConnectStore,
    patience: Duration,
}

type ConnectStore = fn() -> keyring_core::Result<Arc<CredentialStore>>;

impl Default for Keyring {
    /// That of this system.
    fn default() -> Self {
        Self { connect: || Ok(Store::new()?), patience: PATIENCE }
    }
}

impl Keyring {
    /// The token of an entry.
    pub fn read(self, entry: &str) -> Result<SecretString, KeyringError> {
        let held = self.ask(entry, |entry| entry.get_password().map(SecretString::from), |_| ())?;
        match Token::new(held.expose_secret()) {
            Some(token) if token.is_one_line() => Ok(token.secret().clone()),
            _ => Err(KeyringError::Failed("the entry is not one line of text".to_owned())),
        }
    }

    /// Puts a token into a new entry. One that comes too late is taken out again, for it is kept elsewhere by then.
    pub fn write(self, entry: &str, token: &SecretString) -> Result<(), KeyringError> {
        let token = token.clone();
        self.ask(entry, move |entry| entry.set_password(token.expose_secret()), take_back)
    }

    /// Removes an entry; one that is not there is as good as removed.
    pub fn remove(self, entry: &str) -> Result<(), KeyringError> {
        match self.ask(entry, Entry::delete_credential, |_| ()) {
            Err(KeyringError::NoEntry) => Ok(()),
            removed => removed,
        }
    }

    /// Asks about an entry; `too_late` is done where an answer comes that nobody waits for anymore.
    fn ask<T: Send + 'static>(
        self,
        entry: &str,
        question: impl FnOnce(&Entry) -> keyring_core::Result<T> + Send + 'static,
        too_late: impl FnOnce(&Entry) + Send + 'static,
    ) -> Result<T, KeyringError> {
        // Without room in between an answer is either taken or known to come too late.
        let (tell, told) = mpsc::sync_channel(0);
        let (entry, connect) = (entry.to_owned(), self.connect);
        std::thread::spawn(move || answer(connect, &entry, question, &tell, too_late));
        told.recv_timeout(self.patience).unwrap_or(Err(KeyringError::NoAnswer(self.patience.as_secs())))
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
            // If nobody waits for it, nothing is lost.
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
    // Nobody waits for the answer.
    let _ = entry.delete_credential();
}

fn failed(error: &Error) -> KeyringError {
    match error {
        Error::NoEntry => KeyringError::NoEntry,
        Error::NoStorageAccess(_) => KeyringError::Locked,
        error => KeyringError::Failed(cause(error)),
    }
}

/// What the platform says. Other errors may hold what they are about.
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
