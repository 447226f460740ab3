//! A key as people write it: `d`, `G`, `ctrl-d`, `shift-tab`, `space`, `f5`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers. Shift is part of a character (`G`), and a modifier of every other key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: KeyCode,
    pub modifiers: KeyModifiers,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a key")]
pub struct UnknownKey(String);

const NAMED: [(&str, KeyCode); 17] = [
    ("space", KeyCode::Char(' ')),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("menu", KeyCode::Menu),
    ("pause", KeyCode::Pause),
];

impl Key {
    pub const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::NONE,
        }
    }

    /// A character without modifiers other than its own shift.
    pub const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    pub const fn ctrl(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::CONTROL,
        }
    }

    pub fn types_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }

    fn normal(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let modifiers =
            modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        match code {
            KeyCode::BackTab => Self {
                code: KeyCode::Tab,
                modifiers: modifiers | KeyModifiers::SHIFT,
            },
            // Terminals differ in whether they report the shift of a letter, and Ctrl ignores it.
            KeyCode::Char(c) if modifiers.contains(KeyModifiers::CONTROL) => Self {
                code: KeyCode::Char(c.to_ascii_lowercase()),
                modifiers: modifiers - KeyModifiers::SHIFT,
            },
            KeyCode::Char(c) if modifiers.contains(KeyModifiers::SHIFT) && c != ' ' => {
                let c = c.to_uppercase().next().unwrap_or(c);
                Self {
                    code: KeyCode::Char(c),
                    modifiers: modifiers - KeyModifiers::SHIFT,
                }
            }
            KeyCode::Char(_) => Self {
                code,
                modifiers: modifiers - KeyModifiers::SHIFT,
            },
            _ => Self { code, modifiers },
        }
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        Self::normal(event.code, event.modifiers)
    }
}

impl FromStr for Key {
    type Err = UnknownKey;

    fn from_str(text: &str) -> Result<Self, UnknownKey> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((modifier, after)) =
            rest.split_once('-').filter(|(_, after)| !after.is_empty())
        {
            modifiers |= match modifier {
                "ctrl" => KeyModifiers::CONTROL,
                "alt" => KeyModifiers::ALT,
                "shift" => KeyModifiers::SHIFT,
                _ => return Err(UnknownKey(text.to_owned())),
            };
            rest = after;
        }
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_whitespace() && !c.is_control() => KeyCode::Char(c),
            (Some('f'), Some(_))
                if rest
                    .get(1..)
                    .is_some_and(|number| number.parse::<u8>().is_ok()) =>
            {
                let number = rest.get(1..).and_then(|number| number.parse().ok());
                KeyCode::F(
                    number
                        .filter(|number| (1..=24).contains(number))
                        .ok_or_else(|| UnknownKey(text.to_owned()))?,
                )
            }
            _ => NAMED
                .iter()
                .find(|(name, _)| *name == rest)
                .map(|(_, code)| *code)
                .ok_or_else(|| UnknownKey(text.to_owned()))?,
        };
        Ok(Self::normal(code, modifiers))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, name) in [
            (KeyModifiers::CONTROL, "ctrl-"),
            (KeyModifiers::ALT, "alt-"),
            (KeyModifiers::SHIFT, "shift-"),
        ] {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        match (self.code, NAMED.iter().find(|(_, code)| *code == self.code)) {
            (_, Some((name, _))) => f.write_str(name),
            (KeyCode::Char(c), None) => write!(f, "{c}"),
            (KeyCode::F(number), None) => write!(f, "f{number}"),
            (other, None) => write!(f, "{other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::hostile;

    #[rstest]
    #[case::letter("d")]
    #[case::capital("G")]
    #[case::control("ctrl-d")]
    #[case::dash("-")]
    #[case::control_dash("ctrl--")]
    #[case::back_tab("shift-tab")]
    #[case::space("space")]
    #[case::function("f5")]
    #[case::page("pgdn")]
    #[case::two("ctrl-alt-x")]
    fn keys_are_written_as_they_are_read(#[case] text: &str) {
        assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
    }

    #[rstest]
    #[case::nothing("")]
    #[case::unknown("hyper-x")]
    #[case::word("entre")]
    #[case::far_function("f99")]
    fn what_is_no_key_is_refused(#[case] text: &str) {
        assert!(text.parse::<Key>().is_err());
    }

    #[rstest]
    #[case::shifted_letter(KeyCode::Char('G'), KeyModifiers::SHIFT, "G")]
    #[case::letter_of_an_enhanced_terminal(KeyCode::Char('g'), KeyModifiers::SHIFT, "G")]
    #[case::back_tab(KeyCode::BackTab, KeyModifiers::SHIFT, "shift-tab")]
    #[case::back_tab_without_shift(KeyCode::BackTab, KeyModifiers::NONE, "shift-tab")]
    #[case::control_and_shift(KeyCode::Char('D'), KeyModifiers::CONTROL, "ctrl-d")]
    #[case::space(KeyCode::Char(' '), KeyModifiers::NONE, "space")]
    fn what_terminals_send_is_one_key(
        #[case] code: KeyCode,
        #[case] modifiers: KeyModifiers,
        #[case] key: &str,
    ) {
        assert_eq!(
            Key::from(KeyEvent::new(code, modifiers)),
            key.parse().unwrap()
        );
    }

    proptest! {
        #[test]
        fn hostile_names_of_keys_are_read_or_refused(text in hostile::text(&["ctrl-alt-x", "shift-tab", "f12", "ctrl--"])) {
            if let Ok(key) = text.parse::<Key>() {
                prop_assert_eq!(key.to_string().parse::<Key>(), Ok(key));
            }
        }
    }
}
