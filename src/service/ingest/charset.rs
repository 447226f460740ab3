//! The character encoding of a text: the label that its sender gives, or a guess from its first
//! bytes. Labels are those of the Encoding Standard; nothing is decoded.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use super::measure::Head;

/// A label of the Encoding Standard, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Charset(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it must be a label of the Encoding Standard, such as utf-8, windows-1252 or shift_jis")]
pub(crate) struct UnknownCharset;

impl Charset {
    /// Parses a sender's hint; a blank one is `None`.
    pub(crate) fn of_hint(hint: &str) -> Result<Option<Self>, UnknownCharset> {
        let label = hint.trim_matches(' ');
        if label.is_empty() {
            return Ok(None);
        }
        // The standard ignores any white space around a label, but a line break is not an accident.
        let is_known =
            !label.contains(char::is_control) && Encoding::for_label(label.as_bytes()).is_some();
        if is_known {
            Ok(Some(Self(label.to_ascii_lowercase())))
        } else {
            Err(UnknownCharset)
        }
    }

    /// Returns the encoding of the byte order mark, else a guess from the bytes.
    pub(super) fn of_text(head: &Head) -> Self {
        if head.bytes.starts_with(b"\xff\xfe") || head.bytes.starts_with(b"\xfe\xff") {
            return Self("utf-16".to_owned());
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&head.bytes, head.is_whole);
        Self(
            detector
                .guess(None, Utf8Detection::Allow)
                .name()
                .to_ascii_lowercase(),
        )
    }

    pub(crate) fn into_label(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::usual("utf-8", "utf-8")]
    #[case::in_capitals("Windows-1252", "windows-1252")]
    #[case::between_spaces(" shift_jis ", "shift_jis")]
    #[case::another_name_of_it("latin1", "latin1")]
    #[case::with_a_colon("iso_8859-1:1987", "iso_8859-1:1987")]
    fn labels_of_the_standard_are_taken(#[case] hint: &str, #[case] label: &str) {
        assert_eq!(Charset::of_hint(hint), Ok(Some(Charset(label.to_owned()))));
    }

    #[rstest]
    #[case::made_up("utf-9")]
    #[case::a_line_break_behind_it("utf-8\n")]
    #[case::a_header_behind_it("utf-8\r\nset-cookie: a=b")]
    #[case::not_ascii("ütf-8")]
    #[case::several("utf-8, latin1")]
    fn other_labels_are_refused(#[case] hint: &str) {
        assert_eq!(Charset::of_hint(hint), Err(UnknownCharset));
    }

    #[rstest]
    #[case::nothing("")]
    #[case::blank("  ")]
    fn an_empty_hint_says_nothing(#[case] hint: &str) {
        assert_eq!(Charset::of_hint(hint), Ok(None));
    }

    #[rstest]
    #[case::nothing(b"", "utf-8")]
    #[case::ascii(b"plain text", "utf-8")]
    #[case::utf_8("Größe".as_bytes(), "utf-8")]
    #[case::marked_utf_8(b"\xef\xbb\xbfplain", "utf-8")]
    #[case::marked_wide_text(b"\xff\xfeh\0i\0", "utf-16")]
    #[case::marked_wide_text_the_other_way(b"\xfe\xff\0h\0i", "utf-16")]
    #[case::windows_1252(b"Ein caf\xe9 in M\xfcnchen, \x84sch\xf6n\x93", "windows-1252")]
    #[case::windows_1252_to_its_last_byte(b"caf\xe9", "windows-1252")]
    #[case::windows_1251(
        b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xdd\xf2\xee \xf2\xe5\xea\xf1\xf2.",
        "windows-1251"
    )]
    #[case::shift_jis(
        b"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67",
        "shift_jis"
    )]
    #[case::euc_jp(
        b"\xc6\xfc\xcb\xdc\xb8\xec\xa4\xce\xa5\xc6\xa5\xad\xa5\xb9\xa5\xc8",
        "euc-jp"
    )]
    #[case::iso_2022_jp(b"\x1b$BF|K\\8l\x1b(B", "iso-2022-jp")]
    fn the_encoding_is_found_in_the_bytes(#[case] bytes: &[u8], #[case] label: &str) {
        assert_eq!(
            Charset::of_text(&Head {
                bytes: bytes.to_vec(),
                is_whole: true
            })
            .into_label(),
            label
        );
    }

    #[test]
    fn a_character_that_is_cut_at_the_end_of_the_head_is_no_mistake() {
        let bytes = "Größe".as_bytes();
        let cut = bytes.iter().position(|byte| *byte > 0x7f).unwrap() + 1;
        let head = Head {
            bytes: bytes[..cut].to_vec(),
            is_whole: false,
        };
        assert_eq!(Charset::of_text(&head).into_label(), "utf-8");
    }
}
