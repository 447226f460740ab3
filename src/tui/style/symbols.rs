//! The characters that are used as symbols. Views draw those of Unicode; a terminal that lacks them, or has more, gets
//! the same frame with each of them replaced. Every one is a cell wide in every set.

use ratatui::buffer::Buffer;

/// Left of the row under the cursor.
pub const CURSOR: &str = "▐";
pub const MARKED: &str = "●";
pub const CLOSED: &str = "▸";
pub const OPENED: &str = "▾";
/// The way down to a folder inside an opened one.
pub const GUIDE: &str = "│";
pub const CRUMB: &str = "›";
pub const PICTURE: &str = "▣";
pub const DOCUMENT: &str = "≡";
pub const FILM: &str = "▶";
pub const SOUND: &str = "♪";
pub const ARCHIVE: &str = "⊞";
pub const OTHER: &str = "▫";
pub const UP: &str = "↑";
pub const DOWN: &str = "↓";
pub const IMPORT: &str = "⇣";
pub const MOVE: &str = "→";
pub const FROM: &str = "←";
pub const CHANGE: &str = "✎";
pub const MAKE: &str = "+";
pub const DELETE: &str = "⊘";
pub const DONE: &str = "✓";
pub const FAILED: &str = "✗";
pub const SKIPPED: &str = "−";
pub const CANCELED: &str = "⊖";
pub const DANGER: &str = "▲";
pub const CAUTION: &str = "△";
pub const HELD: &str = "‖";
pub const WAITS: &str = "…";
pub const DIFFERS: &str = "≠";
pub const SAME: &str = "=";
pub const CHOSEN: &str = "◉";
pub const NOT_CHOSEN: &str = "○";
pub const DOT: &str = "●";
pub const BETWEEN: &str = "·";
pub const TIMES: &str = "×";
pub const SPACE: &str = "␣";
pub const ELLIPSIS: &str = "…";
/// The part of a scrollbar that is seen.
pub const THUMB: &str = "┃";
/// The same without colors, where the lines of a box are as heavy.
pub const MONO_THUMB: &str = "▓";
/// A quarter circle that turns.
pub const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// Two names, the second of which the first leads to: with a word for the arrow where it is read aloud.
pub fn towards(from: &str, to: &str, is_spoken: bool) -> String {
    let arrow = if is_spoken { "to" } else { MOVE };
    format!("{from} {arrow} {to}")
}

/// Which characters a terminal gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    #[default]
    Unicode,
    /// For terminals without UTF-8.
    Ascii,
    /// For screen readers: ASCII, and of that only what says something. No lines, no bars, nothing that turns.
    Plain,
    /// For fonts with the glyphs of Nerd Fonts.
    Nerd,
}

/// What replaces each of ours: in ASCII, and in Nerd Fonts where these have something better.
const REPLACED: [(&str, &str, Option<&str>); 72] = [
    (CURSOR, ">", None),
    (MARKED, "*", None),
    (CLOSED, ">", None),
    (OPENED, "v", None),
    (GUIDE, "|", None),
    (CRUMB, ">", None),
    (PICTURE, "i", Some("\u{f03e}")),
    (DOCUMENT, "=", Some("\u{f0f6}")),
    (FILM, "m", Some("\u{f008}")),
    (SOUND, "s", Some("\u{f001}")),
    (ARCHIVE, "z", Some("\u{f1c6}")),
    (OTHER, ".", Some("\u{f016}")),
    (UP, "^", None),
    (DOWN, "v", None),
    (IMPORT, "v", Some("\u{f019}")),
    (MOVE, ">", None),
    (FROM, "<", None),
    (CHANGE, "~", Some("\u{f040}")),
    (DELETE, "-", None),
    (DONE, "+", None),
    (FAILED, "x", None),
    (SKIPPED, "-", None),
    (CANCELED, "/", None),
    (DANGER, "!", Some("\u{f071}")),
    (HELD, "=", Some("\u{f04c}")),
    (ELLIPSIS, "~", None),
    (DIFFERS, "!", None),
    (CHOSEN, "@", None),
    (NOT_CHOSEN, "o", None),
    (BETWEEN, "-", None),
    (TIMES, "x", None),
    (SPACE, "_", None),
    (THUMB, "#", None),
    (MONO_THUMB, "%", None),
    ("◐", "|", None),
    ("◓", "/", None),
    ("◑", "-", None),
    ("◒", "\\", None),
    ("╭", "+", None),
    ("╮", "+", None),
    ("╰", "+", None),
    ("╯", "+", None),
    ("─", "-", None),
    ("┏", "#", None),
    ("┓", "#", None),
    ("┗", "#", None),
    ("┛", "#", None),
    ("├", "+", None),
    ("┤", "+", None),
    (CAUTION, "!", None),
    // Gauges and sparklines.
    ("━", "=", None),
    ("░", "-", None),
    ("█", "#", None),
    ("▉", "#", None),
    ("▊", "#", None),
    ("▋", "#", None),
    ("▌", "#", None),
    ("▍", "-", None),
    ("▎", "-", None),
    ("▏", "-", None),
    ("▁", "_", None),
    ("▂", "_", None),
    ("▃", ".", None),
    ("▄", "-", None),
    ("▅", "=", None),
    ("▆", "#", None),
    ("▇", "#", None),
    ("▀", "'", None),
    ("‹", "<", None),
    ("–", "-", None),
    ("’", "'", None),
    ("↔", "-", None),
];

/// What a screen reader would read out to no use.
const SILENT: &str = "▐│─╭╮╰╯┏┓┗┛├┤━┃▓░█▉▊▋▌▍▎▏▁▂▃▄▅▆▇▀▣≡▶♪⊞▫✓○";
/// What else is not as in ASCII: one sign for all that turns, and the usual ones for what is closed and open.
const SPOKEN: [(&str, &str); 7] =
    [("◐", "~"), ("◓", "~"), ("◑", "~"), ("◒", "~"), (CLOSED, "+"), (OPENED, "-"), (CHOSEN, "*")];

impl Symbols {
    /// Replaces what was drawn with the Unicode set.
    pub fn translate(self, buf: &mut Buffer) {
        if self == Self::Unicode {
            return;
        }
        let mut next = "";
        for cell in buf.content.iter_mut().rev() {
            let before_slash = next == "/";
            next = if cell.symbol() == "/" { "/" } else { "" };
            if cell.symbol().is_ascii() {
                continue;
            }
            // `~/` would be the home folder.
            if cell.symbol() == ELLIPSIS && before_slash && self != Self::Nerd {
                cell.set_symbol("*");
            } else if let Some(replaced) = self.replacing(cell.symbol()) {
                cell.set_symbol(replaced);
            }
        }
    }

    /// What replaces one of ours, if anything does.
    fn replacing(self, symbol: &str) -> Option<&'static str> {
        let spoken = || SPOKEN.into_iter().find(|(unicode, _)| *unicode == symbol).map(|(_, spoken)| spoken);
        let replaced = || REPLACED.into_iter().find(|(unicode, ..)| *unicode == symbol);
        match self {
            Self::Unicode => None,
            Self::Ascii => replaced().map(|(_, ascii, _)| ascii),
            Self::Nerd => replaced().and_then(|(_, _, nerd)| nerd),
            Self::Plain if SILENT.contains(symbol) => Some(" "),
            Self::Plain => spoken().or_else(|| Self::Ascii.replacing(symbol)),
        }
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn every_symbol_takes_one_cell_in_every_set() {
        for (unicode, ascii, nerd) in REPLACED {
            assert_eq!((unicode.width(), ascii.width()), (1, 1), "{unicode}");
            assert!(ascii.is_ascii(), "{ascii}");
            assert!(nerd.is_none_or(|nerd| nerd.width() == 1), "{unicode}");
        }
    }

    #[test]
    fn no_symbol_stands_twice() {
        let mut known: Vec<&str> = REPLACED.iter().map(|(unicode, ..)| *unicode).collect();
        known.sort_unstable();
        let all = known.len();
        known.dedup();
        // The mark and the dot are one disc.
        assert_eq!(known.len(), all);
    }
}
