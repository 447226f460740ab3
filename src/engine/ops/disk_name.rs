//! Names from the service made into names for this machine's disk: one plain component, never a path
//! (`guarantees.md#names-from-the-service-stay-in-their-folder`).

use crate::api::text::is_unsafe;

/// What file systems take.
const LONGEST: usize = 255;

/// Names of devices on Windows, with any extension.
const DEVICES: [&str; 8] = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$", "$mft"];

/// A name of one to 255 bytes without separators, control, bidi or invisible characters, which is neither `.`, `..` nor a
/// device.
pub fn safe(name: &str) -> String {
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_end_matches([' ', '.']).trim_start();
    let name = if name.is_empty() { "_".to_owned() } else { name.to_owned() };
    let name = if is_device(&name) { format!("_{name}") } else { name };
    shorten(&name, "", LONGEST)
}

/// The `number`th name to try when `name` is taken: `logo (1).png`.
pub fn numbered(name: &str, number: u32) -> String {
    shorten(name, &format!(" ({number})"), LONGEST)
}

/// The start of a hidden temporary name that leaves room for what makes it unique.
pub fn temporary_prefix(name: &str) -> String {
    shorten(&format!(".{name}"), "", LONGEST - 32)
}

/// Puts `mark` before the extension and cuts the stem, between characters, so that the whole keeps to `longest` bytes.
fn shorten(name: &str, mark: &str, longest: usize) -> String {
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 32 => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let room = longest.saturating_sub(mark.len() + extension.len());
    let end = stem.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= room).last();
    let stem = stem.get(..end.unwrap_or(0)).unwrap_or_default();
    format!("{stem}{mark}{extension}")
}

fn is_plain(c: char) -> bool {
    !is_unsafe(c) && !matches!(c, '/' | '\\' | ':')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    DEVICES.contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("logo.png", "logo.png")]
    #[case::spaces_and_unicode("Größe 12 – naïve.pdf", "Größe 12 – naïve.pdf")]
    #[case::hidden(".gitignore", ".gitignore")]
    #[case::two_dots("a..b", "a..b")]
    #[case::parent("..", "_")]
    #[case::same(".", "_")]
    #[case::empty("", "_")]
    #[case::climbing("../../etc/passwd", ".._.._etc_passwd")]
    #[case::absolute("/etc/passwd", "_etc_passwd")]
    #[case::backslashes("..\\..\\x", ".._.._x")]
    #[case::drive("C:\\x", "C__x")]
    #[case::stream("a.txt:evil", "a.txt_evil")]
    #[case::nul("a\0b", "a_b")]
    #[case::escape("a\u{1b}[2Jb", "a_[2Jb")]
    #[case::newline("a\nb", "a_b")]
    #[case::bidi("gpj.\u{202e}exe", "gpj._exe")]
    #[case::invisible("a\u{200b}b", "a_b")]
    #[case::device("CON", "_CON")]
    #[case::device_with_extension("nul.tar.gz", "_nul.tar.gz")]
    #[case::numbered_device("com1.txt", "_com1.txt")]
    #[case::not_a_device("console.log", "console.log")]
    #[case::trailing_dots("a. .", "a")]
    #[case::only_spaces("   ", "_")]
    fn names_become_one_plain_component(#[case] name: &str, #[case] expected: &str) {
        assert_eq!(safe(name), expected);
    }

    #[test]
    fn a_long_name_keeps_its_extension_and_whole_characters() {
        let name = safe(&format!("{}.jpeg", "é".repeat(300)));
        assert!(name.len() <= LONGEST && name.ends_with("é.jpeg"), "{name}");
        assert!(safe(&"x".repeat(400)).len() == LONGEST);
        assert!(numbered(&safe(&"x".repeat(400)), 12).ends_with("x (12)"));
    }

    #[test]
    fn a_taken_name_is_numbered_before_its_extension() {
        assert_eq!(numbered("logo.png", 1), "logo (1).png");
        assert_eq!(numbered(".env", 2), ".env (2)");
    }

    proptest! {
        #[test]
        fn no_name_leaves_its_folder(name in any::<String>()) {
            for name in [safe(&name), numbered(&safe(&name), 7), temporary_prefix(&safe(&name))] {
                let components: Vec<_> = Path::new(&name).components().collect();
                prop_assert!(matches!(components.as_slice(), [Component::Normal(_)]), "{:?}", name);
                prop_assert!(name.len() <= LONGEST && !name.contains('\0'));
            }
        }
    }
}
