//! Text for the terminal's clipboard (OSC 52), also through tmux. Writes only; never asks for what is there.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;

use crate::api::text::visible;

/// Encoded bytes; some terminals ignore or truncate more.
const MOST: usize = 8 * 1024;

/// The control sequence that copies the text, made safe to paste into a shell; none if the text is too long.
pub fn sequence(text: &str, in_tmux: bool) -> Option<String> {
    let safe = visible(text);
    if STANDARD.encode(safe.as_bytes()).len() > MOST {
        return None;
    }
    let mut sequence = String::new();
    CopyToClipboard::to_clipboard_from(safe.as_bytes()).write_ansi(&mut sequence).ok()?;
    if in_tmux {
        // tmux hands the sequence on to the terminal around it when asked to pass it through.
        sequence = format!("\u{1b}Ptmux;{}\u{1b}\\", sequence.replace('\u{1b}', "\u{1b}\u{1b}"));
    }
    Some(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_copied_through_the_terminal() {
        assert_eq!(sequence("/a b", false).unwrap(), "\u{1b}]52;c;L2EgYg==\u{1b}\\");
    }

    #[test]
    fn tmux_is_asked_to_pass_it_on() {
        assert_eq!(sequence("/a b", true).unwrap(), "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;L2EgYg==\u{1b}\u{1b}\\\u{1b}\\");
    }

    #[test]
    fn a_line_break_is_copied_as_an_escape() {
        let encoded = STANDARD.encode("a\\u{a}b");
        assert_eq!(sequence("a\nb", false).unwrap(), format!("\u{1b}]52;c;{encoded}\u{1b}\\"));
    }

    #[test]
    fn too_long_a_text_is_not_copied() {
        assert!(sequence(&"x".repeat(6 * 1024), false).is_some());
        assert!(sequence(&"x".repeat(6 * 1024 + 1), false).is_none());
    }
}
