//! The filter over the loaded rows: fuzzy, live, and in the list's own order.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::engine::name_form::composed;
use crate::tui::input::recall::Recall;
use crate::tui::input::text_field::TextField;

#[derive(Debug, Clone, Default)]
pub struct ListFilter {
    pub input: TextField,
    /// Set while the field has the focus, so that letters are typed instead of running actions.
    pub editing: bool,
    /// Earlier filters in this list.
    pub past: Recall,
}

impl ListFilter {
    /// Returns `true` if Up and Down recall earlier filters. While other text is typed, they move
    /// the cursor.
    pub fn recalls(&self) -> bool {
        let typed = self.input.text();
        !self.past.is_empty() && (typed.is_empty() || self.past.holds(typed))
    }

    /// Puts the previous or next earlier filter into the field; returns `true` if there is one.
    pub fn recall(&mut self, is_back: bool) -> bool {
        let line = if is_back {
            self.past.back(self.input.text())
        } else {
            self.past.forth()
        };
        let is_there = line.is_some();
        if let Some(line) = line {
            self.input.set(line);
        }
        is_there
    }

    /// Returns a search over names; everything matches while nothing is typed.
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

    /// The indices of the characters of a name that matched, ascending, for drawing.
    pub fn matched_chars(&self, name: &str) -> Vec<u32> {
        let mut indices = Vec::new();
        let mut buffer = Vec::new();
        let mut matcher = Matcher::new(Config::DEFAULT);
        self.pattern().indices(
            Utf32Str::new(&composed(name), &mut buffer),
            &mut matcher,
            &mut indices,
        );
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    fn pattern(&self) -> Pattern {
        Pattern::parse(
            &composed(self.input.text()),
            CaseMatching::Smart,
            Normalization::Smart,
        )
    }
}

/// A search through many names. Words match in any order, and their letters in order, with gaps.
pub struct Search {
    /// The words typed; `None` if the text is more than plain words.
    words: Option<Vec<FilterWord>>,
    pattern: Pattern,
    matcher: Matcher,
    buffer: Vec<char>,
}

/// A word of ASCII letters, case-sensitive if it contains a capital.
struct FilterWord {
    letters: Vec<u8>,
    counts_case: bool,
}

impl Search {
    pub fn matches(&mut self, name: &str) -> bool {
        match &self.words {
            // A subsequence check needs no score and is many times faster.
            Some(words) if name.is_ascii() => words.iter().all(|word| word.is_in(name.as_bytes())),
            _ => self
                .pattern
                .score(
                    Utf32Str::new(&composed(name), &mut self.buffer),
                    &mut self.matcher,
                )
                .is_some(),
        }
    }
}

impl FilterWord {
    fn new(word: &str) -> Self {
        let counts_case = word.bytes().any(|letter| letter.is_ascii_uppercase());
        Self {
            letters: word.as_bytes().to_vec(),
            counts_case,
        }
    }

    fn is_in(&self, name: &[u8]) -> bool {
        let mut rest = name.iter();
        let is_same = |a: u8, b: u8| {
            if self.counts_case {
                a == b
            } else {
                a.eq_ignore_ascii_case(&b)
            }
        };
        self.letters
            .iter()
            .all(|letter| rest.any(|other| is_same(*letter, *other)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matching<'a>(typed: &str, names: &[&'a str]) -> Vec<&'a str> {
        let filter = ListFilter {
            input: TextField::new(typed),
            editing: true,
            ..ListFilter::default()
        };
        let mut search = filter.search();
        names
            .iter()
            .copied()
            .filter(|name| search.matches(name))
            .collect()
    }

    #[test]
    fn letters_match_in_order_with_gaps_and_keep_the_lists_order() {
        let names = [
            "zz-banner-01.png",
            "notes.txt",
            "banner-10.png",
            "banner-02.png",
        ];
        assert_eq!(
            matching("bn1", &names),
            ["zz-banner-01.png", "banner-10.png"]
        );
        assert_eq!(matching("", &names), names);
        assert_eq!(matching("!banner", &names), ["notes.txt"]);
    }

    proptest! {
        // The fast path must find what the matcher finds, because the matcher's letters are drawn.
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
