//! Separates a terminal's answers from keys typed meanwhile. Works byte by byte, so that no key is
//! lost.

use super::color::Rgb;

#[derive(Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an answer of its own"
)]
pub(super) struct Answers {
    pub(super) background: Option<Rgb>,
    pub(super) kitty: bool,
    pub(super) sixel: bool,
    /// Set if the terminal says that it takes copied text (OSC 52).
    pub(super) clipboard: bool,
    pub(super) cell: Option<(u16, u16)>,
    /// The name and version of the terminal.
    pub(super) name: String,
    /// Set once the last query was answered.
    pub(super) is_over: bool,
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    answers: Answers,
    /// An incomplete sequence.
    pending: Vec<u8>,
    typed: Vec<u8>,
}

const ESC: u8 = 0x1b;
const BEL: u8 = 7;

impl Reader {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_slice();
        while let Some((piece, after)) = piece(rest) {
            match piece {
                AnswerToken::Typed(bytes) => self.typed.extend_from_slice(bytes),
                AnswerToken::Answer(kind, body) => self.answers.record(kind, body),
            }
            rest = after;
        }
        self.pending = rest.to_vec();
    }

    pub(super) fn is_over(&self) -> bool {
        self.answers.is_over
    }

    /// Returns `true` if an answer has begun and is not complete.
    pub(super) fn is_amid(&self) -> bool {
        self.pending.len() > 1
    }

    /// The answers, and the bytes typed. An answer that was cut off is neither.
    pub(super) fn end(mut self) -> (Answers, Vec<u8>) {
        if !self.is_amid() {
            self.typed.append(&mut self.pending);
        }
        (self.answers, self.typed)
    }
}

/// The kind of a sequence, by the character after the escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Csi,
    Osc,
    Apc,
    Dcs,
}

enum AnswerToken<'a> {
    Typed(&'a [u8]),
    Answer(TokenKind, &'a str),
}

/// The first token and the rest; `None` if it is not complete.
fn piece(bytes: &[u8]) -> Option<(AnswerToken<'_>, &[u8])> {
    let typed = |length| {
        bytes
            .split_at_checked(length)
            .map(|(typed, after)| (AnswerToken::Typed(typed), after))
    };
    let kind = match bytes {
        [ESC, b'[', ..] => TokenKind::Csi,
        [ESC, b']', ..] => TokenKind::Osc,
        [ESC, b'_', ..] => TokenKind::Apc,
        [ESC, b'P', ..] => TokenKind::Dcs,
        [] | [ESC] => return None,
        _ => return typed(1),
    };
    let inner = bytes.get(2..)?;
    let (end, mark) = match kind {
        TokenKind::Csi => (
            inner.iter().position(|byte| (0x40..=0x7e).contains(byte))? + 1,
            0,
        ),
        _ => end_of_string(inner)?,
    };
    let (body, after) = inner.split_at_checked(end)?;
    match std::str::from_utf8(body) {
        Ok(body) if kind != TokenKind::Csi || is_answer(body) => Some((
            AnswerToken::Answer(kind, body),
            after.get(mark..).unwrap_or_default(),
        )),
        // A key, such as an arrow.
        _ => typed(2 + end + mark),
    }
}

/// The end of a string from the terminal, and the length of its terminator.
fn end_of_string(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = bytes.iter().position(|byte| matches!(*byte, BEL | ESC))?;
    match bytes.get(end..)? {
        [BEL, ..] => Some((end, 1)),
        [ESC, b'\\', ..] => Some((end, 2)),
        [ESC] => None,
        // Another sequence begins in the middle: this one was not an answer.
        _ => Some((end, 0)),
    }
}

fn is_answer(csi: &str) -> bool {
    csi == "0n"
        || (csi.starts_with('?') && csi.ends_with('c'))
        || (csi.starts_with("6;") && csi.ends_with('t'))
}

impl Answers {
    fn record(&mut self, kind: TokenKind, body: &str) {
        match kind {
            TokenKind::Csi => self.record_csi(body),
            TokenKind::Osc => {
                self.background = body.strip_prefix("11;").and_then(color).or(self.background);
            }
            TokenKind::Apc => self.kitty |= body == "Gi=31;OK",
            TokenKind::Dcs => {
                if let Some(name) = body.strip_prefix(">|") {
                    name.clone_into(&mut self.name);
                }
            }
        }
    }

    fn record_csi(&mut self, body: &str) {
        if body == "0n" {
            self.is_over = true;
        } else if let Some(attributes) = body
            .strip_prefix('?')
            .and_then(|body| body.strip_suffix('c'))
        {
            let has = |known: &str| attributes.split(';').skip(1).any(|it| it == known);
            (self.sixel, self.clipboard) = (has("4"), has("52"));
        } else if let Some(size) = body
            .strip_prefix("6;")
            .and_then(|body| body.strip_suffix('t'))
        {
            let size = size
                .split_once(';')
                .and_then(|(height, width)| Some((width.parse().ok()?, height.parse().ok()?)));
            self.cell = size.filter(|(width, height)| *width > 0 && *height > 0);
        }
    }
}

/// Parses `rgb:1e1e/1e1e/2e2e`, with one to four digits each.
fn color(text: &str) -> Option<Rgb> {
    let (_, channels) = text
        .split_once(':')
        .filter(|(model, _)| matches!(*model, "rgb" | "rgba"))?;
    let mut channels = channels.split('/').map(|digits| {
        let most = 16_u32
            .checked_pow(u32::try_from(digits.len()).ok()?)?
            .checked_sub(1)
            .filter(|most| *most > 0)?;
        let value = u32::from_str_radix(digits, 16)
            .ok()
            .filter(|_| digits.len() <= 4)?;
        u8::try_from(value * 255 / most).ok()
    });
    Some(Rgb(channels.next()??, channels.next()??, channels.next()??))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const KITTY: &[u8] = b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.36.4)\x1b\\\x1b[6;20;10t\
                           \x1b[?62;c\x1b[0n";

    fn read(bytes: &[u8], at_once: usize) -> (Answers, Vec<u8>) {
        let mut reader = Reader::default();
        bytes.chunks(at_once).for_each(|chunk| reader.read(chunk));
        reader.end()
    }

    #[rstest]
    fn answers_are_read_however_they_are_cut(#[values(1, 2, 3, 7, 1000)] at_once: usize) {
        let (answers, typed) = read(KITTY, at_once);
        let expected = Answers {
            background: Some(Rgb(0x1e, 0x1e, 0x2e)),
            kitty: true,
            sixel: false,
            clipboard: false,
            cell: Some((10, 20)),
            name: "kitty(0.36.4)".to_owned(),
            is_over: true,
        };
        assert_eq!(answers, expected);
        assert!(typed.is_empty(), "{typed:?}");
    }

    #[rstest]
    fn keys_among_answers_are_kept_in_order(#[values(1, 2, 5, 1000)] at_once: usize) {
        let mixed = [b"j\x1b[B".as_slice(), KITTY, b"/\xc3\xa9\x1bOP\x1b"].concat();
        let (answers, typed) = read(&mixed, at_once);
        assert!(answers.is_over && answers.kitty);
        assert_eq!(typed, b"j\x1b[B/\xc3\xa9\x1bOP\x1b");
    }

    #[rstest]
    #[case::sixel(b"\x1b[?62;4;22c".as_slice(), Answers { sixel: true, ..Answers::default() })]
    #[case::a_class_is_no_attribute(b"\x1b[?4;6c", Answers::default())]
    #[case::a_clipboard(b"\x1b[?62;22;52c", Answers { clipboard: true, ..Answers::default() })]
    #[case::refused(b"\x1b_Gi=31;EINVAL:no\x1b\\", Answers::default())]
    #[case::ended_by_a_bell(b"\x1b]11;rgb:f/8/0\x07", Answers { background: Some(Rgb(255, 136, 0)), ..Answers::default() })]
    #[case::alpha(b"\x1b]11;rgba:ffff/0000/0000/ffff\x07", Answers { background: Some(Rgb(255, 0, 0)), ..Answers::default() })]
    #[case::no_color(b"\x1b]11;rgb:xyz/0/0\x07", Answers::default())]
    #[case::a_color_too_long(b"\x1b]11;rgb:123456789/0/0\x07", Answers::default())]
    #[case::no_size(b"\x1b[6;0;0t", Answers::default())]
    #[case::cut_off(b"\x1b]11;rgb:1e1e/1e", Answers::default())]
    #[case::broken_off(b"\x1b]11;rgb:1e1e\x1b[0n", Answers { is_over: true, ..Answers::default() })]
    fn every_terminal_answers_in_its_own_way(#[case] bytes: &[u8], #[case] expected: Answers) {
        let (answers, typed) = read(bytes, 1000);
        assert_eq!(answers, expected);
        assert!(typed.is_empty(), "{typed:?}");
    }
}
