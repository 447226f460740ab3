//! The filter over the rows that are loaded: fuzzy, live, in the list's own order.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::tui::text_field::TextField;

/// A filter in force.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub input: TextField,
    /// The field has the focus: letters are typed, not obeyed.
    pub editing: bool,
}

impl Filter {
    /// Which of the names match, by index; all of them while nothing is typed. Words may come in any order.
    pub fn matching<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<usize> {
        let pattern = self.pattern();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        names
            .enumerate()
            .filter(|(_, name)| pattern.score(Utf32Str::new(name, &mut buffer), &mut matcher).is_some())
            .map(|(index, _)| index)
            .collect()
    }

    /// Which characters of a name matched, for drawing; ascending.
    pub fn matched_chars(&self, name: &str) -> Vec<u32> {
        let mut indices = Vec::new();
        let mut buffer = Vec::new();
        let mut matcher = Matcher::new(Config::DEFAULT);
        self.pattern().indices(Utf32Str::new(name, &mut buffer), &mut matcher, &mut indices);
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    fn pattern(&self) -> Pattern {
        Pattern::parse(self.input.text(), CaseMatching::Smart, Normalization::Smart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_match_in_order_with_gaps_and_keep_the_lists_order() {
        let filter = Filter { input: TextField::new("bn1"), editing: true };
        let names = ["zz-banner-01.png", "notes.txt", "banner-10.png", "banner-02.png"];
        assert_eq!(filter.matching(names.into_iter()), [0, 2]);
        assert_eq!(Filter::default().matching(names.into_iter()), [0, 1, 2, 3]);
    }
}
