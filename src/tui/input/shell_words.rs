//! Splits a line into words as a shell does, with quotes, backslashes and patterns; and finds the
//! word being typed. The crates for this (`shlex`, `shell-words`) give neither the place of a word
//! nor which of its characters were quoted.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The place in bytes of the line, quotes included.
    pub range: Range<usize>,
    /// The characters, each with `true` if it was quoted.
    chars: Vec<(char, bool)>,
    /// The quote that the word begins with.
    pub quote: Option<char>,
}

/// A pattern in a word: the path before the first part with a wildcard, and the rest in glob
/// syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    pub base: String,
    pub rest: String,
}

/// Splits a line. An unclosed quote reaches to the end.
pub fn words(line: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut word, mut quote): (Option<Word>, Option<char>) = (None, None);
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        if quote.is_none() && c.is_whitespace() {
            words.extend(word.take());
            continue;
        }
        let is_quote = quote.is_none() && matches!(c, '\'' | '"');
        let word = word.get_or_insert_with(|| Word {
            range: at..at,
            chars: Vec::new(),
            quote: is_quote.then_some(c),
        });
        word.range.end = at + c.len_utf8();
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, None) if is_quote => quote = Some(c),
            ('\\', None | Some('"')) => {
                if let Some((at, next)) = chars.next() {
                    word.chars.push((next, true));
                    word.range.end = at + next.len_utf8();
                }
            }
            (c, quote) => word.chars.push((c, quote.is_some())),
        }
    }
    words.extend(word);
    words
}

/// The word at the end of the line; empty after a space.
pub fn last(line: &str) -> Word {
    let last = words(line)
        .pop()
        .filter(|word| word.range.end == line.len());
    last.unwrap_or(Word {
        range: line.len()..line.len(),
        chars: Vec::new(),
        quote: None,
    })
}

impl Word {
    /// The word without quotes and backslashes.
    pub fn text(&self) -> String {
        self.chars.iter().map(|(c, _)| c).collect()
    }

    /// The pattern, if the word has an unquoted star, question mark, bracket or brace.
    pub fn glob(&self) -> Option<Glob> {
        let first = self
            .chars
            .iter()
            .position(|(c, quoted)| !quoted && matches!(c, '*' | '?' | '[' | '{'))?;
        let before = self.chars.get(..first)?;
        let start = before
            .iter()
            .rposition(|(c, _)| *c == '/')
            .map_or(0, |slash| slash + 1);
        let (base, rest) = self.chars.split_at_checked(start)?;
        let mut glob = String::new();
        for (c, quoted) in rest {
            if *quoted && is_special(*c) {
                glob.push('\\');
            }
            glob.push(*c);
        }
        Some(Glob {
            base: base.iter().map(|(c, _)| c).collect(),
            rest: glob,
        })
    }
}

/// Quotes any text so that it reads back as one word.
pub fn quote(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains(needs_quoting);
    if is_plain {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Writes a text as it continues in a word that began with this quote, or with none; does not close
/// the quote.
pub fn go_on(text: &str, quote: Option<char>) -> String {
    let mut written: String = quote.into_iter().collect();
    for c in text.chars() {
        match (quote, c) {
            (Some('\''), '\'') => written.push_str("'\\'"),
            (Some('"'), '"' | '\\') => written.push('\\'),
            (None, c) if needs_quoting(c) => written.push('\\'),
            _ => {}
        }
        written.push(c);
    }
    written
}

fn needs_quoting(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '"') || is_special(c)
}

fn is_special(c: char) -> bool {
    matches!(c, '\\' | '*' | '?' | '[' | ']' | '{' | '}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn texts(line: &str) -> Vec<String> {
        words(line).iter().map(Word::text).collect()
    }

    #[rstest]
    #[case::plain("a.txt  b.txt", &["a.txt", "b.txt"])]
    #[case::quoted("'my file' \"it's\"", &["my file", "it's"])]
    #[case::escaped("my\\ file", &["my file"])]
    #[case::joined("a'b c'd", &["ab cd"])]
    #[case::empty("'' a", &["", "a"])]
    #[case::open("'my fi", &["my fi"])]
    #[case::backslash_at_the_end("a\\", &["a"])]
    #[case::nothing("   ", &[])]
    fn a_line_is_split_as_a_shell_does(#[case] line: &str, #[case] expected: &[&str]) {
        assert_eq!(texts(line), expected);
    }

    #[rstest]
    #[case::plain("a b/c", "b/c")]
    #[case::quoted("a 'b c", "b c")]
    #[case::after_a_space("a ", "")]
    #[case::after_an_escaped_space("a\\ ", "a ")]
    fn the_last_word_is_the_one_that_is_typed(#[case] line: &str, #[case] expected: &str) {
        assert_eq!(last(line).text(), expected);
    }

    #[rstest]
    #[case::star("~/in/*.png", Some(("~/in/", "*.png")))]
    #[case::folder_pattern("in/d?/x", Some(("in/", "d?/x")))]
    #[case::none("in/x", None)]
    #[case::quoted("'*.png'", None)]
    #[case::partly_quoted("'a*'*.png", Some(("", "a\\**.png")))]
    #[case::quoted_brackets("\\[a\\]*", Some(("", "\\[a\\]*")))]
    fn a_pattern_begins_where_the_first_part_is_one(
        #[case] line: &str,
        #[case] expected: Option<(&str, &str)>,
    ) {
        let glob = words(line)[0].glob();
        assert_eq!(
            glob.as_ref()
                .map(|glob| (glob.base.as_str(), glob.rest.as_str())),
            expected
        );
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(text in any::<String>()) {
            let word = words(&quote(&text)).pop().unwrap();
            prop_assert_eq!(word.text(), text);
            prop_assert_eq!(word.glob(), None);
        }

        #[test]
        fn what_goes_on_is_read_back(text in "\\PC{1,20}", style in 0_usize..3) {
            let quote = [None, Some('\''), Some('"')][style];
            let word = last(&go_on(&text, quote));
            prop_assert_eq!(word.text(), text);
            prop_assert_eq!(word.glob(), None);
        }
    }
}
