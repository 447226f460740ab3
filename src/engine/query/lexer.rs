//! Splits a search's line into words at spaces, unless they are quoted.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueryToken {
    /// Its place in the line, in bytes, including quotes.
    pub(super) range: Range<usize>,
    /// The text of the word, without quotes.
    pub(super) text: String,
    /// The end of the filter's name in `text`, if the word is a filter: its first colon that is not
    /// quoted.
    colon: Option<usize>,
}

impl QueryToken {
    /// Returns the filter and its value; `None` for a part of a name.
    pub(super) fn filter(&self) -> Option<(&str, &str)> {
        let (key, rest) = self.text.split_at_checked(self.colon?)?;
        Some((key, rest.strip_prefix(':').unwrap_or(rest)))
    }
}

pub(super) fn words(line: &str) -> Vec<QueryToken> {
    let mut words = Vec::new();
    let mut word: Option<QueryToken> = None;
    let mut is_quoted = false;
    for (at, c) in line.char_indices() {
        if c.is_whitespace() && !is_quoted {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert(QueryToken {
            range: at..at,
            text: String::new(),
            colon: None,
        });
        word.range.end = at + c.len_utf8();
        match c {
            '"' => is_quoted = !is_quoted,
            ':' if !is_quoted
                && word.colon.is_none()
                && word.range.len() == word.text.len() + 1 =>
            {
                word.colon = Some(word.text.len());
                word.text.push(c);
            }
            _ => word.text.push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_spaces_and_colons() {
        let line = r#"logo  name:"two words" "a:b" in:"/my files"#;
        let words = words(line);
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["logo", "name:two words", "a:b", "in:/my files"]);
        let filters: Vec<_> = words.iter().map(QueryToken::filter).collect();
        assert_eq!(
            filters,
            [
                None,
                Some(("name", "two words")),
                None,
                Some(("in", "/my files"))
            ]
        );
        assert_eq!(line.get(words[1].range.clone()), Some("name:\"two words\""));
    }
}
