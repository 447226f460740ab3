//! Names that people, or other machines' disks, take for the same.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use unicode_normalization::UnicodeNormalization as _;

use crate::api::text::visible;

/// The same for names that differ by case or by the form of their accents only.
pub(super) fn fold(name: &str) -> String {
    let lower: String = name.nfc().flat_map(char::to_lowercase).collect();
    lower.nfc().collect()
}

/// In what two names differ that fold to the same.
fn difference(one: &str, other: &str) -> &'static str {
    if one.nfc().eq(other.nfc()) { "the encoding of its accents" } else { "case" }
}

/// What is to be known of a name that cannot be told from one before it. `before` are those, by what they fold to.
pub(super) fn twin_warning(name: &str, before: &mut HashMap<String, String>) -> Option<String> {
    match before.entry(fold(name)) {
        Entry::Occupied(other) if other.get() == name => {
            Some("another of these has the same name: a number is added".to_owned())
        }
        Entry::Occupied(other) => Some(looks_like(other.get(), "", name)),
        Entry::Vacant(free) => {
            free.insert(name.to_owned());
            None
        }
    }
}

/// Says that a name differs from another one by little; `which` tells which one that is.
pub(super) fn looks_like(other: &str, which: &str, name: &str) -> String {
    format!("differs from {}{which} by {} only", visible(other), difference(other, name))
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
