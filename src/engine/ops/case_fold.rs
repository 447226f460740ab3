//! Names that people, or other machines' disks, take for the same.

use unicode_normalization::UnicodeNormalization as _;

/// The same for names that differ by case or by the form of their accents only.
pub(super) fn fold(name: &str) -> String {
    let lower: String = name.nfc().flat_map(char::to_lowercase).collect();
    lower.nfc().collect()
}

/// In what two names differ that fold to the same.
pub(super) fn difference(one: &str, other: &str) -> &'static str {
    if one.nfc().eq(other.nfc()) { "the encoding of its accents" } else { "case" }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::case("Logo.PNG", "logo.png", "case")]
    #[case::form("Gr\u{f6}\u{df}e", "Gro\u{308}\u{df}e", "the encoding of its accents")]
    #[case::both("GR\u{d6}SSE", "gro\u{308}sse", "case")]
    fn names_that_look_alike_fold_to_the_same(#[case] one: &str, #[case] other: &str, #[case] by: &str) {
        assert_eq!(fold(one), fold(other));
        assert_eq!(difference(one, other), by);
    }

    #[test]
    fn other_names_do_not() {
        assert_ne!(fold("logo.png"), fold("logo.jpg"));
    }
}
