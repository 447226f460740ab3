//! A field that shows a dot per character, with the cursor at its end. Wiped when dropped, and
//! never in `Debug`.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use secrecy::zeroize::Zeroizing;

use crate::tui::keymap::Key;
use crate::tui::style::symbols::DOT;

#[derive(Clone, Default)]
pub struct SecretField(Zeroizing<String>);

/// The initial capacity, enough for a token.
const ROOM: usize = 512;

impl SecretField {
    pub fn text(&self) -> &str {
        &self.0
    }

    pub fn dots(&self) -> String {
        DOT.repeat(self.0.chars().count())
    }

    /// Appends text without its whitespace and control characters: a token has none.
    pub fn insert(&mut self, text: &str) {
        for c in text
            .chars()
            .filter(|c| !c.is_control() && !c.is_whitespace())
        {
            self.push(c);
        }
    }

    /// Handles a key that types or deletes; returns `true` if it had an effect.
    pub fn on(&mut self, key: Key) -> bool {
        match (key.code, key.modifiers) {
            (KeyCode::Char(c), KeyModifiers::NONE) => self.insert(c.encode_utf8(&mut [0; 4])),
            (KeyCode::Backspace, KeyModifiers::NONE)
            | (KeyCode::Char('h'), KeyModifiers::CONTROL) => {
                self.0.pop();
            }
            (KeyCode::Char('u' | 'w'), KeyModifiers::CONTROL) => *self = Self::default(),
            _ => return false,
        }
        true
    }

    /// Appends a character; growing the buffer leaves no copy of the secret behind.
    fn push(&mut self, c: char) {
        if self.0.len() + c.len_utf8() > self.0.capacity() {
            let mut moved =
                Zeroizing::new(String::with_capacity((self.0.capacity() * 2).max(ROOM)));
            moved.push_str(&self.0);
            self.0 = moved;
        }
        self.0.push(c);
    }
}

impl fmt::Debug for SecretField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretField")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_typed_pasted_and_deleted_unseen() {
        let mut field = SecretField::default();
        field.insert(" pat-ca\nnary\u{1b}\r\n");
        for key in ["x", "backspace", "7"] {
            assert!(field.on(key.parse().unwrap()), "{key}");
        }
        assert_eq!(field.text(), "pat-canary7");
        assert_eq!(field.dots().chars().count(), 11);
        assert!(!format!("{field:?} {}", field.dots()).contains("canary"));
        field.insert(&"y".repeat(2 * ROOM));
        assert!(field.text().starts_with("pat-canary7y") && field.text().len() == 11 + 2 * ROOM);
        assert!(field.on("ctrl-u".parse().unwrap()));
        assert_eq!(field.text(), "");
    }
}
