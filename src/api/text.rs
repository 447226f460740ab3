//! Makes remote text safe to display: the one place that decides which characters may reach a
//! terminal (`guarantees.md#remote-text-does-not-act-on-the-terminal`). Escapes are visible, so two
//! names that differ also look different.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;

/// Returns the text as one line in which control, bidirectional and invisible characters are
/// escaped as `\u{..}`, as are backslashes that would spell such an escape. Combining marks after
/// the eighth in a row are escaped too.
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut marks = 0;
    let mut is_safe = |c: char| {
        marks = if is_combining(c) { marks + 1 } else { 0 };
        !is_unsafe(c) && marks <= MAX_MARKS
    };
    if text.chars().all(&mut is_safe) && !text.contains("\\u{") {
        return Cow::Borrowed(text);
    }
    let mut marks = 0;
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        marks = if is_combining(c) { marks + 1 } else { 0 };
        let spoofs_escape =
            c == '\\' && text.get(at..).is_some_and(|rest| rest.starts_with("\\u{"));
        if is_unsafe(c) || spoofs_escape || marks > MAX_MARKS {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Like `visible`, for local names, which need not be valid text: invalid bytes are shown as
/// `\x{..}`.
pub fn visible_local(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        // Keeps text that spells such a byte distinguishable from it.
        out.push_str(&visible(chunk.valid()).replace("\\x{", "\\u{5c}x{"));
        for byte in chunk.invalid() {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\x{{{byte:x}}}");
        }
    }
    out
}

const MAX_MARKS: usize = 8;

fn is_combining(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36F | 0x483..=0x489 | 0x591..=0x5BD | 0x610..=0x61A | 0x64B..=0x65F
        | 0xE31..=0xE3A | 0xE47..=0xE4E | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// Returns `true` for controls (C0, DEL, C1), line separators, bidi marks, zero-width and other
/// invisible characters, tags, variation selectors other than the emoji one, and private or
/// unassigned specials.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200C | 0x200E..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F
            | 0x3164 | 0xFE00..=0xFE0E | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB
            | 0x1_BCA0..=0x1_BCA3 | 0x1_D173..=0x1_D17A | 0xE_0000..=0xE_0FFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_pass_unchanged() {
        for name in [
            "logo.png",
            "Größe 12 – naïve.pdf",
            "写真.jpg",
            "👩\u{200d}💻 ok ☺\u{fe0f}",
            "a\\b",
        ] {
            assert_eq!(visible(name), name);
        }
    }

    #[test]
    fn controls_and_bidi_are_shown_as_escapes() {
        assert_eq!(visible("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(visible("gpj\u{202e}exe"), "gpj\\u{202e}exe");
        assert_eq!(visible("a\nb\u{9b}1m"), "a\\u{a}b\\u{9b}1m");
    }

    #[cfg(unix)]
    #[test]
    fn a_local_name_that_is_no_text_is_shown_byte_by_byte() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = |bytes| visible_local(OsStr::from_bytes(bytes));
        assert_eq!(name(b"caf\xe9\x1b[2J.txt"), "caf\\x{e9}\\u{1b}[2J.txt");
        assert_ne!(name(b"\xe9.txt"), name(b"\xe8.txt"));
        assert_ne!(name(b"\xe9.txt"), name(b"\\x{e9}.txt"));
        assert_eq!(name("naïve.txt".as_bytes()), "naïve.txt");
    }

    #[test]
    fn a_name_that_spells_an_escape_stays_distinct_from_the_escaped_one() {
        assert_ne!(visible("\u{1b}"), visible("\\u{1b}"));
    }

    #[test]
    fn stacked_marks_are_bounded() {
        let zalgo = format!("a{}", "\u{301}".repeat(100));
        assert_eq!(
            visible(&zalgo).chars().filter(|c| *c == '\u{301}').count(),
            MAX_MARKS
        );
    }
}
