//! Keys typed before the input stream started, as the events that it would have given.

use std::iter::Peekable;
use std::str::Chars;

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};

const PASTE: &str = "\x1b[200~";
const PASTE_END: &str = "\x1b[201~";

/// The events of these bytes. A sequence that is not a key of filedeck gives none.
pub(super) fn inputs(bytes: &[u8]) -> Vec<Input> {
    let text = String::from_utf8_lossy(bytes);
    let mut inputs = Vec::new();
    let mut rest = &*text;
    while let Some((before, pasted)) = rest.split_once(PASTE) {
        push_keys(&mut inputs, before);
        let (pasted, after) = pasted.split_once(PASTE_END).unwrap_or((pasted, ""));
        inputs.push(Input::Paste(pasted.to_owned()));
        rest = after;
    }
    push_keys(&mut inputs, rest);
    inputs
}

fn push_keys(inputs: &mut Vec<Input>, text: &str) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let key = if c == '\x1b' {
            escaped(&mut chars)
        } else {
            Some(key(c))
        };
        inputs.extend(key.map(Input::Key));
    }
}

fn key(c: char) -> KeyEvent {
    match c {
        '\r' => KeyCode::Enter.into(),
        '\t' => KeyCode::Tab.into(),
        '\x7f' => KeyCode::Backspace.into(),
        '\0' => KeyEvent::new(KeyCode::Char(' '), KeyModifiers::CONTROL),
        '\x01'..='\x1a' => {
            let letter = char::from_u32(u32::from(c) - 1 + u32::from('a')).unwrap_or(c);
            KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
        }
        c => KeyCode::Char(c).into(),
    }
}

fn escaped(chars: &mut Peekable<Chars<'_>>) -> Option<KeyEvent> {
    match chars.peek().copied() {
        Some('[' | 'O') => {
            chars.next();
            let mut parameters = String::new();
            while let Some(c) = chars.next_if(|c| !('\x40'..='\x7e').contains(c)) {
                parameters.push(c);
            }
            of_sequence(&parameters, chars.next()?).map(KeyEvent::from)
        }
        Some('\x1b') | None => Some(KeyCode::Esc.into()),
        Some(c) => {
            chars.next();
            let key = key(c);
            Some(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT))
        }
    }
}

fn of_sequence(parameters: &str, end: char) -> Option<KeyCode> {
    Some(match (parameters, end) {
        ("", 'A') => KeyCode::Up,
        ("", 'B') => KeyCode::Down,
        ("", 'C') => KeyCode::Right,
        ("", 'D') => KeyCode::Left,
        ("", 'H') | ("1" | "7", '~') => KeyCode::Home,
        ("", 'F') | ("4" | "8", '~') => KeyCode::End,
        ("", 'P') => KeyCode::F(1),
        ("", 'Z') => KeyCode::BackTab,
        ("5", '~') => KeyCode::PageUp,
        ("6", '~') => KeyCode::PageDown,
        ("15", '~') => KeyCode::F(5),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keymap::Key;

    #[test]
    fn keys_come_out_as_they_were_pressed() {
        let keys = |bytes: &[u8]| -> Vec<Key> {
            let key = |input| match input {
                Input::Key(key) => Key::from(key),
                other => panic!("{other:?}"),
            };
            inputs(bytes).into_iter().map(key).collect()
        };
        let named = |names: &str| -> Vec<Key> {
            names.split(' ').map(|name| name.parse().unwrap()).collect()
        };
        assert_eq!(keys(b"jG/"), named("j G /"));
        assert_eq!(
            keys(b"\x1b[B\x1bOA\x1b[5~\x1b[15~\x1b[Z"),
            named("down up pgup f5 shift-tab")
        );
        assert_eq!(
            keys(b"\r\t\x7f\x03\x1b"),
            named("enter tab backspace ctrl-c esc")
        );
        assert_eq!(keys("é写".as_bytes()), [Key::char('é'), Key::char('写')]);
        assert_eq!(
            keys(b"\x1b[1;5Cj"),
            named("j"),
            "an unknown one is no letters"
        );
    }

    #[test]
    fn pasted_text_is_no_keys() {
        let inputs = inputs(b"u\x1b[200~d q\nq\x1b[201~\r");
        let key = |code: KeyCode| Input::Key(code.into());
        assert_eq!(
            inputs,
            [
                key(KeyCode::Char('u')),
                Input::Paste("d q\nq".to_owned()),
                key(KeyCode::Enter)
            ]
        );
    }
}
