//! An access token on its way from the screen to its file: never shown, wiped when it is dropped.

use secrecy::{ExposeSecret, SecretString};

/// A token that can be put in messages. `Debug` shows none of it.
#[derive(Debug, Clone)]
pub struct Token(SecretString);

impl Token {
    /// Takes a token without the blanks around it; none where nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(SecretString::from(text)))
    }

    /// Whether nothing in it would break a line or a header.
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
