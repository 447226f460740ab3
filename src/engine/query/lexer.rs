//! Splits a search's line into words at spaces, unless they are quoted.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueryToken {
    /// Its place in the line, in bytes, including quotes.
    pub(super) range: Range<usize>,
    /// The word as it was typed.
    pub(super) typed: String,
    /// `!` or `-` before the word, if that is not quoted: the word must not match.
    pub(super) sign: &'static str,
    /// The text of the word, without sign and quotes.
    pub(super) text: String,
    /// Set for `*` and `?` that are not quoted.
    pub(super) has_wildcards: bool,
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
            typed: String::new(),
            sign: "",
            text: String::new(),
            has_wildcards: false,
            colon: None,
        });
        word.range.end = at + c.len_utf8();
        let is_bare = word.typed.len() == word.sign.len() + word.text.len();
        let is_before_more = line
            .get(word.range.end..)
            .is_some_and(|rest| rest.starts_with(|next: char| !next.is_whitespace()));
        match c {
            '!' if word.typed.is_empty() && is_before_more => word.sign = "!",
            '-' if word.typed.is_empty() && is_before_more => word.sign = "-",
            '"' => is_quoted = !is_quoted,
            _ => {
                if c == ':' && is_bare {
                    word.colon.get_or_insert(word.text.len());
                }
                word.has_wildcards |= matches!(c, '*' | '?') && !is_quoted;
                word.text.push(c);
            }
        }
        word.typed.push(c);
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
        assert_eq!(words[1].typed, "name:\"two words\"");
    }

    #[test]
    fn a_sign_before_a_word_is_no_part_of_it_unless_quoted_or_alone() {
        let words = words(r#"!type:image -"two words" "-old" sort:-size - ! -*.png "a*""#);
        let signs: Vec<_> = words.iter().map(|word| (word.sign, &*word.text)).collect();
        assert_eq!(
            signs,
            [
                ("!", "type:image"),
                ("-", "two words"),
                ("", "-old"),
                ("", "sort:-size"),
                ("", "-"),
                ("", "!"),
                ("-", "*.png"),
                ("", "a*")
            ]
        );
        assert_eq!(words[0].filter(), Some(("type", "image")));
        let wildcards = words.iter().filter(|word| word.has_wildcards);
        assert_eq!(
            wildcards.map(|word| &*word.text).collect::<Vec<_>>(),
            ["*.png"]
        );
    }
}
