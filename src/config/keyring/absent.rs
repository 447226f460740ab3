//! Replaces the keyring in a build without it.

use secrecy::SecretString;

use super::error::KeyringError;

#[derive(Debug, Clone, Copy, Default)]
pub struct Keyring {}

impl Keyring {
    pub fn read(self, _entry: &str) -> Result<SecretString, KeyringError> {
        Err(KeyringError::NotBuiltIn)
    }

    pub fn write(self, _entry: &str, _token: &SecretString) -> Result<(), KeyringError> {
        Err(KeyringError::NotBuiltIn)
    }

    pub fn remove(self, _entry: &str) -> Result<(), KeyringError> {
        Err(KeyringError::NotBuiltIn)
    }
}
