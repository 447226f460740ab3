//! The order of names, regardless of case: with the numbers in them by their value, so that `img2`
//! comes before `img10`, or character by character, as the service has them.

use std::cmp::Ordering;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NameOrder {
    #[default]
    Natural,
    ByCharacter,
}

/// The marker of a number, which stands among other characters where digits do.
const NUMBER: char = '0';
/// The most digits of a number that count for its length. Such a character has no lowercase.
const MOST_DIGITS: u8 = 63;

impl NameOrder {
    pub(super) fn compare(self, a: &str, b: &str) -> Ordering {
        let (a, b) = different_ends(a, b);
        let by_character = || folded(a).cmp(folded(b));
        match self {
            // `img02` and `img2`.
            Self::Natural => natural(a).cmp(natural(b)).then_with(by_character),
            Self::ByCharacter => by_character(),
        }
    }

    /// A number that orders names as `compare` does, or is equal for both.
    pub(super) fn start(self, name: &str) -> u128 {
        match self {
            Self::Natural => start(natural(name)),
            Self::ByCharacter => start(folded(name)),
        }
    }
}

/// The names without the start that they share, up to the last number in it: many names of a folder
/// differ only at their end.
fn different_ends<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let is_outside_number = |at: &usize| {
        let shared = a.get(..*at);
        shared.is_some_and(|shared| !shared.ends_with(|last: char| last.is_ascii_digit()))
    };
    let at = (0..=same).rev().find(is_outside_number).unwrap_or(0);
    (a.get(at..).unwrap_or(a), b.get(at..).unwrap_or(b))
}

pub(super) fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// The folded characters of a name, with the length of each number before its digits: a longer
/// number is larger.
fn natural(text: &str) -> impl Iterator<Item = char> {
    let (mut rest, mut length, mut digits) = (text, None, 0_usize);
    let next = move || {
        if let Some(length) = length.take() {
            return Some(length);
        }
        if digits == 0 && rest.starts_with(|first: char| first.is_ascii_digit()) {
            let after = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let all = rest.len() - after.len();
            let significant = rest.trim_start_matches('0');
            digits = all.saturating_sub(rest.len() - significant.len());
            rest = significant;
            let counted = u8::try_from(digits).unwrap_or(MOST_DIGITS);
            length = Some(char::from(counted.min(MOST_DIGITS)));
            return Some(NUMBER);
        }
        digits = digits.saturating_sub(1);
        let mut characters = rest.chars();
        let first = characters.next()?;
        rest = characters.as_str();
        Some(first)
    };
    std::iter::from_fn(next).flat_map(char::to_lowercase)
}

/// The first bytes of a text as a number, which keeps the order of the characters.
fn start(text: impl Iterator<Item = char>) -> u128 {
    let (mut bytes, mut buffer) = ([0; 16], [0; 4]);
    let mut room = bytes.iter_mut();
    for character in text.take(16) {
        let encoded = character.encode_utf8(&mut buffer).bytes();
        encoded
            .zip(&mut room)
            .for_each(|(byte, place)| *place = byte);
    }
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ordered(order: NameOrder, names: &[&str]) -> Vec<String> {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        names.sort_by(|a, b| order.compare(a, b));
        names
    }

    #[test]
    fn numbers_are_compared_by_their_value() {
        let names = [
            "img10.png",
            "IMG2.png",
            "img02.png",
            "img.png",
            "img1-10",
            "img1-9",
            "10",
            "9",
            "a",
            "Ä",
            "2026-08-01",
            "img12345678901234567890123.png",
            "img12345678901234567890124.png",
            "img-3",
        ];
        let natural = [
            "9",
            "10",
            "2026-08-01",
            "a",
            "img-3",
            "img.png",
            "img1-9",
            "img1-10",
            "img02.png",
            "IMG2.png",
            "img10.png",
            "img12345678901234567890123.png",
            "img12345678901234567890124.png",
            "Ä",
        ];
        assert_eq!(ordered(NameOrder::Natural, &names), natural);
        let by_character = ["img1", "img10", "IMG2"];
        let names = ["IMG2", "img10", "img1"];
        assert_eq!(ordered(NameOrder::ByCharacter, &names), by_character);
    }

    proptest! {
        // Sorting by the start must agree with the comparison.
        #[test]
        fn the_start_follows_the_comparison(a in "[a-bA-B0-2é.]{0,24}", b in "[a-bA-B0-2é.]{0,24}") {
            for order in [NameOrder::Natural, NameOrder::ByCharacter] {
                let by_start = order.start(&a).cmp(&order.start(&b));
                prop_assert!(by_start.is_eq() || by_start == order.compare(&a, &b), "{order:?}");
            }
        }
    }
}
