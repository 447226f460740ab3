//! A text field: the usual readline keys over `tui_input`. Knows nothing of where it is.

use crossterm::event::{KeyCode, KeyModifiers};
use tui_input::{Input, InputRequest};

use crate::tui::keymap::Key;

/// The content, the cursor and the cut buffer.
#[derive(Debug, Clone, Default)]
pub struct TextField(Input);

impl TextField {
    pub fn new(text: impl Into<String>) -> Self {
        Self(Input::new(text.into()))
    }

    pub fn text(&self) -> &str {
        self.0.value()
    }

    pub fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// The number of cells before the cursor.
    pub fn cursor_cells(&self) -> usize {
        self.0.visual_cursor()
    }

    /// The number of cells to skip at the left so that the cursor is within `width`.
    pub fn scroll(&self, width: usize) -> usize {
        self.0.visual_scroll(width)
    }

    /// The cursor's position in bytes.
    pub fn cursor(&self) -> usize {
        self.text()
            .char_indices()
            .nth(self.0.cursor())
            .map_or(self.text().len(), |(at, _)| at)
    }

    /// Replaces a range of bytes; the cursor goes after the new text.
    pub fn replace(&mut self, part: std::ops::Range<usize>, with: &str) {
        let (Some(before), Some(after)) =
            (self.text().get(..part.start), self.text().get(part.end..))
        else {
            return;
        };
        let cursor = before.chars().count() + with.chars().count();
        self.0 = Input::new(format!("{before}{with}{after}")).with_cursor(cursor);
    }

    /// Replaces the text; the cursor goes to its end.
    pub fn set(&mut self, text: impl Into<String>) {
        self.0 = Input::new(text.into());
    }

    /// Inserts text at the cursor; line breaks become spaces, other control characters are dropped.
    pub fn insert(&mut self, text: &str) {
        for c in text.trim_end_matches(['\r', '\n']).chars() {
            let c = if matches!(c, '\n' | '\t') { ' ' } else { c };
            if !c.is_control() {
                self.0.handle(InputRequest::InsertChar(c));
            }
        }
    }

    /// Handles a key that types or edits; returns `true` if it had an effect.
    pub fn on(&mut self, key: Key) -> bool {
        let Some(request) = edit(key) else {
            return false;
        };
        self.0.handle(request);
        true
    }
}

fn edit(key: Key) -> Option<InputRequest> {
    const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    Some(match (key.code, key.modifiers) {
        (KeyCode::Char(c), KeyModifiers::NONE) if !c.is_control() => InputRequest::InsertChar(c),
        (KeyCode::Left, KeyModifiers::NONE) | (KeyCode::Char('b'), CONTROL) => {
            InputRequest::GoToPrevChar
        }
        (KeyCode::Right, KeyModifiers::NONE) | (KeyCode::Char('f'), CONTROL) => {
            InputRequest::GoToNextChar
        }
        (KeyCode::Left, CONTROL | ALT) | (KeyCode::Char('b'), ALT) => InputRequest::GoToPrevWord,
        (KeyCode::Right, CONTROL | ALT) | (KeyCode::Char('f'), ALT) => InputRequest::GoToNextWord,
        (KeyCode::Home, KeyModifiers::NONE) | (KeyCode::Char('a'), CONTROL) => {
            InputRequest::GoToStart
        }
        (KeyCode::End, KeyModifiers::NONE) | (KeyCode::Char('e'), CONTROL) => InputRequest::GoToEnd,
        (KeyCode::Backspace, KeyModifiers::NONE) | (KeyCode::Char('h'), CONTROL) => {
            InputRequest::DeletePrevChar
        }
        (KeyCode::Delete, KeyModifiers::NONE) | (KeyCode::Char('d'), CONTROL) => {
            InputRequest::DeleteNextChar
        }
        (KeyCode::Backspace, CONTROL | ALT) | (KeyCode::Char('w'), CONTROL) => {
            InputRequest::DeletePrevWord
        }
        (KeyCode::Delete, CONTROL | ALT) | (KeyCode::Char('d'), ALT) => {
            InputRequest::DeleteNextWord
        }
        (KeyCode::Char('u'), CONTROL) => InputRequest::DeleteFromStart,
        (KeyCode::Char('k'), CONTROL) => InputRequest::DeleteTillEnd,
        (KeyCode::Char('y'), CONTROL) => InputRequest::Yank,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> TextField {
        let mut field = TextField::default();
        for name in keys.split_whitespace() {
            assert!(field.on(name.parse().unwrap()), "{name}");
        }
        field
    }

    #[test]
    fn readline_keys_move_and_cut() {
        assert_eq!(typed("a b space c d ctrl-w x").text(), "ab x");
        assert_eq!(typed("a b c ctrl-a ctrl-k").text(), "");
        assert_eq!(typed("a b c left ctrl-u").text(), "c");
        assert_eq!(typed("a b c ctrl-u ctrl-y").text(), "abc");
        assert_eq!(typed("a b c ctrl-a ctrl-d alt-f X").text(), "bcX");
    }

    #[test]
    fn pasted_lines_become_one_line() {
        let mut field = TextField::new("a");
        field.insert("b\nc\u{1b}[2J\r\n");
        assert_eq!(field.text(), "ab c[2J");
    }
}
