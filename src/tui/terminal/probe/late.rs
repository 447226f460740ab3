//! Answers that arrive after the input stream has started, which takes them for keys, such as the
//! `d` in a color.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Drops keys that look like a late answer. An answer begins with Alt and a bracket, an underscore
/// or `P`, none of which is a key of filedeck.
#[derive(Debug)]
pub struct Late {
    /// The time until which answers may arrive.
    until: Option<Instant>,
    amid: Option<PartialAnswer>,
}

#[derive(Debug, Clone, Copy)]
struct PartialAnswer {
    is_color: bool,
    length: u16,
}

/// The time within which even a terminal far away answers.
const WITHIN: Duration = Duration::from_secs(10);
/// The most keys in an answer.
const MOST: u16 = 128;

impl Late {
    pub(super) fn new(is_due: bool) -> Self {
        Self {
            until: is_due.then(|| Instant::now() + WITHIN),
            amid: None,
        }
    }

    /// Returns `true` if the key is part of an answer.
    pub fn takes(&mut self, key: &KeyEvent) -> bool {
        if self
            .until
            .is_none_or(|until| self.amid.is_none() && until < Instant::now())
        {
            self.until = None;
            return false;
        }
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let before = self.amid.take();
        self.amid = match (key.code, before) {
            (KeyCode::Char(c @ (']' | '_' | 'P')), None) if alt => Some(PartialAnswer {
                is_color: c == ']',
                length: 0,
            }),
            (KeyCode::Char('\\'), Some(_)) if alt => return true,
            (KeyCode::Char('g'), Some(_)) if key.modifiers == KeyModifiers::CONTROL => return true,
            (KeyCode::Char(c), Some(PartialAnswer { is_color, length }))
                if length < MOST && is_part(c, *key, is_color) =>
            {
                Some(PartialAnswer {
                    is_color,
                    length: length + 1,
                })
            }
            _ => None,
        };
        self.amid.is_some()
    }
}

fn is_part(c: char, key: KeyEvent, is_color: bool) -> bool {
    let is_plain = (key.modifiers - KeyModifiers::SHIFT).is_empty() && c.is_ascii();
    is_plain && (!is_color || c.is_ascii_hexdigit() || "rgba:;/".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alt(c: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT)
    }

    /// The characters of the keys that are not dropped.
    fn left(late: &mut Late, keys: impl IntoIterator<Item = KeyEvent>) -> String {
        let left = keys.into_iter().filter(|key| !late.takes(key));
        left.filter_map(|key| key.code.as_char()).collect()
    }

    fn typed(text: &str) -> impl Iterator<Item = KeyEvent> {
        text.chars().map(|c| KeyCode::Char(c).into())
    }

    #[test]
    fn a_late_answer_presses_no_key() {
        let mut late = Late::new(true);
        let color = || typed("11;rgb:1e1e/dddd/2e2e");
        let answers = [alt(']')]
            .into_iter()
            .chain(color())
            .chain([alt('\\')])
            .chain(typed("j"));
        let more = [alt('_')]
            .into_iter()
            .chain(typed("Gi=31;OK"))
            .chain([alt('\\')])
            .chain(typed("k"));
        assert_eq!(left(&mut late, answers.chain(more)), "jk");
        let bell = KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL);
        assert_eq!(
            left(
                &mut late,
                [alt(']')]
                    .into_iter()
                    .chain(color())
                    .chain([bell])
                    .chain(typed("d"))
            ),
            "d"
        );
    }

    #[test]
    fn a_key_that_is_no_part_of_an_answer_is_pressed() {
        let mut late = Late::new(true);
        assert_eq!(
            left(&mut late, [alt(']')].into_iter().chain(typed("11;jd"))),
            "jd"
        );
        let endless = "x".repeat(500);
        assert_eq!(
            left(&mut late, [alt('P')].into_iter().chain(typed(&endless))).len(),
            500 - usize::from(MOST)
        );
    }

    #[test]
    fn nothing_is_taken_from_who_answered_in_time() {
        let mut late = Late::new(false);
        assert_eq!(
            left(&mut late, [alt(']')].into_iter().chain(typed("11"))),
            "]11"
        );
    }
}
