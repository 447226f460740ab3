//! An access token on its way from the screen to its file: never shown, and wiped when dropped.

use secrecy::{ExposeSecret, SecretString};

/// A token that can be part of messages: `Debug` shows nothing of it.
#[derive(Debug, Clone)]
pub struct Token(SecretString);

impl Token {
    /// Trims the token; `None` if nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(SecretString::from(text)))
    }

    /// Returns `true` if the token contains nothing that would break a line or a header.
    pub fn is_one_line(&self) -> bool {
        !self.0.expose_secret().chars().any(char::is_control)
    }

    pub fn secret(&self) -> &SecretString {
        &self.0
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
    }
}
