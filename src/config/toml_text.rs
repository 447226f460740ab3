//! A TOML file written by a person, and warnings about its lines. Never quotes a value that may be
//! a misplaced token.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::typed_file;

/// A file's text, and its name in messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TomlText {
    file: String,
    text: String,
}

/// A problem in a file and its consequence. Warnings never end a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub file: String,
    /// `None` if the warning is about the whole file.
    pub line: Option<usize>,
    pub what: String,
    /// Set if it concerns only the screen, so that commands do not print it.
    pub is_of_screen: bool,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// The longest value that is quoted, in bytes: every token is longer.
const SHORT: usize = 12;
const LONG: &str = "…";

impl TomlText {
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            text: text.into(),
        }
    }

    /// Reads a file; `None` if it does not exist. Messages name a file in `dir` without that
    /// folder.
    pub fn read(path: &Path, dir: &Path) -> Result<Option<Self>, Warning> {
        let file = path.strip_prefix(dir).unwrap_or(path).display().to_string();
        match typed_file::read(path) {
            Ok(text) => Ok(Some(Self { file, text })),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Warning {
                file,
                line: None,
                what: format!("it cannot be read: {error}"),
                is_of_screen: false,
            }),
        }
    }

    pub fn table(&self) -> Result<DeTable<'_>, Warning> {
        DeTable::parse(&self.text)
            .map(Spanned::into_inner)
            .map_err(|error| {
                let what = format!("it is not valid TOML: {}", reason(&error));
                self.warning(&error.span().unwrap_or_default(), what)
            })
    }

    pub fn line(&self, at: &Range<usize>) -> usize {
        1 + self
            .text
            .bytes()
            .take(at.start)
            .filter(|byte| *byte == b'\n')
            .count()
    }

    pub fn warning(&self, at: &Range<usize>, what: impl Into<String>) -> Warning {
        self.warning_in(self.line(at), what)
    }

    pub fn warning_in(&self, line: usize, what: impl Into<String>) -> Warning {
        Warning {
            file: self.file.clone(),
            line: Some(line),
            what: what.into(),
            is_of_screen: false,
        }
    }

    /// The text of a value; an ellipsis if it is long.
    pub fn shown(&self, value: &Spanned<DeValue<'_>>) -> &str {
        let shown = self
            .text
            .get(value.span())
            .filter(|raw| is_short(raw.trim_matches('"')));
        shown.unwrap_or(LONG)
    }
}

/// Quotes a text as in a file; an ellipsis if it is long.
pub fn quoted(text: &str) -> String {
    if is_short(text) {
        format!("\"{text}\"")
    } else {
        LONG.to_owned()
    }
}

fn is_short(text: &str) -> bool {
    text.len() <= SHORT && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The message of an error, without the value that it quotes. An unknown key is not a value.
pub(super) fn reason(error: &toml::de::Error) -> String {
    match error
        .message()
        .split_once(", expected ")
        .filter(|(what, _)| !what.starts_with("unknown field "))
    {
        Some((_, expected)) => format!("expected {expected}"),
        None => error.message().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::word("\"fancy\"", "\"fancy\"")]
    #[case::number("3", "3")]
    #[case::token("\"pat-na1-canary\"", "…")]
    #[case::long_list("[\"name\", \"size\", \"color\"]", "…")]
    #[case::right_to_left("\"\u{202e}fancy\"", "…")]
    fn a_value_is_repeated_where_it_is_too_short_for_a_token(
        #[case] value: &str,
        #[case] shown: &str,
    ) {
        let text = TomlText::new("config.toml", format!("\nkey = {value}\n"));
        let table = text.table().unwrap();
        let (key, value) = table.iter().next().unwrap();
        assert_eq!((text.shown(value), text.line(&key.span())), (shown, 2));
    }

    #[test]
    fn a_text_that_is_no_toml_is_told_with_its_line() {
        let warning = TomlText::new("keys.toml", "[files]\nupload =\n")
            .table()
            .unwrap_err();
        assert!(
            warning
                .to_string()
                .starts_with("keys.toml, line 2: it is not valid TOML: "),
            "{warning}"
        );
    }
}
