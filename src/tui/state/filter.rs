//! The filter over the rows that are loaded: fuzzy, live, in the list's own order.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::engine::name_form::composed;
use crate::tui::input::recall::Recall;
use crate::tui::input::text_field::TextField;

/// A filter in force.
#[derive(Debug, Clone, Default)]
pub struct ListFilter {
    pub input: TextField,
    /// The field has the focus: letters are typed, not obeyed.
    pub editing: bool,
    /// What was typed here before.
    pub past: Recall,
}

impl ListFilter {
    /// Whether Up and Down go through what was typed before. They move in the list while something else is typed.
    pub fn recalls(&self) -> bool {
        let typed = self.input.text();
        !self.past.is_empty() && (typed.is_empty() || self.past.holds(typed))
    }

    /// Puts the line before this one into the field, or the one after it; whether there is one.
    pub fn recall(&mut self, is_back: bool) -> bool {
        let line = if is_back { self.past.back(self.input.text()) } else { self.past.forth() };
        let is_there = line.is_some();
        if let Some(line) = line {
            self.input.set(line);
        }
        is_there
    }

    /// Looks at one name after the other; everything matches while nothing is typed.
    pub fn search(&self) -> Search {
        let text = self.input.text();
        let is_plain = text.is_ascii() && !text.contains(['\\', '^', '$', '\'', '!']);
        Search {
            words: is_plain.then(|| text.split_ascii_whitespace().map(FilterWord::new).collect()),
            pattern: self.pattern(),
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        }
    }

    /// Which characters of a name matched, for drawing; ascending.
    pub fn matched_chars(&self, name: &str) -> Vec<u32> {
        let mut indices = Vec::new();
        let mut buffer = Vec::new();
        let mut matcher = Matcher::new(Config::DEFAULT);
        self.pattern().indices(Utf32Str::new(&composed(name), &mut buffer), &mut matcher, &mut indices);
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    fn pattern(&self) -> Pattern {
        Pattern::parse(&composed(self.input.text()), CaseMatching::Smart, Normalization::Smart)
    }
}

/// A search through many names. Words may come in any order, their letters in order with gaps.
pub struct Search {
    /// None if what is typed is more than plain words.
    words: Option<Vec<FilterWord>>,
    pattern: Pattern,
    matcher: Matcher,
    buffer: Vec<char>,
}

/// A word of ASCII letters. Capitals in it count; without them the case does not.
struct FilterWord {
    letters: Vec<u8>,
    counts_case: bool,
}

impl Search {
    pub fn matches(&mut self, name: &str) -> bool {
        match &self.words {
            // Whether letters come in order needs no score, and is found many times faster.
            Some(words) if name.is_ascii() => words.iter().all(|word| word.is_in(name.as_bytes())),
            _ => self.pattern.score(Utf32Str::new(&composed(name), &mut self.buffer), &mut self.matcher).is_some(),
        }
    }
}

impl FilterWord {
    fn new(word: &str) -> Self {
        let counts_case = word.bytes().any(|letter| letter.is_ascii_uppercase());
        Self { letters: word.as_bytes().to_vec(), counts_case }
    }

    fn is_in(&self, name: &[u8]) -> bool {
        let mut rest = name.iter();
        let is_same = |a: u8, b: u8| if self.counts_case { a == b } else { a.eq_ignore_ascii_case(&b) };
        self.letters.iter().all(|letter| rest.any(|other| is_same(*letter, *other)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matching<'a>(typed: &str, names: &[&'a str]) -> Vec<&'a str> {
        let filter = ListFilter { input: TextField::new(typed), editing: true, ..ListFilter::default() };
        let mut search = filter.search();
        names.iter().copied().filter(|name| search.matches(name)).collect()
    }

    #[test]
    fn letters_match_in_order_with_gaps_and_keep_the_lists_order() {
        let names = ["zz-banner-01.png", "notes.txt", "banner-10.png", "banner-02.png"];
        assert_eq!(matching("bn1", &names), ["zz-banner-01.png", "banner-10.png"]);
        assert_eq!(matching("", &names), names);
        assert_eq!(matching("!banner", &names), ["notes.txt"]);
    }

    proptest! {
        // The short way must find what the matcher finds, whose letters are then drawn.
        #[test]
        fn what_is_found_is_what_is_drawn(typed in "[abAB. ]{0,5}", name in "[a-cA-C.é-]{0,12}") {
            let filter = ListFilter { input: TextField::new(&typed), editing: true, ..ListFilter::default() };
            let mut matcher = Matcher::new(Config::DEFAULT);
            let mut buffer = Vec::new();
            let found = filter.pattern().score(Utf32Str::new(&name, &mut buffer), &mut matcher).is_some();
            prop_assert_eq!(filter.search().matches(&name), found);
        }
    }
}
