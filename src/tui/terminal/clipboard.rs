//! Copies text to the terminal's clipboard (OSC 52), also in and through tmux. Never reads the
//! clipboard.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;

use serde::Serialize;

use super::probe::through_tmux;
use crate::api::text::is_unsafe;

/// The most encoded bytes; some terminals ignore or truncate longer texts.
const MOST: usize = 8 * 1024;

/// A value as one line of JSON without characters that act on a terminal.
pub fn json(value: &impl Serialize) -> Option<String> {
    let mut line = String::new();
    for c in serde_json::to_string(value).ok()?.chars() {
        if is_unsafe(c) {
            line.extend(
                c.encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}")),
            );
        } else {
            line.push(c);
        }
    }
    Some(line)
}

/// The control sequence that copies the text; `None` if the text is too long. Keeps line breaks and
/// tabs, which separate values: the caller makes each value safe. Nothing else is left that acts on
/// a terminal.
pub fn sequence(text: &str, in_tmux: bool) -> Option<String> {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) && !matches!(c, '\n' | '\t') {
            safe.extend(c.escape_unicode());
        } else {
            safe.push(c);
        }
    }
    if STANDARD.encode(safe.as_bytes()).len() > MOST {
        return None;
    }
    let mut sequence = String::new();
    CopyToClipboard::to_clipboard_from(safe.as_bytes())
        .write_ansi(&mut sequence)
        .ok()?;
    if in_tmux {
        // With `set-clipboard`, tmux itself takes the plain one; with `allow-passthrough`, it passes
        // the other on to the terminal around it.
        let wrapped = through_tmux(&sequence);
        sequence.push_str(&wrapped);
    }
    Some(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_copied_through_the_terminal() {
        assert_eq!(
            sequence("/a b", false).unwrap(),
            "\u{1b}]52;c;L2EgYg==\u{1b}\\"
        );
    }

    #[test]
    fn tmux_is_given_it_and_asked_to_pass_it_on() {
        assert_eq!(
            sequence("/a b", true).unwrap(),
            "\u{1b}]52;c;L2EgYg==\u{1b}\\\u{1b}Ptmux;\u{1b}\u{1b}]52;c;L2EgYg==\u{1b}\u{1b}\\\u{1b}\\"
        );
    }

    #[test]
    fn lines_and_columns_stay_and_controls_are_copied_as_escapes() {
        let encoded = STANDARD.encode("a\tb\\u{1b}\nc\\u{202e}");
        assert_eq!(
            sequence("a\tb\u{1b}\nc\u{202e}", false).unwrap(),
            format!("\u{1b}]52;c;{encoded}\u{1b}\\")
        );
    }

    #[test]
    fn json_stays_json_whatever_it_holds() {
        for name in ["a\nb", "\u{202e}gpj", "\u{e0001}", "\\u{1b}", "\u{7f}"] {
            let line = json(&name).unwrap();
            assert!(!line.contains(is_unsafe), "{line:?}");
            assert_eq!(serde_json::from_str::<String>(&line).unwrap(), name);
        }
    }

    #[test]
    fn too_long_a_text_is_not_copied() {
        assert!(sequence(&"x".repeat(6 * 1024), false).is_some());
        assert!(sequence(&"x".repeat(6 * 1024 + 1), false).is_none());
    }
}
