//! Names that are the same although their letters differ: by the form of their accents (NFC, NFD),
//! or also by case.

use std::borrow::Cow;
use std::iter;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick, is_nfd};

/// Returns the same for names that differ only in the form of their accents.
pub fn composed(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        name.into()
    } else {
        name.nfc().collect()
    }
}

/// Returns the same for names that differ only in case or in the form of their accents.
pub fn fold(name: &str) -> String {
    let lower: String = composed(name)
        .chars()
        .flat_map(char::to_lowercase)
        .collect();
    composed(&lower).into_owned()
}

/// Returns the longest part of a name that all forms of it share, for a search that compares
/// letters.
pub fn common_part(name: &str) -> String {
    let is_mark = |c: &char| {
        canonical_combining_class(*c) != 0 || is_nfc_quick(iter::once(*c)) != IsNormalized::Yes
    };
    let composed = composed(name);
    let mut rest = composed.chars().peekable();
    let (mut longest, mut part) = (String::new(), String::new());
    while let Some(c) = rest.next() {
        if is_mark(&c) || !is_nfd(c.encode_utf8(&mut [0; 4])) || rest.peek().is_some_and(is_mark) {
            part.clear();
            continue;
        }
        part.push(c);
        if part.len() > longest.len() {
            longest.clone_from(&part);
        }
    }
    longest
}
