//! The paths that are nearest to what is typed. Fuzzy: the letters are in the path in their order, with gaps.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher};

/// Those that fit, the best first, and of those the shortest.
pub(super) fn nearest<'a>(known: &'a [String], typed: &str) -> Vec<&'a str> {
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let pattern = Pattern::new(typed, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy);
    let mut found = pattern.match_list(known.iter().map(String::as_str), &mut matcher);
    found.sort_unstable_by_key(|(path, score)| (Reverse(*score), path.len(), *path));
    found.into_iter().map(|(path, _)| path).collect()
}
