//! Completes the word before the cursor: names of filters, then their values.

use super::filters::{self, FILTERS};
use super::lexer::words;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    pub line: String,
    /// In bytes.
    pub cursor: usize,
    /// The ways to continue, if there are several.
    pub candidates: Vec<String>,
}

/// Completes the word with what all candidates have in common.
pub fn complete(line: &str, cursor: usize) -> Completed {
    let same = |candidates| Completed {
        line: line.to_owned(),
        cursor,
        candidates,
    };
    let (Some(before), Some(after)) = (line.get(..cursor), line.get(cursor..)) else {
        return same(Vec::new());
    };
    let word = words(before)
        .into_iter()
        .next_back()
        .filter(|word| word.range.end == before.len());
    let text = word.as_ref().map_or("", |word| word.text.as_str());
    let (lead, start, candidates): (String, &str, Vec<String>) =
        match word.as_ref().and_then(|word| word.filter()) {
            Some((key, value)) => {
                let filter = filters::named(&key.to_ascii_lowercase());
                let values = filter.map_or(&[][..], |filter| filter.values);
                let given = filters::values(filter.map_or("", |filter| filter.key), value);
                let last = given.last().copied().unwrap_or_default();
                (
                    format!("{key}:{}", value.strip_suffix(last).unwrap_or_default()),
                    last,
                    values.iter().map(|value| (*value).to_owned()).collect(),
                )
            }
            None => (
                String::new(),
                text,
                FILTERS
                    .iter()
                    .map(|filter| format!("{}:", filter.key))
                    .collect(),
            ),
        };
    let fitting: Vec<String> = candidates
        .into_iter()
        .filter(|candidate| candidate.starts_with(start))
        .collect();
    let common = common_start(&fitting);
    let is_whole = fitting.len() == 1 && !common.ends_with([':', '/', '<', '>']);
    if common.len() < start.len() || (common.len() == start.len() && !is_whole) {
        return same(if fitting.len() > 1 {
            fitting
        } else {
            Vec::new()
        });
    }
    let (from, sign) = word.map_or((before.len(), ""), |word| (word.range.start, word.sign));
    let gap = if is_whole && !after.starts_with(' ') {
        " "
    } else {
        ""
    };
    let written = format!(
        "{}{sign}{lead}{common}{gap}",
        before.get(..from).unwrap_or_default()
    );
    let cursor = written.len();
    Completed {
        line: written + after,
        cursor,
        candidates: if fitting.len() > 1 {
            fitting
        } else {
            Vec::new()
        },
    }
}

fn common_start(texts: &[String]) -> String {
    let Some((first, others)) = texts.split_first() else {
        return String::new();
    };
    let shared = |other: &String| {
        first
            .chars()
            .zip(other.chars())
            .take_while(|(a, b)| a == b)
            .count()
    };
    let count = others.iter().map(shared).min().unwrap_or(usize::MAX);
    first.chars().take(count).collect()
}
