//! The beginning of a file as lines: decoded, with tabs expanded.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use super::json;

const MOST_LINES: usize = 3_000;
/// The most characters of a line.
pub(super) const LONGEST: usize = 1_000;
const TAB: usize = 4;

/// Decodes the bytes; `None` if they are not text. Where the bytes are cut, an incomplete last
/// character is dropped.
pub(super) fn decode(bytes: &[u8], is_cut: bool) -> Option<String> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Some(decoded(encoding, bytes.get(mark..)?, is_cut));
    }
    if bytes.contains(&0) {
        return None;
    }
    let is_utf8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => is_cut && error.error_len().is_none(),
    };
    let text = if is_utf8 {
        decoded(UTF_8, bytes, is_cut)
    } else {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, !is_cut);
        decoded(detector.guess(None, Utf8Detection::Deny), bytes, is_cut)
    };
    let odd = text
        .chars()
        .filter(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\x0c' | '\x1b'))
        .count();
    // Text has next to none; binary data read as text has many.
    (odd * 50 <= text.chars().count()).then_some(text)
}

fn decoded(encoding: &'static Encoding, bytes: &[u8], is_cut: bool) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let _ = decoder.decode_to_string(bytes, &mut text, !is_cut);
    text
}

/// Returns the first lines of a text, and `true` if there are more. JSON is indented.
pub(super) fn first_lines(text: &str, extension: &str) -> (Vec<String>, bool) {
    let indented = is_one_of(extension, &["json", "geojson", "webmanifest"])
        .then(|| json::indent(text, MOST_LINES));
    let mut rest = lines(indented.as_deref().unwrap_or(text), is_prose(extension));
    let first = rest.by_ref().take(MOST_LINES).collect();
    (first, rest.next().is_some())
}

/// Returns `true` if files with this extension hold text written for people.
pub(super) fn is_prose(extension: &str) -> bool {
    is_one_of(extension, &["", "txt", "md", "markdown", "rst", "log"])
}

fn is_one_of(extension: &str, known: &[&str]) -> bool {
    known
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension))
}

/// Splits the text into lines. Long lines are broken in prose, and cut otherwise.
fn lines(text: &str, is_prose: bool) -> impl Iterator<Item = String> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
        .flat_map(move |text| {
            if is_prose { broken(text) } else { vec![text] }
                .into_iter()
                .map(line)
        })
}

/// Breaks the text into pieces of at most `LONGEST` characters, at spaces where there are any.
fn broken(mut text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    while let Some((most, _)) = text.char_indices().nth(LONGEST) {
        let (fitting, _) = text.split_at(most);
        let end = fitting.rfind(' ').map_or(most, |space| space + 1);
        let (piece, rest) = text.split_at(end);
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut length = 0;
    for c in text.chars() {
        if length >= LONGEST {
            line.push('…');
            break;
        }
        if c == '\t' {
            let spaces = TAB - length % TAB;
            line.extend(std::iter::repeat_n(' ', spaces));
            length += spaces;
        } else {
            line.push(c);
            length += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::utf8("naïve – 写真".as_bytes(), false, Some("naïve – 写真"))]
    #[case::utf8_with_a_mark(b"\xef\xbb\xbfhello", false, Some("hello"))]
    #[case::utf16_le(b"\xff\xfeh\0\xe9\0", false, Some("hé"))]
    #[case::utf16_be(b"\xfe\xff\0h\0\xe9", false, Some("hé"))]
    #[case::cut_in_a_character(b"caf\xc3", true, Some("caf"))]
    #[case::an_older_encoding(
        b"Gr\xf6\xdfe und \xdcbermut, sch\xf6n gew\xe4hlt",
        false,
        Some("Größe und Übermut, schön gewählt")
    )]
    #[case::zero_bytes(b"MZ\0\0\0\x01", false, None)]
    #[case::not_letters(b"\x01\x02\x03\x04\x05\x06\x07\x08abc", false, None)]
    #[case::nothing(b"", false, Some(""))]
    fn bytes_are_read_as_what_they_are(
        #[case] bytes: &[u8],
        #[case] is_cut: bool,
        #[case] expected: Option<&str>,
    ) {
        assert_eq!(decode(bytes, is_cut).as_deref(), expected);
    }

    #[test]
    fn lines_end_as_on_any_system_and_tabs_are_spread_out() {
        let read: Vec<String> = lines("a\tb\r\n\tc\rd\n", true).collect();
        assert_eq!(read, ["a   b", "    c", "d"]);
    }

    #[test]
    fn a_long_paragraph_is_whole_in_prose() {
        let text = "word ".repeat(1_000);
        let (lines, _) = first_lines(&text, "txt");
        assert_eq!((lines.len(), lines.concat()), (5, text));
    }

    #[test]
    fn nothing_grows_beyond_its_bounds() {
        let (wide, _) = first_lines(&"x".repeat(60_000), "rs");
        assert_eq!(
            wide.iter()
                .map(|line| line.chars().count())
                .collect::<Vec<_>>(),
            [LONGEST + 1]
        );
        let (long, is_cut) = first_lines(&"\n".repeat(60_000), "rs");
        assert_eq!((long.len(), is_cut), (MOST_LINES, true));
        let (deep, _) = first_lines(&"[".repeat(60_000), "json");
        let bytes: usize = deep.iter().map(String::len).sum();
        assert!(deep.len() <= MOST_LINES && bytes < 1_000_000, "{bytes}");
    }
}
