//! The characters used as symbols. Views draw the Unicode ones; for a terminal that has fewer or
//! more, each is replaced in the finished frame. Every symbol is one cell wide in every set.

use ratatui::buffer::{Buffer, Cell};
use unicode_width::UnicodeWidthStr as _;

pub const CURSOR: &str = "▐";
/// A sample of a color.
pub const SWATCH: &str = "■";
pub const MARKED: &str = "●";
pub const CLOSED: &str = "▸";
pub const OPENED: &str = "▾";
/// The line down to a folder inside an open one.
pub const GUIDE: &str = "│";
pub const CRUMB: &str = "›";
pub const PICTURE: &str = "▨";
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
/// The thumb of a scrollbar.
pub const THUMB: &str = "┃";
/// The thumb without colors, where box lines are as heavy as `THUMB`.
pub const MONO_THUMB: &str = "▓";
/// A quarter circle that turns.
pub const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// Two names, the first leading to the second; for screen readers, with a word for the arrow.
pub fn towards(from: &str, to: &str, is_spoken: bool) -> String {
    let arrow = if is_spoken { "to" } else { MOVE };
    format!("{from} {arrow} {to}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    #[default]
    Unicode,
    /// ASCII, for terminals without UTF-8.
    Ascii,
    /// ASCII for screen readers, with only symbols that say something: no lines, no bars, no
    /// spinner.
    Plain,
    /// The glyphs of Nerd Fonts.
    Nerd,
}

/// Each ASCII character, with the symbols that it replaces.
const ASCII: [(&str, &str); 25] = [
    (">", "▐▸›→"),
    ("*", "●"),
    ("#", "■┃┏┓┗┛█▉▊▋▌▆▇▚▛▜▙"),
    ("v", "▾↓⇣"),
    ("|", "│◐"),
    ("i", "▨"),
    ("=", "≡‖━╸▅"),
    ("m", "▶"),
    ("s", "♪"),
    ("z", "⊞"),
    (".", "▫▃"),
    ("^", "↑"),
    ("<", "←‹"),
    ("~", "✎…"),
    ("-", "⊘−·◑─╌░▍▎▏▄–↔"),
    ("+", "✓╭╮╰╯├┤┼"),
    ("x", "✗×"),
    ("/", "⊖◓"),
    ("!", "▲≠△"),
    ("@", "◉"),
    ("o", "○"),
    ("_", "␣▁▂"),
    ("%", "▓"),
    ("\\", "◒"),
    ("'", "▀▘’"),
];

/// The better characters of Nerd Fonts.
const NERD: [(&str, &str); 10] = [
    ("\u{f03e}", PICTURE),
    ("\u{f0f6}", DOCUMENT),
    ("\u{f008}", FILM),
    ("\u{f001}", SOUND),
    ("\u{f1c6}", ARCHIVE),
    ("\u{f016}", OTHER),
    ("\u{f019}", IMPORT),
    ("\u{f040}", CHANGE),
    ("\u{f071}", DANGER),
    ("\u{f04c}", HELD),
];

/// Symbols that would only be noise in a screen reader.
const SILENT: &str = "▐│─╌┼╭╮╰╯┏┓┗┛├┤━╸┃▓░█▉▊▋▌▍▎▏▁▂▃▄▅▆▇▀▨≡▶♪⊞▫✓○";
/// Further differences from ASCII for screen readers: one sign for the spinner, and the usual ones
/// for closed and open.
const SPOKEN: [(&str, &str); 4] = [("~", "◐◓◑◒"), ("+", CLOSED), ("-", OPENED), ("*", CHOSEN)];

/// Writes three dots for each ellipsis: over blanks if there are enough, else over the text before
/// it.
fn spell_ellipses(buf: &mut Buffer) {
    let columns = usize::from(buf.area.width);
    for row in buf.content.chunks_mut(columns.max(1)) {
        for at in 0..row.len() {
            if row.get(at).is_some_and(|cell| cell.symbol() == ELLIPSIS) {
                let first = if make_room(row, at) {
                    at
                } else {
                    first_dot(row, at)
                };
                // Half of a wide character would remain before the dots.
                if let Some(before) = first.checked_sub(1).and_then(|before| row.get_mut(before))
                    && before.symbol().width() > 1
                {
                    before.set_symbol(" ");
                }
                row.iter_mut()
                    .skip(first)
                    .take(3)
                    .for_each(|cell| _ = cell.set_symbol("."));
            }
        }
    }
}

/// Returns `true` for a blank cell; the second half of a wide character is blank only in the
/// buffer.
fn is_blank(row: &[Cell], at: usize) -> bool {
    let is_half = at
        .checked_sub(1)
        .and_then(|at| row.get(at))
        .is_some_and(|it| it.symbol().width() > 1);
    row.get(at).is_some_and(|cell| cell.symbol() == " ") && !is_half
}

/// Moves the text after an ellipsis at the start of a column by two cells, if that leaves two
/// blanks before the next column.
fn make_room(row: &mut [Cell], at: usize) -> bool {
    let is_start = at >= 2 && is_blank(row, at - 1) && is_blank(row, at - 2);
    let end = (at + 1..row.len()).find(|end| is_blank(row, *end) && is_blank(row, end + 1));
    match end {
        Some(end) if is_start && end > at + 1 && (end..end + 4).all(|at| is_blank(row, at)) => {
            (at + 1..end).rev().for_each(|at| row.swap(at, at + 2));
            true
        }
        _ => false,
    }
}

/// The position of the first of an ellipsis's three dots.
fn first_dot(row: &[Cell], at: usize) -> usize {
    let is_blank = |at: usize| is_blank(row, at);
    let are_blank = |from: Option<usize>, count: usize| {
        from.is_some_and(|from| (from..from + count).all(is_blank))
    };
    match () {
        // `a long name…`
        () if at >= 2 && !is_blank(at - 1) => at - 2,
        // `reading …`
        () if are_blank(Some(at + 1), 2) => at,
        // `reading … · now`, and `a long … 9 B`: the next column is never overwritten.
        () if are_blank(Some(at + 1), 1) => match row.get(at + 2) {
            Some(next) if next.symbol() == BETWEEN => at,
            _ => at.saturating_sub(2),
        },
        // `…/q3-launch`, with a blank before it.
        () if are_blank(at.checked_sub(3), 3) => at - 2,
        () if are_blank(at.checked_sub(2), 2) => at - 1,
        () => at,
    }
}

impl Symbols {
    /// Replaces the Unicode symbols in a drawn frame.
    pub fn translate(self, buf: &mut Buffer) {
        if self == Self::Unicode {
            return;
        }
        if self == Self::Plain {
            spell_ellipses(buf);
        }
        let mut next = "";
        for cell in buf.content.iter_mut().rev() {
            let before_slash = next == "/";
            next = if cell.symbol() == "/" { "/" } else { "" };
            if cell.symbol().is_ascii() {
                continue;
            }
            // `~/` would mean the home folder.
            if cell.symbol() == ELLIPSIS && before_slash && self == Self::Ascii {
                cell.set_symbol("*");
            } else if let Some(replaced) = self.replacing(cell.symbol()) {
                cell.set_symbol(replaced);
            }
        }
    }

    fn replacing(self, symbol: &str) -> Option<&'static str> {
        let find = |table: &[(&'static str, &str)]| {
            let row = table.iter().find(|(_, symbols)| symbols.contains(symbol));
            row.map(|(replaced, _)| *replaced)
        };
        match self {
            Self::Unicode => None,
            Self::Ascii => find(&ASCII),
            Self::Nerd => find(&NERD),
            Self::Plain if SILENT.contains(symbol) => Some(" "),
            Self::Plain => find(&SPOKEN).or_else(|| find(&ASCII)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn every_symbol_takes_one_cell_in_every_set() {
        for (ascii, symbols) in ASCII {
            assert!(ascii.is_ascii() && ascii.width() == 1, "{ascii}");
            for unicode in symbols.chars() {
                assert_eq!(unicode.to_string().width(), 1, "{unicode}");
            }
        }
        for (nerd, unicode) in NERD {
            assert_eq!((nerd.width(), unicode.width()), (1, 1), "{unicode}");
        }
    }

    #[rstest]
    #[case::end("a long name…  9 B", "a long na...  9 B")]
    #[case::middle("contract…t 3).pdf", "contra...t 3).pdf")]
    #[case::alone("reading …   ", "reading ... ")]
    #[case::start("   …/q3-launch", " .../q3-launch")]
    #[case::start_with_room_behind("   …/q3-launch     9 B", "   .../q3-launch   9 B")]
    #[case::start_without_room_behind("   …/q3-launch   9 B", " .../q3-launch   9 B")]
    #[case::start_behind_a_column("a  …/q3-launch", "a ...q3-launch")]
    #[case::in_a_sentence("reading … · now", "reading ... now")]
    #[case::before_a_column("The budget … 0 of 2", "The budge... 0 of 2")]
    #[case::wide_characters("写真…", "写...")]
    #[case::half_of_a_wide_character("写a…", " ...")]
    fn read_aloud_an_ellipsis_is_three_dots(#[case] drawn: &str, #[case] expected: &str) {
        let mut buf = Buffer::with_lines([drawn]);
        Symbols::Plain.translate(&mut buf);
        let mut cells = buf.content().iter();
        let mut shown = String::new();
        while let Some(cell) = cells.next() {
            shown += cell.symbol();
            (1..cell.symbol().width()).for_each(|_| _ = cells.next());
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn no_symbol_stands_twice() {
        let symbols = ASCII.iter().flat_map(|(_, symbols)| symbols.chars());
        let mut known: Vec<char> = symbols.collect();
        known.sort_unstable();
        let all = known.len();
        known.dedup();
        // The mark and the dot are the same character.
        assert_eq!(known.len(), all);
    }
}
